#include "groundswell/sea/source/terms/bottom_friction.hpp"

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea {

BottomFriction::BottomFriction(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
    : grid_(std::move(grid)), strength_(static_cast<Real>(2.0 * options.bottom_friction / base::gravity)) {}

void BottomFriction::add(SeaCell& sea, SourceSum& sum, SourceWorkspace&) const {
    const Real* __restrict wave_number = sea.wave_number;
    Real* __restrict decay = sum.decay;
    const Real depth = sea.depth, strength = strength_;
    if (wave_number[0] * depth > Real(20)) return;  // no wave of this grid feels the bottom
#pragma omp simd
    for (int i = 0; i < grid_->frequency_lanes; ++i) {
        const Real argument = Real(2) * wave_number[i] * depth;
        const Real growing = exec::lanes::exp(argument < Real(50) ? argument : Real(50));
        // sinh x = (e^x - e^-x)/2; x is at least 2 k d of the longest wave, so nothing cancels badly.
        const Real sinh = Real(0.5) * (growing - Real(1) / growing);
        decay[i] += strength * wave_number[i] / sinh;
    }
}

namespace terms {
SourceTermKind bottom_friction() {
    return {"bottom_friction", &make<BottomFriction>, 50};
}
}  // namespace terms

}  // namespace groundswell::sea
