// What currents and levels do in the model: propagation gets them, and what the water of now allows of a step.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "groundswell/base/log.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/clusters/steps.hpp"
#include "groundswell/sea/model.hpp"

namespace groundswell::sea {

// The step stays what the case and the mesh alone make it; what the water of now does not allow is taken in equal parts.
void Model::set_water(bool shift) {
    if (device_) {
        const Propagator::NewWater water = propagator_.set_water(forcing_->cells());
        if (water.any)
            device_->set_water(
                shift ? std::span<const std::int32_t>(water.cells) : std::span<const std::int32_t>(),
                propagator_, host_state());
    } else {
        std::function<Real*(std::int32_t)> action;
        if (shift) action = [this](std::int32_t cell) { return block(cell); };
        propagator_.set_water(forcing_->cells(), action);
    }
    double longest = std::numeric_limits<double>::infinity();
    if (clustered_)
        longest = longest_meeting(comm_, mesh_, propagator_.steps_now());
    else
        for (const double step : propagator_.steps_now()) longest = std::min(longest, step);
    longest = parallel::min(comm_, longest);
    step_parts_ = std::max(1, static_cast<int>(std::ceil(time_.step_seconds() / longest * (1.0 - 1e-12))));
    if (step_parts_ > 1 && !told_of_parts_ && parallel::rank_of(comm_) == 0)
        base::log_info(
            "the water of now allows propagation steps of {:.4g} s at most: as long as it does, a step is "
            "taken in {} parts",
            longest, step_parts_);
    told_of_parts_ = told_of_parts_ || step_parts_ > 1;
    if (case_.propagation.levels && !warned_of_dry_) warn_of_dry_mesh();
}

void Model::warn_of_dry_mesh() {
    std::int64_t wet = 0;
    double deepest = -1e300;
    for (std::int32_t cell = 0; cell < mesh_.owned; ++cell) {
        wet += propagator_.is_dry(cell) ? 0 : 1;
        deepest = std::max(deepest, propagator_.depth(cell));
    }
    if (parallel::sum(comm_, wet) > 0) return;
    warned_of_dry_ = true;
    deepest = parallel::max(comm_, deepest);
    if (parallel::rank_of(comm_) == 0)
        base::log_warning(
            "{}: water_level: all {} sea cells are dry: the deepest has {:.2f} m of water, less than "
            "mesh.minimum_depth = {:g} m; there are no waves until the level rises",
            case_.file, mesh_.global_cells, deepest, case_.propagation.dry_depth);
}

}  // namespace groundswell::sea
