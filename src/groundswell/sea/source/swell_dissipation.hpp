#pragma once

#include <memory>
#include <vector>

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Dissipation of swell in the air above it: the negative part of the wind input of Ardhuin et al. (2010,
/// doi:10.1175/2010JPO4324.1, section 2), with the smooth transition from a viscous to a turbulent boundary
/// layer.
class SwellDissipation {
public:
    SwellDissipation(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);

    /// The rate of a bin is -(constant[f] + aligned[f]·cos(θ - wind)), s⁻¹; writes both columns.
    /// u* in m s⁻¹, z0 in m.
    void rates(const SeaCell& sea, double friction_velocity, double roughness, Real* constant,
               Real* aligned) const;

    /// Friction factor of an oscillatory boundary layer (Grant & Madsen 1979) for amplitude over roughness,
    /// by interpolation in a table; [2, 10⁸].
    double friction_factor(double amplitude_over_roughness) const;

private:
    std::shared_ptr<const LaneGrid> grid_;
    double density_ratio_;
    double turbulent_, alignment_, mean_, critical_, exponent_, width_, viscous_;
    double roughness_ratio_, roughness_limit_;
    std::vector<double> table_;
};

}  // namespace groundswell::sea
