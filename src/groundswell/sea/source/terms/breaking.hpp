#pragma once

#include <memory>

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Breaking in water too shallow for the waves (Battjes & Janssen 1978, doi:10.1061/9780872621909.034):
/// of the waves a share Q with (1 - Q)/ln Q = -(Hrms/Hm)², Hm = γd, break and lose energy as bores,
/// dm0/dt = -(α/4) Q f̄ Hm², at the same relative rate in every bin (Eldeberky & Battjes 1996). The rate falls
/// steeply with m0, so this ordinary differential equation is followed through the step.
class DepthBreaking : public SourceTerm {
public:
    DepthBreaking(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "breaking"; }
    void add(SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

    /// Q for (Hrms/Hm)²; 1 from 1 upward.
    static double breaking_share(double height_ratio_square);

    /// Relative rate -dm0/dt/m0, s⁻¹, of variance m0 (m²) in water of `depth` metres; `frequency` in Hz.
    double rate(double variance, double frequency, double depth) const;

private:
    std::shared_ptr<const LaneGrid> grid_;
    double gamma_, alpha_;
};

}  // namespace groundswell::sea
