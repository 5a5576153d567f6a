#pragma once

#include "groundswell/quake/fault/laws/slip_weakening.hpp"

namespace groundswell::quake {

/// Friction that falls with slip by a power law, without an end, which stands for the pressure of fluid that friction heats:
/// μ = μ_d + (μ_s − μ_d) / (1 + S/D_c)^α, with α = 1/3 (Herrera et al. 2024, Geophysical Journal International; the growth
/// of the fracture energy with slip is that of R. C. Viesca and D. I. Garagash 2015,
/// doi:10.1038/ngeo2554).
struct PowerLawFall {
    static constexpr std::string_view name = "power-law-slip-weakening";
    static constexpr std::string_view meaning =
        "friction falls with slip by a power law, in place of thermal pressurisation";
    static constexpr std::string_view source = "Herrera et al. 2024, Geophysical Journal International";
    static constexpr double cost = 3.0;
    static constexpr std::array numbers{LawParameter{"weakening_exponent", "exponent of the power law, α",
                                                     "1", 1.0 / 3.0, 0.01, 10.0, 1.0 / 3.0}};
    // With the usual exponent.
    static constexpr double steepest = 3.0;

    template <class Value>
    static constexpr Value fallen(const Value& slip, const double* numbers) {
        const double exponent = -numbers[0];
        return 1.0 - by_lane(slip, [exponent](double s) { return std::pow(1.0 + s, exponent); });
    }
};
using PowerLawSlipWeakening = SlipWeakening<PowerLawFall>;

}  // namespace groundswell::quake
