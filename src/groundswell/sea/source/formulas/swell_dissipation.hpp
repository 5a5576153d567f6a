#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <span>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Dissipation of swell in the air above it: the negative part of the wind input of Ardhuin et al. (2010,
/// doi:10.1175/2010JPO4324.1: eq. 8 where the boundary layer is viscous, eq. 9 with the friction factor of eq. 10
/// where it is turbulent), with the smooth transition from the one to the other.
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

    constexpr SwellDissipation() = default;
    explicit SwellDissipation(const PhysicsOptions& options);

    /// The rate of a bin is -(constant[f] + aligned[f]·cos(θ - wind)), s⁻¹; writes both columns, and three values of `shared`.
    /// u* in m s⁻¹, z0 in m.
    template <class Team>
    constexpr void rates(const Team& team, const LaneTables& g, const SeaCell& sea, double friction_velocity,
                         double roughness, Real* shared, Real* constant, Real* aligned) const;

    /// Friction factor of an oscillatory boundary layer (Grant & Madsen 1979) for amplitude over roughness,
    /// by interpolation in a table; [2, 10⁸].
    constexpr double friction_factor(std::same_as<double> auto amplitude_over_roughness) const {
        const double logarithm =
            exec::lanes::log(std::max(amplitude_over_roughness, 1.0)) * 0.43429448190325182;
        const double position = (logarithm - table_first) * table_size / (table_last - table_first);
        const double bounded = std::clamp(position, 0.0, static_cast<double>(table_size));
        const int below = std::min(static_cast<int>(bounded), table_size - 1);
        const double part = bounded - below;
        return table_[below] * (1.0 - part) + table_[below + 1] * part;
    }

    static constexpr void arrays(auto& formula, const auto& visit) { visit(formula.table_); }

private:
    static constexpr double air_viscosity = 1.5e-5;  // m² s⁻¹
    static constexpr int table_size = 200;
    static constexpr double table_first = 0.3, table_last = 8.0;  // log10 of amplitude over roughness
    static std::array<double, table_size + 1> make_table();

    double density_ratio_ = 0;
    double turbulent_ = 0, alignment_ = 0, mean_ = 0, critical_ = 0, exponent_ = 0, width_ = 0, viscous_ = 0;
    double roughness_ratio_ = 0, roughness_limit_ = 0;
    std::span<const double> table_;
};

template <class Team>
constexpr void SwellDissipation::rates(const Team& team, const LaneTables& g, const SeaCell& sea,
                                       double friction_velocity, double roughness, Real* shared,
                                       Real* constant, Real* aligned) const {
    const auto [orbital, elevation] = team.add_up(std::array{0.0, 0.0}, g.frequencies, [&](int i) {
        const double variance = static_cast<double>(g.width[i]) * sea.row_energy[i];
        return std::array{variance * g.sigma[i] * g.sigma[i], variance};
    });
    team.once([&, orbital = orbital, elevation = elevation] {
        const double speed = 2.0 * std::sqrt(orbital);        // significant orbital speed, m s⁻¹
        const double amplitude = 2.0 * std::sqrt(elevation);  // half the significant height, m
        // WAVEWATCH III has m0 in place of its root here: an amplitude times a quarter of the height.
        const double length = exponent_ == 0.5 ? amplitude : 2.0 * exec::lanes::pow(elevation, exponent_);
        const double reynolds = 4.0 * speed * length / air_viscosity;
        const double turbulent_weight = 0.5 + 0.5 * exec::lanes::tanh((reynolds - critical_) / width_);
        const double smooth = 0.11 * air_viscosity / std::max(friction_velocity, 1e-4);
        const double felt = std::max(
            smooth,
            roughness_ratio_ * (roughness_limit_ > 0.0 ? std::min(roughness_limit_, roughness) : roughness));
        const double drag = friction_factor(amplitude / felt) * speed + mean_ * friction_velocity;

        const double common = density_ratio_ * turbulent_weight * turbulent_ * 16.0 / base::gravity;
        const double layer =
            density_ratio_ * (1.0 - turbulent_weight) * viscous_ * 2.0 * std::sqrt(2.0 * air_viscosity);
        shared[0] = static_cast<Real>(common * drag);
        shared[1] = static_cast<Real>(common * alignment_ * friction_velocity);
        shared[2] = static_cast<Real>(layer);
    });
    team.sync();
    const Real turbulent_constant = shared[0], turbulent_aligned = shared[1], viscous_constant = shared[2];
    const Real* const sigma = g.sigma.data();
    const Real* const wave_number = sea.wave_number;
    team.columns(g.frequency_lanes, [&](int i) {
        const Real square = sigma[i] * sigma[i];
        constant[i] = viscous_constant * std::sqrt(sigma[i]) * wave_number[i] + turbulent_constant * square;
        aligned[i] = turbulent_aligned * square;
    });
}

}  // namespace groundswell::sea
