#include "groundswell/quake/source/rupture/about.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "groundswell/quake/source/point/tally.hpp"

namespace groundswell::quake {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// "x -950 to 950 m", to a millimetre.
std::string span_text(const Extent& extent, int axis) {
    const auto rounded = [](double metres) { return std::round(1000.0 * metres) / 1000.0 + 0.0; };
    return fmt::format("{} {:.7g} to {:.7g} m", "xyz"[axis], rounded(extent.low[axis]),
                       rounded(extent.high[axis]));
}

bool depends_on_rock(const Rupture& rupture) {
    const auto is_used = [](const std::array<double, 6>& tensor) {
        return std::ranges::any_of(tensor, [](double one) { return one != 0.0; });
    };
    return std::ranges::any_of(rupture.parts, [&](const SubSource& part) {
        return std::ranges::any_of(part.pulses, [&](const Pulse& pulse) {
            return is_used(pulse.per_mu) || is_used(pulse.per_lambda);
        });
    });
}

// In rock of one kind.
double moment_of(const Rupture& rupture, const Material& rock) {
    SourceTally tally;
    for (const SubSource& part : rupture.parts) tally.add(part.in(rock));
    return tally.total(MPI_COMM_SELF).moment;
}

std::string moment_text(const Rupture& rupture) {
    if (!depends_on_rock(rupture)) {
        const double moment = moment_of(rupture, {});
        return moment > 0.0
                   ? fmt::format("moment {:.4g} N m, magnitude {:.2f}", moment, moment_magnitude(moment))
                   : "no moment";
    }
    constexpr double usual = 3e10;  // Pa
    const double moment = moment_of(rupture, {2700.0, usual, usual});
    return fmt::format(
        "moment and magnitude by the rock there, as --check tells them; in rock of 30 GPa {:.4g} N m and "
        "{:.2f}",
        moment, moment_magnitude(moment));
}

}  // namespace

Times times_of(const Rupture& rupture) {
    constexpr double times_of_endless = 10.0;
    Times times{infinity, -infinity};
    for (const SubSource& part : rupture.parts) {
        for (const Pulse& pulse : part.pulses) {
            const double intervals =
                pulse.rate.empty() ? times_of_endless : static_cast<double>(pulse.rate.size() - 1);
            times.begin = std::min(times.begin, pulse.onset);
            times.end = std::max(times.end, pulse.onset + intervals * pulse.interval);
        }
    }
    return times;
}

Extent extent_of(const Rupture& rupture) {
    Extent extent;
    extent.low.fill(infinity);
    extent.high.fill(-infinity);
    for (const SubSource& part : rupture.parts) {
        for (int j = 0; j < 3; ++j) {
            extent.low[j] = std::min(extent.low[j], part.place[j]);
            extent.high[j] = std::max(extent.high[j], part.place[j]);
        }
    }
    return extent;
}

std::string text_of(const Extent& extent) {
    return fmt::format("{}, {}, {}", span_text(extent, 0), span_text(extent, 1), span_text(extent, 2));
}

std::string about(const std::string& name, const Rupture& rupture) {
    const Times times = times_of(rupture);
    return fmt::format("{}: {} sub-sources, {}{}, from {:.4g} to {:.4g} s, {}", name, rupture.parts.size(),
                       text_of(extent_of(rupture)),
                       rupture.depth_from_surface ? " from the free surface" : "", times.begin, times.end,
                       moment_text(rupture));
}

}  // namespace groundswell::quake
