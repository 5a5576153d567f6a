// Sea ice in the model: propagation gets its shares, source terms its open water, and it damps.
#include <vector>

#include "groundswell/exec/launch.hpp"
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
    if (device_) device_->let_through();
}

IceDamping::Cell Model::ice_over(std::int32_t cell) const {
    return {propagator_.group_speed(cell).data(), depth_felt(cell), 1.0 - open_water(cell),
            forcing_->cells()[cell].ice_thickness};
}

void Model::damp_under_ice_on_device() {
    if (!ice_.damps() || !forcing_->has("ice")) return;
    std::vector<std::int32_t> cells;
    for (std::int32_t cell = 0; cell < mesh_.owned; ++cell)
        if (ice_.acts(ice_over(cell))) cells.push_back(cell);
    const int frequencies = grid_.frequencies;
    std::vector<Real> left(cells.size() * static_cast<std::size_t>(frequencies));
    exec::for_each_cell(0, static_cast<std::int32_t>(cells.size()), [&](std::int32_t i) {
        const IceDamping::Cell here = ice_over(cells[i]);
        for (int f = 0; f < frequencies; ++f)
            left[static_cast<std::size_t>(i) * static_cast<std::size_t>(frequencies) +
                 static_cast<std::size_t>(f)] = ice_.left(f, here, time_.cycle_seconds());
    });
    device_->damp_under_ice(cells, left, host_state());
}

}  // namespace groundswell::sea
