#pragma once

#include <cstdint>

/// The two loops by which a machine's limits are measured, in the instruction set that kernels use.
namespace groundswell::exec {

template <class Real>
struct MultiplyAdds {
    /// Multiplies and additions of a round: two of every number in every register of it.
    std::int64_t operations_in_round = 0;
    /// x = factor·x + addend, so many rounds of it in registers alone; returns a sum of what they hold in the end. For a factor
    /// below 1 all numbers stay near addend/(1 - factor).
    double (*run)(std::int64_t rounds, Real factor, Real addend) = nullptr;
};

struct LimitKernels {
    MultiplyAdds<float> of_float;
    MultiplyAdds<double> of_double;
    /// to = a + factor·b, of `count` numbers that do not overlap.
    void (*triad)(double* to, const double* a, const double* b, double factor, std::int64_t count) = nullptr;
};

/// Those of instruction_set().
const LimitKernels& limit_kernels();

}  // namespace groundswell::exec
