#include <array>

#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

/// Damping of waves under broken sea ice that covers a share of the sea, the same everywhere: along its way
/// the energy of a wave falls as exp(-α x), α = a f² + b f⁴ (Meylan, Bennetts & Kohout 2014,
/// doi:10.1002/2014GL060809, fitted in the Antarctic marginal ice zone). Waves travel at cg, so the rate in
/// time is α cg, here times the share that is ice.
class IceDamping : public SourceTerm {
public:
    static constexpr std::string_view meylan = "Meylan, Bennetts & Kohout 2014, doi:10.1002/2014GL060809";
    static constexpr auto share =
        Coefficient("damping_ice", 0.5, 0, 1, "1", "share of the sea that is ice", "of this example");
    static constexpr auto per_square =
        Coefficient("damping_per_square", 2.12e-3, 0, 10, "m-1 Hz-2", "a in the decay a f² + b f⁴", meylan);
    static constexpr auto per_fourth =
        Coefficient("damping_per_fourth", 4.59e-2, 0, 1000, "m-1 Hz-4", "b", meylan);
    static constexpr std::array coefficients{share, per_square, per_fourth};

    IceDamping(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : grid_(std::move(grid)),
          of_square_(static_cast<Real>(options[share] * options[per_square])),
          of_fourth_(static_cast<Real>(options[share] * options[per_fourth])) {}
    std::string_view name() const override { return "ice_damping"; }

    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace&) const override {
        const Real* __restrict frequency = grid_->frequency.data();
        const Real* __restrict group_speed = sea.group_speed;
        Real* __restrict decay = sum.decay;
#pragma omp simd
        for (int i = 0; i < grid_->frequency_lanes; ++i) {
            const Real square = frequency[i] * frequency[i];
            decay[i] += (of_square_ * square + of_fourth_ * square * square) * group_speed[i];
        }
    }

private:
    std::shared_ptr<const LaneGrid> grid_;
    Real of_square_, of_fourth_;  // times the share
};

SourceTermKind ice_damping() {
    return describe<IceDamping>("ice_damping", {IceDamping::coefficients});
}

}  // namespace groundswell::sea::terms
