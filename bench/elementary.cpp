// Cost of the elementary functions of exec/math.hpp in a loop over lanes, beside libm's.
#include <benchmark/benchmark.h>

#include <cmath>

#include "groundswell/exec/array.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/real.hpp"

namespace {

using groundswell::exec::Array;
using groundswell::sea::Real;
namespace lanes = groundswell::exec::lanes;

// One value for each bin of 36 directions × 35 frequencies, as the source terms call them.
constexpr std::size_t values = 36 * 35;

template <class Function>
void over_bins(benchmark::State& state, const Function& function) {
    Array<Real> in(values), out(values);
    for (std::size_t i = 0; i < values; ++i)
        in[i] = static_cast<Real>(0.01) + static_cast<Real>(i) / static_cast<Real>(values);
    for (auto _ : state) {
        const Real* x = in.data();
        Real* __restrict y = out.data();
        for (std::size_t i = 0; i < values; ++i) y[i] = function(x[i]);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(values));
}

#define GROUNDSWELL_COMPARE(name, ours, theirs)                  \
    void lanes_##name(benchmark::State& state) {                 \
        over_bins(state, [](Real x) -> Real { return ours; });   \
    }                                                            \
    void libm_##name(benchmark::State& state) {                  \
        over_bins(state, [](Real x) -> Real { return theirs; }); \
    }                                                            \
    BENCHMARK(lanes_##name);                                     \
    BENCHMARK(libm_##name)

GROUNDSWELL_COMPARE(exp, lanes::exp(x), std::exp(x));
GROUNDSWELL_COMPARE(log, lanes::log(x), std::log(x));
GROUNDSWELL_COMPARE(pow, lanes::pow(x, Real(1.7)), std::pow(x, Real(1.7)));
GROUNDSWELL_COMPARE(tanh, lanes::tanh(x), std::tanh(x));

}  // namespace

BENCHMARK_MAIN();
