#include <cmath>
#include <cstdint>
#include <limits>

#include "groundswell/lab/simulation.h"

namespace {

template <class Real>
std::int64_t add(std::int64_t rows, std::int64_t row_values, std::int64_t stride, Real seconds,
                 const Real* __restrict rate, Real* __restrict action) {
    for (std::int64_t row = 0; row < rows; ++row, rate += row_values, action += stride) {
        int bad = 0;
#pragma omp simd reduction(| : bad)
        for (std::int64_t i = 0; i < row_values; ++i) {
            const Real sum = action[i] + seconds * rate[i];
            bad |= static_cast<int>(!(std::abs(sum) <= std::numeric_limits<Real>::max()));
            action[i] = sum > 0 ? sum : Real(0);
        }
        if (bad != 0) return row;
    }
    return -1;
}

}  // namespace

int64_t gs_action_add(gs_type type, int64_t rows, int64_t row_values, int64_t stride, double seconds,
                      const void* rate, void* action) {
    if (type == GS_FLOAT32)
        return add(rows, row_values, stride, static_cast<float>(seconds), static_cast<const float*>(rate),
                   static_cast<float*>(action));
    return add(rows, row_values, stride, seconds, static_cast<const double*>(rate),
               static_cast<double*>(action));
}
