#include "groundswell/sea/propagation/flow/frequency_shift.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {

FrequencyShift::FrequencyShift(const SpectralGrid& grid)
    : frequencies_(grid.frequencies), directions_(grid.directions) {
    for (int i = 0; i < frequencies_; ++i) {
        width_.push_back(static_cast<Real>(base::two_pi * grid.frequency_width[i]));
        distance_.push_back(i > 0 ? Real(0.5) * (width_[i - 1] + width_[i]) : Real(1));
    }
}

FrequencyShift::Work::Work(const SpectralGrid& grid)
    : invariant(static_cast<std::size_t>(grid.bins())),
      slope(static_cast<std::size_t>(grid.bins())),
      flux(static_cast<std::size_t>(2 * grid.directions)),
      density(static_cast<std::size_t>(grid.frequencies)) {}

int FrequencyShift::parts(const Real* density, const Flux& flux) const {
    Real least = 0, most = 0;
    if (flux.strain != nullptr) {
        least = most = flux.strain[0];
        for (int j = 1; j < directions_; ++j) {
            least = std::min(least, flux.strain[j]);
            most = std::max(most, flux.strain[j]);
        }
    }
    // C is linear in the strain, so what leaves a bin is largest at one of its ends.
    const auto through = [&](int side, Real strain) {
        return flux.even[side] + (flux.strained != nullptr ? flux.strained[side] * strain : Real(0));
    };
    Real largest = 0;
    for (int i = 0; i < frequencies_; ++i)
        for (const Real strain : {least, most}) {
            const Real out =
                std::max(Real(0), through(i + 1, strain)) + std::max(Real(0), -through(i, strain));
            largest = std::max(largest, out / (density[i] * width_[i]));
        }
    // A value at a side is at most twice the bin's, and J may change by as much as goes through.
    return largest > Real(0.45) ? static_cast<int>(std::min(std::ceil(largest / Real(0.45)), Real(1000))) : 1;
}

void FrequencyShift::apply(Real* n, const Real* density, const Real* growth, const Flux& flux,
                           Work& work) const {
    const int all = parts(density, flux);
    const Real share = Real(1) / static_cast<Real>(all);
    for (int part = 0; part < all; ++part) {
        for (int i = 0; i < frequencies_; ++i)
            work.density[i] =
                density[i] + (growth != nullptr ? growth[i] * (share * static_cast<Real>(part)) : Real(0));
        shift(n, flux, share, work);
    }
}

void FrequencyShift::shift(Real* n, const Flux& flux, Real share, Work& work) const {
    const int count = directions_;
    const auto row = [count](exec::Array<Real>& rows, int i) { return rows.data() + i * count; };
    for (int i = 0; i < frequencies_; ++i) {
        const Real inverse = Real(1) / work.density[i];
        const Real* __restrict from = n + i * count;
        Real* __restrict to = row(work.invariant, i);
#pragma omp simd
        for (int j = 0; j < count; ++j) to[j] = inverse * from[j];
    }
    std::fill_n(row(work.slope, 0), count, Real(0));
    std::fill_n(row(work.slope, frequencies_ - 1), count, Real(0));
    for (int i = 1; i + 1 < frequencies_; ++i) {
        const Real from_below = Real(1) / distance_[i], to_above = Real(1) / distance_[i + 1];
        const Real* __restrict m = row(work.invariant, i);
        Real* __restrict slope = row(work.slope, i);
#pragma omp simd
        for (int j = 0; j < count; ++j) {
            const Real down = (m[j] - m[j - count]) * from_below, up = (m[j + count] - m[j]) * to_above;
            const Real size_down = down < 0 ? -down : down, size_up = up < 0 ? -up : up;
            const Real middle = Real(0.5) * (down + up), size = middle < 0 ? -middle : middle;
            const Real least = size_down < size_up ? size_down : size_up;
            const Real steepest = size < least + least ? size : least + least;
            const Real signed_slope = down < 0 ? -steepest : steepest;
            slope[j] = down * up > 0 ? signed_slope : Real(0);
        }
    }
    Real *below = work.flux.data(), *here = below + count;  // through the side below the bin, and above it
    for (int side = 0; side <= frequencies_; ++side) {
        // What goes up comes from the bin below the side, what goes down from the one above.
        const int under = std::max(side - 1, 0), over = std::min(side, frequencies_ - 1);
        const Real half_under = Real(0.5) * width_[under], half_over = Real(0.5) * width_[over];
        const Real travel_under = Real(0.5) / work.density[under],
                   travel_over = Real(0.5) / work.density[over];
        const Real keeps_up = side > 0 ? Real(1) : Real(0),
                   keeps_down = side < frequencies_ ? Real(1) : Real(0);
        const Real even = share * flux.even[side];
        const Real strained = flux.strained != nullptr ? share * flux.strained[side] : Real(0);
        const Real* __restrict strain = flux.strain != nullptr ? flux.strain : work.invariant.data();
        const Real* __restrict m_under = row(work.invariant, under), * __restrict m_over =
                                                                         row(work.invariant, over);
        const Real* __restrict s_under = row(work.slope, under), * __restrict s_over = row(work.slope, over);
        Real* __restrict through = here;
#pragma omp simd
        for (int j = 0; j < count; ++j) {
            const Real c = even + strained * strain[j];
            const bool up = c > 0;
            const Real value = up ? m_under[j] : m_over[j], tilt = up ? s_under[j] : s_over[j];
            const Real reach = up ? half_under - c * travel_under : -half_over - c * travel_over;
            const Real change = tilt * reach;
            const Real bounded = change > value ? value : change < -value ? -value : change;
            through[j] = c * (value + bounded) * (up ? keeps_up : keeps_down);
        }
        if (side > 0) {
            const Real inverse = Real(1) / width_[side - 1];
            Real* __restrict to = n + (side - 1) * count;
            const Real* __restrict enters = below;
#pragma omp simd
            for (int j = 0; j < count; ++j) to[j] -= (through[j] - enters[j]) * inverse;
        }
        std::swap(below, here);
    }
}

}  // namespace groundswell::sea
