#include "groundswell/exec/machine_limits.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "groundswell/exec/array.hpp"
#include "groundswell/exec/launch.hpp"

namespace groundswell::exec {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double measure_stream() {
    constexpr std::int32_t blocks = 4096, block = 4096;  // three arrays of 128 MiB
    Array<double> a = make_cell_array<double>(blocks, block), b = make_cell_array<double>(blocks, block),
                  c = make_cell_array<double>(blocks, block);
    double best = 1e9;
    for (int repeat = 0; repeat < 10; ++repeat) {
        const double begin = now();
        for_each_cell(0, blocks, [&](std::int32_t i) {
            const std::size_t first = static_cast<std::size_t>(i) * block;
            double* __restrict x = a.data() + first;
            const double* y = b.data() + first;
            const double* z = c.data() + first;
            for (std::int32_t j = 0; j < block; ++j) x[j] = y[j] + 3.0 * z[j];
        });
        best = std::min(best, now() - begin);
    }
    return 3.0 * sizeof(double) * blocks * block / best * 1e-9;
}

template <class Real>
double measure_peak() {
    // Enough independent chains of whole registers to fill the pipelines of two multiply-add units.
    // Many short tries: the best one is undisturbed even where other programs take part of the time.
    constexpr int lanes = 16 * 12, rounds = 200000, tries = 100;
    volatile double sink = 0.0;
    double best = 1e9;
    for (int repeat = 0; repeat < tries; ++repeat) {
        const double begin = now();
        for_each_cell(0, threads(), [&](std::int32_t i) {
            alignas(64) Real x[lanes];
            for (int j = 0; j < lanes; ++j) x[j] = static_cast<Real>(i + j);
            const Real factor = static_cast<Real>(0.999), addend = static_cast<Real>(1e-3);
            for (int r = 0; r < rounds; ++r)
                for (int j = 0; j < lanes; ++j) x[j] = std::fma(x[j], factor, addend);
            double sum = 0.0;
            for (int j = 0; j < lanes; ++j) sum += static_cast<double>(x[j]);
#pragma omp critical
            sink = sink + sum;
        });
        best = std::min(best, now() - begin);
    }
    return 2.0 * lanes * rounds * threads() / best * 1e-9;
}

}  // namespace

template <class Real>
MachineLimits measure_machine_limits() {
    return {measure_stream(), measure_peak<Real>()};
}
template MachineLimits measure_machine_limits<float>();
template MachineLimits measure_machine_limits<double>();

}  // namespace groundswell::exec
