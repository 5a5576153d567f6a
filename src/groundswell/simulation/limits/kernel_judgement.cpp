#include "groundswell/simulation/limits/kernel_judgement.hpp"

#include <fmt/format.h>

namespace groundswell::simulation {

namespace {

constexpr double few_lanes = 0.5;  // filled, from which on more directions would cost nothing

struct Cause {
    const char* code;
    std::string words, fix;
};

// What is known to be so and explains a slow kernel, most telling first; where nothing is, what the kernel waits for.
Cause likely_cause(const KernelSpeed& kernel, const KernelShare& share, const KernelCircumstances& at) {
    if (!at.flushes_subnormals)
        return {"subnormals",
                "numbers too small for full precision are computed with, for which some processors need a "
                "hundred times as long",
                "let them count as 0: the program does, a library leaves it to its caller "
                "(exec::flush_subnormals)"};
    if (!at.disturbed.empty())
        return {"disturbed-cores", at.disturbed,
                "see what else runs on these cores (`groundswell doctor`), and try again"};
    if (const auto narrow = judge_registers(at)) return {"narrow-registers", narrow->message, narrow->fix};
    if (kernel.lanes_filled < few_lanes)
        return {"few-lanes",
                fmt::format("only {:.0f} % of each register's numbers are used", 100.0 * kernel.lanes_filled),
                "take as many directions as fill registers, or more elements in each cluster"};
    if (share.is_bound_by_memory())
        return {"memory-in-pieces",
                "it reads memory in pieces too small for its full speed, or waits for one before the next",
                "compare with fewer cells, which stay in the caches (`groundswell proxy --cells`)"};
    return {"other-instructions",
            "more of its instructions load, store, compare and divide than multiply and add; or a compiler "
            "that keeps in memory what should stay in registers",
            "nothing that can be set here is known to be wrong: more cores make it faster, another compiler "
            "may (`groundswell proxy --compilers`)"};
}

std::string reaches(const KernelSpeed& kernel, const KernelShare& share, const exec::MachineLimits& limits) {
    if (share.is_bound_by_memory())
        return fmt::format("{:.2g} % of what memory allows ({:.3g} of {:.3g} GB/s)", 100.0 * share.of_stream,
                           kernel.gigabytes_per_second, limits.stream_gigabytes_per_second);
    return fmt::format("{:.2g} % of what arithmetic allows ({:.3g} of {:.3g} GFLOP/s)", 100.0 * share.of_peak,
                       kernel.gflops, limits.peak_gflops);
}

}  // namespace

std::optional<parallel::Finding> judge_registers(const KernelCircumstances& at) {
    if (at.isa.empty() || at.best_isa.empty() || at.isa == at.best_isa) return std::nullopt;
    return parallel::Finding{
        "narrow-registers",
        fmt::format("kernels use the registers of {}, and this processor has those of {}", at.isa,
                    at.best_isa),
        at.held_by.empty() ? "build for all processors (GROUNDSWELL_ARCH=portable) or for this one (native)"
                           : fmt::format("leave out {}", at.held_by)};
}

double register_share(const KernelCircumstances& at) {
    const auto bytes = [](const std::string& isa) { return isa == "v4" ? 64.0 : isa == "v3" ? 32.0 : 16.0; };
    return bytes(at.isa) / bytes(at.best_isa);
}

KernelShare share_of(const KernelSpeed& kernel, const exec::MachineLimits& limits) {
    const auto share = [](double of, double limit) { return limit > 0.0 ? of / limit : 0.0; };
    return {share(kernel.gflops, limits.peak_gflops),
            share(kernel.gigabytes_per_second, limits.stream_gigabytes_per_second)};
}

std::optional<SlowKernel> judge_kernel(const KernelSpeed& kernel, const exec::MachineLimits& limits,
                                       const KernelCircumstances& circumstances) {
    const KernelShare share = share_of(kernel, limits);
    if (share.of_bound() <= 0.0 || share.of_bound() >= slow_share) return std::nullopt;
    const Cause cause = likely_cause(kernel, share, circumstances);
    return SlowKernel{kernel.name, share, cause.code, reaches(kernel, share, limits), cause.words, cause.fix};
}

}  // namespace groundswell::simulation
