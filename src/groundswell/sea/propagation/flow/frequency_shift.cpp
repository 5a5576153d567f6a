#include "groundswell/sea/propagation/flow/frequency_shift.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/propagation/flow/rows.hpp"

namespace groundswell::sea {

FrequencyShift::FrequencyShift(const SpectralGrid& grid)
    : frequencies_(grid.frequencies), directions_(grid.directions), row_(rows::whole(grid.directions)) {
    for (int i = 0; i < frequencies_; ++i) {
        width_.push_back(static_cast<Real>(base::two_pi * grid.frequency_width[i]));
        distance_.push_back(i > 0 ? Real(0.5) * (width_[i - 1] + width_[i]) : Real(1));
    }
}

FrequencyShift::Work::Work(const SpectralGrid& grid) : density(static_cast<std::size_t>(grid.frequencies)) {
    const auto row = static_cast<std::size_t>(lanes::padded(grid.directions));
    const auto zeros = [](std::size_t values) {
        exec::Array<Real> array(values);
        std::fill_n(array.data(), values, Real(0));
        return array;
    };
    const auto frequencies = static_cast<std::size_t>(grid.frequencies);
    for (exec::Array<Real>* rows : {&action, &invariant, &slope}) *rows = zeros(frequencies * row);
    flux = zeros(2 * row);
    strain = zeros(row);
}

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
    for (int i = 0; i < frequencies_; ++i)
        rows::copy(work.action.data() + i * row_, n + i * directions_, directions_);
    if (flux.strain != nullptr) rows::copy(work.strain.data(), flux.strain, directions_);
    for (int part = 0; part < all; ++part) {
        for (int i = 0; i < frequencies_; ++i)
            work.density[i] =
                density[i] + (growth != nullptr ? growth[i] * (share * static_cast<Real>(part)) : Real(0));
        shift(flux, share, work);
    }
    for (int i = 0; i < frequencies_; ++i)
        rows::copy(n + i * directions_, work.action.data() + i * row_, directions_);
}

void FrequencyShift::shift(const Flux& flux, Real share, Work& work) const {
    using lanes::Lane, lanes::load, lanes::store;
    const int count = row_;
    const auto row = [count](exec::Array<Real>& rows, int i) { return rows.data() + i * count; };
    for (int i = 0; i < frequencies_; ++i) {
        const Real inverse = Real(1) / work.density[i];
        const Real* const n = row(work.action, i);
        Real* const m = row(work.invariant, i);
        for (int j = 0; j < count; j += lanes::width) store(m + j, inverse * load(n + j));
    }
    std::fill_n(row(work.slope, 0), count, Real(0));
    std::fill_n(row(work.slope, frequencies_ - 1), count, Real(0));
    for (int i = 1; i + 1 < frequencies_; ++i) {
        const Real from_below = Real(1) / distance_[i], to_above = Real(1) / distance_[i + 1];
        const Real* const m = row(work.invariant, i);
        Real* const slope = row(work.slope, i);
        for (int j = 0; j < count; j += lanes::width) {
            const Lane here = load(m + j);
            store(slope + j, rows::limited((here - load(m + j - count)) * from_below,
                                           (load(m + j + count) - here) * to_above));
        }
    }
    Real *below = work.flux.data(), *here = below + count;  // through the side below the bin, and above it
    for (int side = 0; side <= frequencies_; ++side) {
        // What goes up comes from the bin below the side, what goes down from the one above; nothing enters at the ends.
        const int under = std::max(side - 1, 0), over = std::min(side, frequencies_ - 1);
        const Real half_under = Real(0.5) * width_[under], half_over = Real(0.5) * width_[over];
        const Real travel_under = Real(0.5) / work.density[under],
                   travel_over = Real(0.5) / work.density[over];
        const Real even = share * flux.even[side];
        const Real strained = flux.strained != nullptr ? share * flux.strained[side] : Real(0);
        const Real *const m_under = row(work.invariant, under), *const m_over = row(work.invariant, over),
                          *const s_under = row(work.slope, under), *const s_over = row(work.slope, over);
        for (int j = 0; j < count; j += lanes::width) {
            Lane c = even + strained * load(work.strain.data() + j);
            if (side == 0) c = lanes::negative_part(c);
            if (side == frequencies_) c = lanes::positive_part(c);
            const Lane rise = load(s_under + j) * (half_under - c * travel_under);
            const Lane fall = load(s_over + j) * (-half_over - c * travel_over);
            const Lane value = c > 0 ? load(m_under + j) : load(m_over + j);
            const Lane change = c > 0 ? rise : fall;
            store(here + j, c * (value + lanes::maximum(lanes::minimum(change, value), -value)));
        }
        if (side > 0) {
            const Real inverse = Real(1) / width_[side - 1];
            Real* const n = row(work.action, side - 1);
            for (int j = 0; j < count; j += lanes::width)
                store(n + j, load(n + j) - (load(here + j) - load(below + j)) * inverse);
        }
        std::swap(below, here);
    }
}

}  // namespace groundswell::sea
