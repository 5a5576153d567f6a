#include "groundswell/sea/streams/situations.hpp"

#include "groundswell/exec/launch.hpp"

namespace groundswell::sea {

const std::vector<CellSituation>& Situations::of_all(bool spectrum) {
    if (has_all() && (has_spectrum_ || !spectrum)) return all_;
    const std::int32_t owned = model_.mesh().owned;
    all_.resize(owned);
    exec::for_each_cell(0, owned, [&](std::int32_t cell) { all_[cell] = model_.situation(cell, spectrum); });
    step_ = model_.step();
    has_spectrum_ = spectrum;
    return all_;
}

CellSituation Situations::of(std::int32_t cell, bool spectrum) const {
    if (has_all() && (has_spectrum_ || !spectrum)) return all_[cell];
    return model_.situation(cell, spectrum);
}

}  // namespace groundswell::sea
