#include "groundswell/cli/proxy/compare_run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "groundswell/base/errors.hpp"

namespace groundswell::cli {

namespace {

constexpr double agreed = 0.1;

bool is_same(const nlohmann::json& a, const nlohmann::json& b) {
    if (!a.is_number() || !b.is_number()) return a == b;
    const double x = a.get<double>(), y = b.get<double>();
    return std::abs(x - y) <= 1e-9 * std::abs(y);
}

// Share of the time for which the worst-off rank of a run had its core; 1 where it is not known.
double core_share(const nlohmann::json& run) {
    const nlohmann::json share =
        run.value(nlohmann::json::json_pointer("/cores/core_share/min"), nlohmann::json());
    return share.is_number() ? share.get<double>() : 1.0;
}

}  // namespace

nlohmann::json read_run(const std::string& path, const nlohmann::json& identity, int ranks, int threads) {
    const char* const expected = "the report of a run, run.json in its output folder";
    std::ifstream file(path);
    base::require(file.good(), path, "", "", expected);
    const nlohmann::json report = nlohmann::json::parse(file, nullptr, false);
    base::require(report.is_object() && report.contains("result") && report["result"].is_object(), path, "",
                  "", expected);
    base::require(report.value("command", nlohmann::json()) == "run", path, "command",
                  report.value("command", nlohmann::json()).dump(), expected);
    const nlohmann::json& result = report["result"];
    const nlohmann::json machine = report.value("machine", nlohmann::json());
    base::require(machine.is_object(), path, "machine", machine.dump(), expected);
    const auto same = [&](const nlohmann::json& of, const std::string& where, const std::string& key,
                          const nlohmann::json& value, const std::string& what) {
        const nlohmann::json found = of.value(key, nlohmann::json());
        base::require(is_same(found, value), path, where + key, found.dump(),
                      fmt::format("{}, as {}", value.dump(), what));
    };
    for (const auto& [key, value] : identity.items())
        same(result, "result.", key, value, "the case of this command has it");
    same(machine, "machine.", "ranks", ranks, "this command was started");
    same(machine, "machine.", "threads", threads, "this command was started");
    const nlohmann::json steps = result.value("steps", nlohmann::json());
    base::require(steps.is_number() && steps.get<double>() > 0.0, path, "result.steps", steps.dump(),
                  "a run of some steps");
    const nlohmann::json phases = result.value("phases", nlohmann::json());
    base::require(phases.is_object(), path, "result.phases", phases.dump(), expected);
    for (const auto& [phase, seconds] : phases.items())
        base::require(seconds.is_object() && seconds.value("max", nlohmann::json()).is_number(), path,
                      "result.phases." + phase, seconds.dump(), "seconds: min, mean and max over ranks");
    return result;
}

nlohmann::json compare_with_run(const nlohmann::json& run, const nlohmann::json& rows,
                                const nlohmann::json& differences) {
    nlohmann::json phases = nlohmann::json::array();
    const double steps = run["steps"].get<double>();
    for (const nlohmann::json& row : rows) {
        if (!row.contains("phase")) continue;
        const std::string phase = row["phase"];
        if (!run["phases"].contains(phase)) continue;
        const double times = row["in_a_step"].get<double>();
        const double proxy = row["median_seconds"].get<double>() * times;
        const double of_run = run["phases"][phase]["max"].get<double>() / steps;
        if (of_run <= 0.0) continue;
        nlohmann::json reasons = nlohmann::json::array();
        const nlohmann::json evaluations = run.value("source_evaluations_per_step", nlohmann::json());
        if (evaluations.is_number() && phase == "source") {
            double mine = 1.0;
            for (const nlohmann::json& one : differences)
                if (one["name"] == "young seas") mine = one["ratio"];
            const double whole = evaluations;
            if (std::abs(mine / whole - 1.0) > 0.02)
                reasons.push_back(
                    {{"name", "young seas"},
                     {"ratio", mine / whole},
                     {"words", fmt::format("source terms were evaluated {:.2f} times a source step here, "
                                           "{:.2f} times in the run: its seas were of other ages",
                                           mine, whole)}});
        }
        const double skew = row["median_seconds"].get<double>() / row["mean_seconds"].get<double>();
        if (std::abs(skew - 1.0) > 0.03)
            reasons.push_back({{"name", "disturbed steps"},
                               {"ratio", skew},
                               {"words",
                                "the proxy's median over its mean; the run's seconds are means, with every "
                                "step that something else delayed"}});
        const double share = core_share(run);
        if (share < 0.97)
            reasons.push_back({{"name", "cores of the run"},
                               {"ratio", share},
                               {"words",
                                "the share of its computing time for which the run had its cores: other "
                                "programs took the rest"}});
        phases.push_back({{"kernel", row["name"]},
                          {"phase", phase},
                          {"proxy_seconds", proxy},
                          {"run_seconds", of_run},
                          {"ratio", proxy / of_run},
                          {"ratio_of_means", proxy / skew / of_run},
                          {"agrees", std::abs(proxy / of_run - 1.0) <= agreed},
                          {"reasons", reasons}});
    }
    return phases;
}

std::string comparison_text(const nlohmann::json& comparison) {
    std::string text =
        fmt::format("{:<18}{:>16}{:>16}{:>10}\n", "phase", "proxy ms a step", "run ms a step", "ratio");
    for (const nlohmann::json& row : comparison) {
        text += fmt::format("{:<18}{:>16.4f}{:>16.4f}{:>10.3f}\n", row["phase"].get<std::string>(),
                            1e3 * row["proxy_seconds"].get<double>(), 1e3 * row["run_seconds"].get<double>(),
                            row["ratio"].get<double>());
        for (const nlohmann::json& reason : row["reasons"])
            text += fmt::format("  {} (× {:.3f}): {}\n", reason["name"].get<std::string>(),
                                reason["ratio"].get<double>(), reason["words"].get<std::string>());
    }
    return text;
}

}  // namespace groundswell::cli
