#pragma once

#include "groundswell/quake/fault/laws/imposed_slip.hpp"

namespace groundswell::quake {

/// Slip whose rates are series in time that the case names, each place one of them; of a kinematic rupture a second one
/// across it, along which a part of it slips at rates of its own.
struct SeriesGrowth {
    static constexpr std::string_view name = "imposed-series";
    static constexpr std::string_view meaning =
        "slip is given: its rates are series of a file, or those of a kinematic rupture";
    static constexpr std::string_view source = "";
    static constexpr bool chooses = true;
    enum { series = 3, across_strike, across_dip, series_across };
    static constexpr double most = 1e6, none = -1.0;
    static constexpr std::array numbers{
        LawParameter{"series", "which of fault.slip_rates, counted from 0", "1", 0.0, none, most, none},
        LawParameter{"", "of the second series", "m", 0.0, -most, most, 0.0},
        LawParameter{"", "of the second series", "m", 0.0, -most, most, 0.0},
        LawParameter{"", "of the second series", "1", none, none, most, none}};

    static std::array<double, 2> slip(const PointNumbers<double>& of, double late, const SlipSeries* all) {
        std::array<double, 2> sum{};
        const auto add = [&](double number, double strike, double dip) {
            if (number < 0.0) return;
            const double share = (*all)[static_cast<std::size_t>(number)]->integral(late);
            sum[0] += strike * share;
            sum[1] += dip * share;
        };
        add(of[series], of[0], of[1]);
        add(of[series_across], of[across_strike], of[across_dip]);
        return sum;
    }
};
using ImposedSeries = ImposedSlip<SeriesGrowth>;

}  // namespace groundswell::quake
