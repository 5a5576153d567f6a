#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "groundswell/base/percentile.hpp"

namespace groundswell::cli {

/// Seconds of one repetition, over all of them.
struct Timing {
    double best = 0.0, p10 = 0.0, median = 0.0, mean = 0.0;
    double deviation = 0.0;  ///< standard deviation, of the sample; 0 of one repetition
    double variation() const { return mean > 0.0 ? deviation / mean : 0.0; }
};

/// At least one repetition.
inline Timing time_of(const std::vector<double>& seconds) {
    Timing timing{*std::ranges::min_element(seconds), base::percentile(seconds, 0.1),
                  base::percentile(seconds, 0.5)};
    const auto count = static_cast<double>(seconds.size());
    timing.mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) / count;
    double squares = 0.0;
    for (const double one : seconds) squares += (one - timing.mean) * (one - timing.mean);
    if (count > 1.0) timing.deviation = std::sqrt(squares / (count - 1.0));
    return timing;
}

}  // namespace groundswell::cli
