#pragma once

#include <span>

#include "groundswell/sea/forcing/kind.hpp"

namespace groundswell::sea {

/// The kinds of forcing that there are, in the order in which the case file's reference has them. A new kind is a file in this
/// folder, a line here and one in kinds.cpp.
const ForcingKind& wind_kind();
const ForcingKind& current_kind();
const ForcingKind& water_level_kind();
const ForcingKind& ice_kind();
const ForcingKind& ice_thickness_kind();

std::span<const ForcingKind* const> forcing_kinds();

}  // namespace groundswell::sea
