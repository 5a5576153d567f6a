#pragma once

#include <array>
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
    static constexpr std::string_view ardhuin = "Ardhuin et al. 2010, doi:10.1175/2010JPO4324.1";
    static constexpr auto turbulent =
        Coefficient("swell_turbulent", 0.66, 0, 5, "", "s_1, turbulent swell dissipation", ardhuin);
    static constexpr auto wind_alignment =
        Coefficient("swell_wind_alignment", -0.018, -1, 1, "",
                    "s_2, dependence of swell dissipation on the wind's direction", ardhuin);
    static constexpr auto wind_mean =
        Coefficient("swell_wind_mean", 0.022, 0, 1, "",
                    "s_3, dependence of swell dissipation on the wind's friction velocity", ardhuin);
    static constexpr auto critical_reynolds =
        Coefficient("swell_critical_reynolds", 1.5e5, 0, 1e7, "",
                    "Re_c, Reynolds number at which the air above swell turns turbulent", ardhuin);
    static constexpr auto reynolds_exponent =
        Coefficient("swell_reynolds_exponent", 0.5, 0.5, 1, "",
                    "p in the length 2 m0^p of that number: 0.5 is half the significant height",
                    "IFS documentation: 0.5; WAVEWATCH III 7.14, ST4: 1");
    static constexpr auto reynolds_width =
        Coefficient("swell_reynolds_width", 3.6e5, 1, 1e8, "", "width of that transition",
                    "Leckler et al. 2013, doi:10.1016/j.ocemod.2013.03.007");
    static constexpr auto viscous =
        Coefficient("swell_viscous", 1.2, 0, 5, "", "s_5, viscous swell dissipation", ardhuin);
    static constexpr auto roughness_ratio = Coefficient(
        "swell_roughness_ratio", 0.04, 0, 1, "", "roughness felt by the orbital motion over z0", ardhuin);
    static constexpr auto roughness_limit =
        Coefficient("swell_roughness_limit", 0.0005, 0, 1, "m", "largest z0 in that ratio; 0: none",
                    "IFS documentation 45r1, part VII");
    static constexpr std::array coefficients{turbulent,         wind_alignment,    wind_mean,
                                             critical_reynolds, reynolds_exponent, reynolds_width,
                                             viscous,           roughness_ratio,   roughness_limit};

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
