#pragma once

#include <optional>
#include <string>

#include "groundswell/exec/machine_limits.hpp"
#include "groundswell/parallel/cores/finding.hpp"

/// Whether a kernel is as fast as it should be on this machine, and if not, what is likely to hold it up. Functions of the
/// measurements alone.
namespace groundswell::simulation {

/// A kernel's speed in the least that its formulas need; 0: not counted.
struct KernelSpeed {
    std::string name;
    double gflops = 0.0, gigabytes_per_second = 0.0;
    double lanes_filled = 1.0;  ///< share of the lanes of its registers that hold something, 0 to 1
};

/// Conditions under which all kernels of a process ran.
struct KernelCircumstances {
    std::string isa,
        best_isa;         ///< the instruction set in use, and the best that processor has; empty: not known
    std::string held_by;  ///< who holds it to less: "GROUNDSWELL_ISA=v3", or empty: the build
    bool flushes_subnormals = true;
    std::string disturbed;  ///< in words, how threads were kept from their cores; empty: they were not
};

/// Registers narrower than those of this processor: `narrow-registers`. Kernels may reach their share of such an instruction
/// set's peak and still be slow.
std::optional<parallel::Finding> judge_registers(const KernelCircumstances& circumstances);

/// Shares of the machine's limits; 0 where the kernel's work is not counted.
struct KernelShare {
    double of_peak = 0.0, of_stream = 0.0;
    /// Share of the bound that is reached first: no kernel is faster than memory brings the fewest bytes it needs, or than
    /// multiply-adds take for the counted operations.
    double of_bound() const { return of_peak > of_stream ? of_peak : of_stream; }
    bool is_bound_by_memory() const { return of_stream > of_peak; }
};
/// Width of the registers in use over that of the processor's, 0 to 1.
double register_share(const KernelCircumstances& circumstances);

KernelShare share_of(const KernelSpeed& kernel, const exec::MachineLimits& limits);

/// Below, a kernel is named.
inline constexpr double slow_share = 0.2;

struct SlowKernel {
    std::string name;
    KernelShare share;
    /// Likely cause: `subnormals`, `disturbed-cores`, `narrow-registers`, `few-lanes`, `memory-in-pieces`, or
    /// `other-instructions` where none of these is known to be so.
    std::string code;
    /// For people, without a full stop: "12 % of what memory allows (4.1 of 35 GB/s)"; the likely cause; what would help.
    std::string reaches, cause, fix;
};

/// None for a kernel that reaches a fifth of its bound, or whose work is not counted.
std::optional<SlowKernel> judge_kernel(const KernelSpeed& kernel, const exec::MachineLimits& limits,
                                       const KernelCircumstances& circumstances);

}  // namespace groundswell::simulation
