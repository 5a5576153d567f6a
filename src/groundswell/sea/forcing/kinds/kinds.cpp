#include "groundswell/sea/forcing/kinds/kinds.hpp"

namespace groundswell::sea {

std::span<const ForcingKind* const> forcing_kinds() {
    static const ForcingKind* const kinds[] = {&wind_kind(), &current_kind(), &water_level_kind(),
                                               &ice_kind(), &ice_thickness_kind()};
    return kinds;
}

}  // namespace groundswell::sea
