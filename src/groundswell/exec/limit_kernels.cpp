#include "groundswell/exec/limit_kernels.hpp"

#include "groundswell/exec/kernel_entry.hpp"
#include "groundswell/exec/registers.hpp"

namespace {

#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int registers = 32;
#else
constexpr int registers = 16;
#endif
using groundswell::exec::compiled_register_bytes;

// Two registers hold the factor and the addend, every other one a chain. Two units that need four or five cycles for an operation
// want ten chains; where multiplication and addition are two instructions, and have units of their own, twelve.
constexpr int chains = registers - 2;

template <class Real>
struct Register {
    using type [[gnu::vector_size(compiled_register_bytes)]] = Real;
};

// Compiled with -ffp-contract=fast: the language has no fused operation for registers.
template <class Real>
double multiply_and_add(std::int64_t rounds, Real factor, Real addend) {
    using Lanes = typename Register<Real>::type;
    constexpr int lanes = compiled_register_bytes / static_cast<int>(sizeof(Real));
    const Lanes factors = Lanes{} + factor, addends = Lanes{} + addend;
    Lanes x[chains];
#pragma GCC unroll 32
    for (int i = 0; i < chains; ++i) x[i] = addends * static_cast<Real>(i);
    for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 32
        for (int i = 0; i < chains; ++i) x[i] = x[i] * factors + addends;
    }
    Lanes all = x[0];
#pragma GCC unroll 32
    for (int i = 1; i < chains; ++i) all += x[i];
    double sum = 0.0;
    for (int lane = 0; lane < lanes; ++lane) sum += static_cast<double>(all[lane]);
    return sum;
}

template <class Real>
constexpr std::int64_t operations_in_round = 2 * chains*(compiled_register_bytes /
                                                         static_cast<int>(sizeof(Real)));

// STREAM's (McCalpin 1995).
void triad(double* __restrict to, const double* __restrict a, const double* __restrict b, double factor,
           std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = a[i] + factor * b[i];
}

}  // namespace

extern "C" const groundswell::exec::LimitKernels* GROUNDSWELL_KERNEL_ENTRY(exec)();
extern "C" const groundswell::exec::LimitKernels* GROUNDSWELL_KERNEL_ENTRY(exec)() {
    static constexpr groundswell::exec::LimitKernels kernels{
        {operations_in_round<float>, multiply_and_add<float>},
        {operations_in_round<double>, multiply_and_add<double>},
        triad};
    return &kernels;
}
