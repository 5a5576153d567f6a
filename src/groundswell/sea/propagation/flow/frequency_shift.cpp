#include "groundswell/sea/propagation/flow/frequency_shift.hpp"

#include <algorithm>

#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/propagation/flow_formulas.hpp"

namespace groundswell::sea {

FrequencyShift::FrequencyShift(const SpectralGrid& grid)
    : frequencies_(grid.frequencies),
      directions_(grid.directions),
      row_(rows::whole(grid.directions)),
      width_(widths(grid)),
      distance_(distances(grid)) {}

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
    const auto through = [&](int side, Real strain) {
        return flux.even[side] + (flux.strained != nullptr ? flux.strained[side] * strain : Real(0));
    };
    Real largest = 0;
    for (int i = 0; i < frequencies_; ++i)
        largest = std::max(largest, flow_formulas::shift_out(i, width_[i], density[i], least, most, through));
    return flow_formulas::parts_of(largest, flow_formulas::most_shift);
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
            work.density[i] = flow_formulas::density_of_part(
                density[i], growth != nullptr ? growth[i] : Real(0), share, part);
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
        const Real* const m = row(work.invariant, i);
        Real* const slope = row(work.slope, i);
        for (int j = 0; j < count; j += lanes::width) {
            store(slope + j, flow_formulas::shift_slope(load(m + j - count), load(m + j), load(m + j + count),
                                                        distance_[i], distance_[i + 1]));
        }
    }
    Real *below = work.flux.data(), *here = below + count;  // through the side below the bin, and above it
    for (int side = 0; side <= frequencies_; ++side) {
        const int under = std::max(side - 1, 0), over = std::min(side, frequencies_ - 1);
        const flow_formulas::ShiftSide through = flow_formulas::shift_side(
            side, frequencies_, width_.data(), work.density.data(), share, flux.even[side],
            flux.strained != nullptr ? flux.strained[side] : Real(0));
        const Real *const m_under = row(work.invariant, under), *const m_over = row(work.invariant, over),
                          *const s_under = row(work.slope, under), *const s_over = row(work.slope, over);
        for (int j = 0; j < count; j += lanes::width)
            store(here + j, through.flux(load(work.strain.data() + j), load(m_under + j), load(s_under + j),
                                         load(m_over + j), load(s_over + j)));
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
