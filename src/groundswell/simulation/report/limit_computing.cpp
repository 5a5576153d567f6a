#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/simulation/limits/kernel_judgement.hpp"
#include "groundswell/simulation/report/limit_parts.hpp"

namespace groundswell::simulation::limits_of_run {

namespace {

constexpr double worth_computing = 0.15;   // of the whole time, from which on slow kernels are named
constexpr double slow_instructions = 1.0;  // a cycle: below, and with many misses, memory is waited for
constexpr double many_misses = 0.003;      // of the last cache, an instruction

// What hardware counters tell of waits for memory; empty: nothing.
std::string waits_for_memory(const json& result) {
    const double instructions = number(result, "/hardware_counters/instructions/mean"),
                 cycles = number(result, "/hardware_counters/cycles/mean"),
                 misses = number(result, "/hardware_counters/cache_misses/mean");
    if (cycles <= 0.0 || instructions >= slow_instructions * cycles || misses <= many_misses * instructions)
        return {};
    return fmt::format(
        " Its cores did {:.2f} instructions a cycle and missed their caches {:.1f} times in a thousand: they "
        "waited for memory.",
        instructions / cycles, 1e3 * misses / instructions);
}

KernelCircumstances circumstances_of(const json& limits) {
    KernelCircumstances at;
    at.isa = limits.value("isa", "");
    at.best_isa = limits.value("best_isa", "");
    at.held_by = limits.value("held_by", "");
    at.flushes_subnormals = limits.value("flushes_subnormals", true);
    return at;
}

// Registers narrower than the processor has: where arithmetic counts, kernels take longer in proportion.
Found narrow_registers(const json& result, const Times& times) {
    const json& limits = result.value("limits", json());
    if (!limits.is_object()) return {};
    const KernelCircumstances at = circumstances_of(limits);
    const auto found = judge_registers(at);
    if (!found || times.computing < least_seconds || times.computing < worth_computing * times.all) return {};
    return limit_of({{"code", found->code}, {"message", found->message}, {"fix", found->fix}},
                    times.computing / times.all * (1.0 - register_share(at)));
}

// Seconds and rates of a kernel, all clusters together.
struct RunKernel {
    KernelSpeed speed;
    double seconds = 0.0;
};
std::vector<RunKernel> kernels_of(const json& result) {
    std::vector<RunKernel> all;
    for (const json& row : result.value("kernels", json::array())) {
        const double seconds = number(row, "/seconds/mean");
        if (seconds <= 0.0 || !row.contains("gflops")) continue;
        const std::string name = row["name"].get<std::string>();
        auto same = std::ranges::find_if(all, [&](const RunKernel& one) { return one.speed.name == name; });
        if (same == all.end()) {
            all.push_back({{name, 0.0, 0.0, 0.0}, 0.0});
            same = all.end() - 1;
        }
        const double before = same->seconds / (same->seconds + seconds), now = 1.0 - before;
        const auto mix = [&](double& value, const char* key) {
            value = before * value + now * number(row, key);
        };
        mix(same->speed.gflops, "/gflops");
        mix(same->speed.gigabytes_per_second, "/gigabytes_per_second");
        mix(same->speed.lanes_filled, "/lanes_filled");
        same->seconds += seconds;
    }
    return all;
}

// Kernels below a fifth of their bound: what would be gained if they reached it.
Found slow_kernels(const json& result, const Times& times) {
    const json& limits = result.value("limits", json());
    if (!limits.is_object()) return {};
    const exec::MachineLimits bounds{number(limits, "/stream_gigabytes_per_second"),
                                     number(limits, "/peak_gflops")};
    std::vector<std::pair<double, SlowKernel>> slow;
    double seconds = 0.0, gain = 0.0;
    for (const RunKernel& kernel : kernels_of(result)) {
        const auto found = judge_kernel(kernel.speed, bounds, circumstances_of(limits));
        if (!found) continue;
        slow.emplace_back(kernel.seconds, *found);
        seconds += kernel.seconds;
        gain += kernel.seconds * (1.0 - found->share.of_bound() / slow_share);
    }
    if (seconds < least_seconds || seconds < worth_computing * times.all) return {};
    std::ranges::stable_sort(slow, std::greater(), [](const auto& one) { return one.first; });
    std::string text = fmt::format(
        "Computing reached a small part of what this machine can do, for {:.1f} s, {} of the run:", seconds,
        percent(seconds / times.all));
    for (const auto& [own, kernel] : slow)
        text +=
            fmt::format("{} {} {}", &kernel == &slow.front().second ? "" : ",", kernel.name, kernel.reaches);
    const SlowKernel& first = slow.front().second;
    text += fmt::format(". Likely: {}.{}", first.cause, waits_for_memory(result));
    return Limit{"slow-kernels", text,
                 fmt::format("{}{}; `groundswell proxy --case CASE` shows each kernel.",
                             static_cast<char>(std::toupper(first.fix.front())), first.fix.substr(1)),
                 gain / times.all};
}

}  // namespace

Found find_slow_computing(const json& result, const Times& times) {
    const Found narrow = narrow_registers(result, times);
    return narrow ? narrow : slow_kernels(result, times);
}

Limit healthy(const json& result, const Times& times) {
    std::string most;
    double seconds = 0.0;
    for (const auto& [name, phase] : result["phases"].items()) {
        const bool runtime = name == "setup" || name == "agreement" || name == "output" || name == "other" ||
                             name.starts_with("exchange_");
        if (const double mean = phase["mean"].get<double>(); !runtime && mean > seconds) {
            most = name;
            seconds = mean;
        }
    }
    Limit limit{"computing", "", "", times.computing / times.all};
    limit.text =
        fmt::format("Nothing was in its way: {} of the run went into computing", percent(limit.share));
    if (!most.empty()) limit.text += fmt::format(", {} into {}", percent(seconds / times.all), most);
    limit.text += fmt::format("; start-up {}, output {}, waiting for others and for messages {}.",
                              percent(times.start / times.all),
                              percent(number(result, "/phases/output/mean") / times.all),
                              percent((times.waits + times.agreement) / times.all));
    limit.help =
        "More cores make it faster (`groundswell scale CASE` says how far); `groundswell proxy` compares its "
        "kernels with what this machine can do.";
    if (const std::string waits = waits_for_memory(result); !waits.empty()) {
        limit.code = "memory";
        limit.text += waits;
        limit.help =
            "Ranks on more hosts have more memory bandwidth between them; cores beyond those that saturate a "
            "host's memory gain nothing (`groundswell proxy` finds how many).";
    }
    return limit;
}

}  // namespace groundswell::simulation::limits_of_run
