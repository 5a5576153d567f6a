#include "groundswell/sea/propagation/flow/current_turning.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/sea/propagation/flow/rows.hpp"

namespace groundswell::sea {

namespace {

// Equal parts of a step in which no bin gives away more than it has.
int parts_of_turning(const Real* courant, int n) {
    Real largest = 0;
    for (int j = 0; j < n; ++j) {
        const Real lower = courant[j == 0 ? n - 1 : j - 1];
        largest = std::max(largest, std::max(Real(0), courant[j]) + std::max(Real(0), -lower));
    }
    // A value at a side is at most twice the bin's.
    return largest > Real(0.49) ? static_cast<int>(std::min(std::ceil(largest / Real(0.49)), Real(1000))) : 1;
}

void turn_row(Real* row, int n, const Real* courant, Real share, TurningWork& work) {
    using lanes::Lane, lanes::load, lanes::store;
    // With two more on either side, those of the other end of the circle.
    Real* const v = work.row.data() + lanes::table_width;
    rows::copy(v, row, n);
    v[-2] = row[n - 2];
    v[-1] = row[n - 1];
    v[n] = row[0];
    v[n + 1] = row[1];
    Real* const slope = work.slope.data() + lanes::table_width;
    Real* const flux = work.flux.data() + lanes::table_width;
    for (int j = -1; j < n + 1; j += lanes::width) {
        const Lane here = load(v + j);
        store(slope + j, rows::limited(here - load(v + j - 1), load(v + j + 1) - here));
    }
    for (int j = 0; j < n; j += lanes::width) {
        const Lane c = share * load(courant + j), half = Real(0.5) * c;
        const Lane upward = load(v + j) + (Real(0.5) - half) * load(slope + j);
        const Lane downward = load(v + j + 1) - (Real(0.5) + half) * load(slope + j + 1);
        store(flux + j, c * (c > 0 ? upward : downward));
    }
    flux[-1] = flux[n - 1];
    for (int j = 0; j < n; j += lanes::width)
        store(v + j, load(v + j) - (load(flux + j) - load(flux + j - 1)));
    rows::copy(row, v, n);
}

}  // namespace

void turn_by_current(Real* rows, int number, int directions, const Real* courant, TurningWork& work) {
    const int parts = parts_of_turning(courant, directions);
    const Real share = Real(1) / static_cast<Real>(parts);
    for (int i = 0; i < number; ++i)
        for (int part = 0; part < parts; ++part)
            turn_row(rows + i * directions, directions, courant, share, work);
}

}  // namespace groundswell::sea
