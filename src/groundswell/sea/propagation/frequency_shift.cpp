#include "groundswell/sea/propagation/frequency_shift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace groundswell::sea {

FrequencyShift::FrequencyShift(const SpectralGrid& grid)
    : frequencies_(grid.frequencies), directions_(grid.directions) {
    // The sides stand half way between frequencies, so that their distances are grid.frequency_width.
    side_.push_back(grid.frequency.front());
    for (int i = 1; i < frequencies_; ++i) side_.push_back(0.5 * (grid.frequency[i - 1] + grid.frequency[i]));
    side_.push_back(grid.frequency.back());
    for (int i = 0; i < frequencies_; ++i) middle_.push_back(0.5 * (side_[i] + side_[i + 1]));
}

void FrequencyShift::apply(Real* n_new, const Real* n_old, const Real* rate, double dt) const {
    std::copy_n(n_old, frequencies_ * directions_, n_new);
    const Real step = static_cast<Real>(dt);
    const auto width = [&](int i) { return static_cast<Real>(side_[i + 1] - side_[i]); };
    const auto speed = [&](int side, int d) {
        const int below = std::max(side - 1, 0), above = std::min(side, frequencies_ - 1);
        return Real(0.5) * (rate[below * directions_ + d] + rate[above * directions_ + d]);
    };
    // N of bin i at half time, `distance` from its middle half a step upstream of a side.
    const auto value_at = [&](int i, int d, Real distance) {
        const Real own = n_old[i * directions_ + d];
        Real change = Real(-0.5) * step * own * (speed(i + 1, d) - speed(i, d)) / width(i);
        if (i > 0 && i + 1 < frequencies_) {
            const Real down =
                (own - n_old[(i - 1) * directions_ + d]) / static_cast<Real>(middle_[i] - middle_[i - 1]);
            const Real up =
                (n_old[(i + 1) * directions_ + d] - own) / static_cast<Real>(middle_[i + 1] - middle_[i]);
            const Real least = std::min(std::abs(down), std::abs(up));
            const Real steepest = std::min(Real(0.5) * std::abs(down + up), Real(2) * least);
            if (down * up > 0) change += std::copysign(steepest, down) * distance;
        }
        return own + std::clamp(change, -own, own);
    };
    for (int side = 0; side <= frequencies_; ++side) {
        const int below = side - 1, above = side;
        for (int d = 0; d < directions_; ++d) {
            const Real travel = step * speed(side, d);
            const bool up = travel > 0;
            if (up ? below < 0 : above == frequencies_) continue;
            const int from = up ? below : above;
            const Real flux =
                travel * value_at(from, d, Real(0.5) * ((up ? width(from) : -width(from)) - travel));
            if (below >= 0) n_new[below * directions_ + d] -= flux / width(below);
            if (above < frequencies_) n_new[above * directions_ + d] += flux / width(above);
        }
    }
}

double FrequencyShift::longest_step(const Real* rate) const {
    double fastest = 0.0;
    for (int i = 0; i < frequencies_; ++i) {
        for (int d = 0; d < directions_; ++d) {
            const auto at = [&](int f) {
                return static_cast<double>(rate[std::clamp(f, 0, frequencies_ - 1) * directions_ + d]);
            };
            const double up = 0.5 * (at(i) + at(i + 1)), down = 0.5 * (at(i) + at(i - 1));
            const double out = std::max(0.0, up) + std::max(0.0, -down);
            fastest = std::max(fastest, out / (side_[i + 1] - side_[i]));
        }
    }
    // A side's value is at most twice the bin's.
    return fastest > 0.0 ? 0.5 / fastest : std::numeric_limits<double>::infinity();
}

}  // namespace groundswell::sea
