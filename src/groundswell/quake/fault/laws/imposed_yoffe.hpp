#pragma once

#include "groundswell/base/constants.hpp"
#include "groundswell/quake/fault/laws/imposed_slip.hpp"

namespace groundswell::quake {

/// Slip that begins fast and fades, as behind a rupture's front: Yoffe's function of a rise time T, (2/πT) √((T − t)/t), smoothed by
/// a triangle of half-width τ (E. Tinti, E. Fukuyama, A. Piatanesi and M. Cocco 2005, doi:10.1785/0120040177, equation 1). A triangle is
/// a second difference of ramps, so that slip is that of the second integral of Yoffe's own slip.
struct YoffeGrowth {
    static constexpr std::string_view name = "imposed-yoffe";
    static constexpr std::string_view meaning =
        "slip is given: it begins fast and fades, a regularised Yoffe function";
    static constexpr std::string_view source = "Tinti et al. 2005, doi:10.1785/0120040177";
    static constexpr std::array numbers{
        LawParameter{"rise_time", "for which a place slips, τ_R", "s", {}, 1e-9, 1e9, 1.0},
        LawParameter{"acceleration_time", "until its slip rate is largest, τ_s", "s", {}, 1e-9, 1e9, 0.1}};

    /// Share of the slip that is done so long after its onset, s.
    template <std::same_as<double> T>
    static constexpr T grown(T time, const PointNumbers<T>& number) {
        const double rise = number[0], half = number[1];
        if (time <= 0.0) return 0.0;
        if (time >= rise + 2.0 * half) return 1.0;
        return (twice_integrated(time, rise) - 2.0 * twice_integrated(time - half, rise) +
                twice_integrated(time - 2.0 * half, rise)) /
               (half * half);
    }
    /// ∫∫ of Yoffe's slip, (2/π)(θ + ½ sin 2θ) with t = T sin²θ, s².
    template <std::same_as<double> T>
    static constexpr T twice_integrated(T time, T rise) {
        if (time <= 0.0) return 0.0;
        if (time >= rise) {
            const double late = time - rise;
            return rise * (5.0 / 16.0 * rise + 0.75 * late) + 0.5 * late * late;
        }
        const double x = std::asin(std::sqrt(time / rise));
        const double sum = x * (std::cos(4.0 * x) / 16.0 + 0.125 - 0.125 * std::cos(2.0 * x)) +
                           3.0 / 64.0 * (std::sin(2.0 * x) - std::sin(4.0 * x)) + std::sin(6.0 * x) / 192.0;
        return 2.0 / base::pi * rise * rise * sum;
    }
};
using ImposedYoffe = ImposedSlip<YoffeGrowth>;

}  // namespace groundswell::quake
