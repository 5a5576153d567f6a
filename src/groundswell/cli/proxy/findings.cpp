#include "groundswell/cli/proxy/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace groundswell::cli {

namespace {

constexpr double had_their_cores = 0.9;  // share of the time, as in the judgement of runs

double number(const nlohmann::json& row, const char* key) {
    return row.contains(key) && row[key].is_number() ? row[key].get<double>() : 0.0;
}

simulation::KernelSpeed speed_of(const nlohmann::json& row) {
    simulation::KernelSpeed speed;
    speed.name = row["name"];
    speed.gflops = number(row, "gflops");
    speed.gigabytes_per_second = number(row, "gigabytes_per_second");
    speed.lanes_filled = number(row, "lanes_filled");
    return speed;
}

nlohmann::json to_json(const simulation::SlowKernel& slow, const nlohmann::json& row) {
    const int threads = row["threads"];
    return {{"code", slow.code},
            {"message",
             fmt::format("{} ({}, {} cells, {} thread{}) reaches {}", slow.name, kind_of(row),
                         row["cells"].get<std::int64_t>(), threads, threads == 1 ? "" : "s", slow.reaches)},
            {"cause", slow.cause},
            {"fix", slow.fix},
            {"kernel", slow.name},
            {"kind", kind_of(row)},
            {"cells", row["cells"]},
            {"threads", row["threads"]},
            {"whole_phase", row.contains("phase")},
            {"share", slow.share.of_bound()},
            {"rows", 1}};
}

}  // namespace

std::string kind_of(const nlohmann::json& row) {
    if (row.contains("bins"))
        return fmt::format("{}x{} {}", row["directions"].get<int>(), row["frequencies"].get<int>(),
                           row["scheme"].get<std::string>());
    return fmt::format("{}, {}", row["order"].get<int>(), row["precision"].get<std::string>());
}

void add_shares(nlohmann::json& row, const exec::MachineLimits& limits) {
    const simulation::KernelSpeed speed = speed_of(row);
    const simulation::KernelShare share = simulation::share_of(speed, limits);
    const auto known = [](double value) { return value > 0.0 ? nlohmann::json(value) : nlohmann::json(); };
    row["share_of_peak"] = known(share.of_peak);
    row["share_of_stream"] = known(share.of_stream);
    row["share_of_bound"] = known(share.of_bound());
}

nlohmann::json find_slow_kernels(const nlohmann::json& rows, const LimitsOfThreads& limits,
                                 const simulation::KernelCircumstances& circumstances) {
    nlohmann::json all = nlohmann::json::array();
    if (const auto narrow = simulation::judge_registers(circumstances))
        all.push_back({{"code", narrow->code}, {"message", narrow->message}, {"fix", narrow->fix}});
    for (const nlohmann::json& row : rows) {
        simulation::KernelCircumstances here = circumstances;
        if (const double share = number(row, "core_share"); share < had_their_cores)
            here.disturbed =
                fmt::format("its threads had their cores for {:.0f} % of the time", 100.0 * share);
        const auto slow = simulation::judge_kernel(speed_of(row), limits(row["threads"]), here);
        if (!slow) continue;
        nlohmann::json finding = to_json(*slow, row);
        const auto same = std::ranges::find_if(all, [&](const nlohmann::json& one) {
            return one.contains("kernel") && one["kernel"] == finding["kernel"] &&
                   one["kind"] == finding["kind"];
        });
        if (same == all.end()) {
            all.push_back(finding);
            continue;
        }
        const int count = (*same)["rows"].get<int>() + 1;
        if (finding["share"] < (*same)["share"]) *same = finding;
        (*same)["rows"] = count;
    }
    return all;
}

std::string findings_text(const nlohmann::json& findings) {
    std::string text;
    std::vector<std::string> told;
    for (const nlohmann::json& one : findings) {
        // Kernels of the same cause together.
        const std::string code = one["code"], cause = one.value("cause", ""), of = code + cause;
        if (std::ranges::find(told, of) != told.end()) continue;
        told.push_back(of);
        for (const nlohmann::json& like : findings) {
            if (like["code"] != code || like.value("cause", "") != cause) continue;
            text += fmt::format("slow         {}", like["message"].get<std::string>());
            if (const int rows = like.value("rows", 1); rows > 1)
                text += fmt::format(", the slowest of {} such rows", rows);
            text += '\n';
        }
        text += fmt::format("             {}{}\n             fix: {}\n", code,
                            cause.empty() ? "" : ", likely: " + cause, one["fix"].get<std::string>());
    }
    return text;
}

}  // namespace groundswell::cli
