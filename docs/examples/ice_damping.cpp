#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

/// Damping of waves under broken sea ice that covers a share of the sea, the same everywhere: along its way
/// the energy of a wave falls as exp(-α x), α = a f² + b f⁴ (Meylan, Bennetts & Kohout 2014,
/// doi:10.1002/2014GL060809, fitted in the Antarctic marginal ice zone). Waves travel at cg, so the rate in
/// time is α cg, here times the share that is ice.
class IceDamping : public SourceTerm {
public:
    IceDamping(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions&) : grid_(std::move(grid)) {}
    std::string_view name() const override { return "ice_damping"; }

    void add(SeaCell& sea, SourceSum& sum, SourceWorkspace&) const override {
        const Real* __restrict frequency = grid_->frequency.data();
        const Real* __restrict group_speed = sea.group_speed;
        Real* __restrict decay = sum.decay;
#pragma omp simd
        for (int i = 0; i < grid_->frequency_lanes; ++i) {
            const Real square = frequency[i] * frequency[i];
            decay[i] += ice_share * (per_square * square + per_fourth * square * square) * group_speed[i];
        }
    }

    static constexpr Real ice_share = Real(0.5);       ///< of the surface
    static constexpr Real per_square = Real(2.12e-3);  ///< a, m⁻¹ Hz⁻²
    static constexpr Real per_fourth = Real(4.59e-2);  ///< b, m⁻¹ Hz⁻⁴

private:
    std::shared_ptr<const LaneGrid> grid_;
};

SourceTermKind ice_damping() {
    return {"ice_damping", &make<IceDamping>};
}

}  // namespace groundswell::sea::terms
