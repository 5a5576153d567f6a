#pragma once

#include "groundswell/quake/fault/laws/ageing.hpp"

namespace groundswell::quake {

/// The slip law, dψ/dt = −(Vψ/L) ln(Vψ/L) (A. Ruina 1983).
struct SlipLaw : Ageing {
    static constexpr std::string_view name = "slip";
    static constexpr std::string_view meaning = "rate-and-state friction, slip law";
    static constexpr std::string_view source = "Ruina 1983, doi:10.1029/JB088iB12p10359";

    template <class Parameter>
    static constexpr double after(const Parameter& parameter, const double*, double psi, double rate,
                                  double seconds) {
        const double slipping = rate / parameter(distance);
        const double left = std::exp(-slipping * seconds);
        return std::exp(left * std::log(slipping * psi)) / slipping;
    }
};

}  // namespace groundswell::quake
