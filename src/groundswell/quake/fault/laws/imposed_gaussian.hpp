#pragma once

#include "groundswell/quake/fault/laws/imposed_slip.hpp"

namespace groundswell::quake {

/// Slip that grows as a smooth step, exp((t − T)²/(t (t − 2T))) over a time T, whose rate looks like a Gaussian.
struct SmoothStepGrowth {
    static constexpr std::string_view name = "imposed-gaussian";
    static constexpr std::string_view meaning = "slip is given: its rate goes up and down, like a Gaussian";
    static constexpr std::string_view source = "Harris et al. 2009, doi:10.1785/gssrl.80.1.119";
    static constexpr std::array numbers{
        LawParameter{"rise_time", "for which a place slips", "s", {}, 1e-9, 1e9, 1.0}};

    template <std::same_as<double> T>
    static constexpr T grown(T time, const PointNumbers<T>& number) {
        return smooth_step(time, number[0]);
    }
};
using ImposedGaussian = ImposedSlip<SmoothStepGrowth>;

}  // namespace groundswell::quake
