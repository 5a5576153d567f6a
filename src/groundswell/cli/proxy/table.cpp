#include "groundswell/cli/proxy/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groundswell/cli/proxy/compare_run.hpp"
#include "groundswell/cli/proxy/findings.hpp"

namespace groundswell::cli {

namespace {

std::string number_of(const nlohmann::json& value, double factor, int digits) {
    return value.is_null() ? std::string("-") : fmt::format("{:.{}f}", factor * value.get<double>(), digits);
}

std::string differences_text(const nlohmann::json& differences) {
    std::string text, last;
    for (const nlohmann::json& one : differences) {
        const std::string words = one["words"];
        text +=
            fmt::format("  {} ({} cells, {}, {} threads): {} × {:.2f}\n", one["kernel"].get<std::string>(),
                        one["cells"].get<std::int64_t>(), kind_of(one), one["threads"].get<int>(),
                        one["name"].get<std::string>(), one["ratio"].get<double>());
        if (words != last) text += fmt::format("    {}\n", words);
        last = words;
    }
    return text.empty() ? text : "what a step changes, named:\n" + text;
}

}  // namespace

std::string proxy_table(const nlohmann::json& result, const ProxyUnits& units) {
    std::string text =
        fmt::format("{:<17}{:>9} {:<19}{:>4}{:>11}{:>11}{:>7}{:>11}{:>14}{:>9}{:>9}{:>8}{:>9}{:>3}\n",
                    "kernel", "cells", "kind", "thr", "median ms", "mean ms", "var %", "alone ms",
                    units.rate_title, "GFLOP/s", "GB/s", "% peak", "% STREAM", "ok");
    for (const nlohmann::json& row : result["kernels"]) {
        text +=
            fmt::format("{:<17}{:>9} {:<19}{:>4}{:>11}{:>11}{:>7}{:>11}{:>14.3f}{:>9}{:>9}{:>8}{:>9}{:>3}\n",
                        row["name"].get<std::string>(), row["cells"].get<std::int64_t>(), kind_of(row),
                        row["threads"].get<int>(), number_of(row["median_seconds"], 1e3, 3),
                        number_of(row["mean_seconds"], 1e3, 3), number_of(row["variation"], 100.0, 1),
                        number_of(row["alone_seconds"], 1e3, 3), 1e-6 * row[units.rate].get<double>(),
                        number_of(row["gflops"], 1.0, 2), number_of(row["gigabytes_per_second"], 1.0, 2),
                        number_of(row["share_of_peak"], 100.0, 1),
                        number_of(row["share_of_stream"], 100.0, 1), row["verified"].is_null() ? "-" : "✓");
    }
    double worst = 0.0;
    for (const nlohmann::json& check : result["verified"])
        worst = std::max(worst, check["error"].get<double>() / check["allowed"].get<double>());
    text += fmt::format(
        "✓: held against its plain form ({} checks, at most {:.0f} % of the difference that rounding "
        "allows)\n",
        result["verified"].size(), 100.0 * worst);
    text += findings_text(result["findings"]) + differences_text(result["differences"]);
    for (const nlohmann::json& one : result["left_out"])
        text += fmt::format("left out: {} cells, which need {:.1f} GiB of the {:.1f} that are free\n",
                            one["cells"].get<int>(), one["bytes"].get<double>() / 1073741824.0,
                            one["available_bytes"].get<double>() / 1073741824.0);
    if (result.contains("comparison")) text += comparison_text(result["comparison"]);
    if (!result[units.memory].is_null())
        text +=
            fmt::format("{:.2f} bytes of memory per {}\n", result[units.memory].get<double>(), units.unit);
    return text;
}

}  // namespace groundswell::cli
