// Sea ice in the model: propagation gets its shares, source terms its open water, and it damps.
#include <algorithm>

#include "groundswell/sea/ice/blocking.hpp"
#include "groundswell/sea/model.hpp"

namespace groundswell::sea {

void Model::let_through_ice() {
    const std::span<const CellForcing> cells = forcing_->cells();
    through_ice_.resize(cells.size());
    for (std::size_t cell = 0; cell < cells.size(); ++cell)
        through_ice_[cell] = static_cast<Real>(
            share_through_ice(cells[cell].ice_concentration, case_.ice.open, case_.ice.closed));
    propagator_.let_through(through_ice_);
}

Real Model::open_water(std::int32_t cell) const {
    return Real(1) - std::clamp(forcing_->cells()[cell].ice_concentration, Real(0), Real(1));
}

void Model::damp_under_ice(std::int32_t cell) {
    const CellForcing& felt = forcing_->cells()[cell];
    ice_.apply(block(cell), propagator_.group_speed(cell).data(),
               std::max(propagator_.depth(cell), case_.physics[common::minimum_depth]),
               1.0 - open_water(cell), felt.ice_thickness, time_.cycle_seconds());
}

}  // namespace groundswell::sea
