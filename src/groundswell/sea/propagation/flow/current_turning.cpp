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

// Several rows side by side: a load across values that have just been stored waits for them, and other rows fill that time.
void turn_rows(Real* rows, int number, int n, const Real* courant, int parts, TurningWork& work) {
    using lanes::Lane, lanes::load, lanes::store;
    const auto of_row = [&work](exec::Array<Real>& array, int i) {
        return array.data() + i * work.stride + lanes::table_width;
    };
    const Real share = Real(1) / static_cast<Real>(parts);
    for (int i = 0; i < number; ++i) rows::copy(of_row(work.row, i), rows + i * n, n);
    for (int part = 0; part < parts; ++part) {
        for (int i = 0; i < number; ++i) {
            // Two more on either side are those of the other end of the circle.
            Real* const v = of_row(work.row, i);
            v[-2] = v[n - 2];
            v[-1] = v[n - 1];
            v[n] = v[0];
            v[n + 1] = v[1];
        }
        for (int i = 0; i < number; ++i) {
            const Real* const v = of_row(work.row, i);
            Real* const slope = of_row(work.slope, i);
            for (int j = -1; j < n + 1; j += lanes::width) {
                const Lane here = load(v + j);
                store(slope + j, rows::limited(here - load(v + j - 1), load(v + j + 1) - here));
            }
        }
        for (int i = 0; i < number; ++i) {
            const Real *const v = of_row(work.row, i), *const slope = of_row(work.slope, i);
            Real* const flux = of_row(work.flux, i);
            for (int j = 0; j < n; j += lanes::width) {
                const Lane c = share * load(courant + j), half = Real(0.5) * c;
                const Lane upward = load(v + j) + (Real(0.5) - half) * load(slope + j);
                const Lane downward = load(v + j + 1) - (Real(0.5) + half) * load(slope + j + 1);
                store(flux + j, c * (c > 0 ? upward : downward));
            }
            flux[-1] = flux[n - 1];
        }
        for (int i = 0; i < number; ++i) {
            Real* const v = of_row(work.row, i);
            const Real* const flux = of_row(work.flux, i);
            for (int j = 0; j < n; j += lanes::width)
                store(v + j, load(v + j) - (load(flux + j) - load(flux + j - 1)));
        }
    }
    for (int i = 0; i < number; ++i) rows::copy(rows + i * n, of_row(work.row, i), n);
}

}  // namespace

void turn_by_current(Real* rows, int number, int directions, const Real* courant, TurningWork& work) {
    const int parts = parts_of_turning(courant, directions);
    for (int i = 0; i < number; i += TurningWork::rows)
        turn_rows(rows + i * directions, std::min(TurningWork::rows, number - i), directions, courant, parts,
                  work);
}

}  // namespace groundswell::sea
