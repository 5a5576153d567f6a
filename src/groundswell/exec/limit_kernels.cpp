#include "groundswell/exec/limit_kernels.hpp"

namespace {

#if defined(__AVX512F__)
constexpr int register_bytes = 64, registers = 32;
#elif defined(__AVX__)
constexpr int register_bytes = 32, registers = 16;
#elif defined(__aarch64__)
constexpr int register_bytes = 16, registers = 32;
#else
constexpr int register_bytes = 16, registers = 16;
#endif

// Two registers hold the factor and the addend, every other one a chain. Two units that need four or five cycles for an operation
// want ten chains; where multiplication and addition are two instructions, and have units of their own, twelve.
constexpr int chains = registers - 2;

template <class Real>
struct Register {
    using type [[gnu::vector_size(register_bytes)]] = Real;
};

// Compiled with -ffp-contract=fast: the language has no fused operation for registers.
template <class Real>
double multiply_and_add(std::int64_t rounds, Real factor, Real addend) {
    using Lanes = typename Register<Real>::type;
    constexpr int lanes = register_bytes / static_cast<int>(sizeof(Real));
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
constexpr std::int64_t operations_in_round = 2 * chains*(register_bytes / static_cast<int>(sizeof(Real)));

// STREAM's (McCalpin 1995).
void triad(double* __restrict to, const double* __restrict a, const double* __restrict b, double factor,
           std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = a[i] + factor * b[i];
}

}  // namespace

const groundswell::exec::LimitKernels* groundswell_limit_kernels() {
    static constexpr groundswell::exec::LimitKernels kernels{
        register_bytes,
        {operations_in_round<float>, multiply_and_add<float>},
        {operations_in_round<double>, multiply_and_add<double>},
        triad};
    return &kernels;
}
