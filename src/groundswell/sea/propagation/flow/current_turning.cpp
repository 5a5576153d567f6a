#include "groundswell/sea/propagation/flow/current_turning.hpp"

#include <algorithm>
#include <cmath>

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

// `values`: row with two more on either side, those of the other end of the circle.
void turn_row(Real* row, int n, const Real* courant, Real share, TurningWork& work) {
    Real* const values = work.row.data() + 2;
    std::copy_n(row, n, values);
    values[-2] = row[n - 2];
    values[-1] = row[n - 1];
    values[n] = row[0];
    values[n + 1] = row[1];
    Real* const slopes = work.slope.data() + 1;
    Real* const fluxes = work.flux.data() + 1;
    {
        const Real* __restrict v = values - 1;
        Real* __restrict slope = slopes - 1;
#pragma omp simd
        for (int j = 0; j < n + 2; ++j) {
            const Real down = v[j] - v[j - 1], up = v[j + 1] - v[j];
            const Real size_down = down < 0 ? -down : down, size_up = up < 0 ? -up : up;
            const Real middle = Real(0.5) * (down + up), size = middle < 0 ? -middle : middle;
            const Real least = size_down < size_up ? size_down : size_up;
            const Real steepest = size < least + least ? size : least + least;
            const Real signed_slope = down < 0 ? -steepest : steepest;
            slope[j] = down * up > 0 ? signed_slope : Real(0);
        }
    }
    {
        const Real* __restrict v = values;
        const Real* __restrict slope = slopes;
        Real* __restrict flux = fluxes;
#pragma omp simd
        for (int j = 0; j < n; ++j) {
            const Real c = share * courant[j];
            const Real upward = v[j] + Real(0.5) * (1 - c) * slope[j];
            const Real downward = v[j + 1] - Real(0.5) * (1 + c) * slope[j + 1];
            flux[j] = c * (c > 0 ? upward : downward);
        }
    }
    fluxes[-1] = fluxes[n - 1];
    {
        const Real* __restrict v = values;
        const Real* __restrict flux = fluxes;
        Real* __restrict to = row;
#pragma omp simd
        for (int j = 0; j < n; ++j) to[j] = v[j] - (flux[j] - flux[j - 1]);
    }
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
