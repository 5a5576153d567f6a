#include "groundswell/simulation/report/run_report.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "groundswell/output/options.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report/core_report.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/report/limit.hpp"
#include "groundswell/simulation/report/profile_report.hpp"
#include "groundswell/simulation/report/rate.hpp"
#include "groundswell/simulation/report/report_content.hpp"
#include "groundswell/simulation/schedule.hpp"

namespace groundswell::simulation {

namespace {

/// Figures that the output library does not know itself.
struct OutputContext {
    double phase_seconds =
        0.0;  ///< of the phase `output` of this rank, which blocked, finish and preparing make up
    double blocked_before = 0.0;  ///< s that output calls took of the set-up
    std::string folder;           ///< in which the files are
};

nlohmann::json to_json(const Schedule& schedule, const std::map<std::string, RecordGap>& gaps) {
    const auto text = [&](const std::optional<base::Instant>& instant) {
        return instant ? nlohmann::json(schedule.text(*instant)) : nlohmann::json();
    };
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [file, gap] : gaps)
        list.push_back({{"file", file}, {"last", text(gap.last)}, {"first", text(gap.first)}});
    return list;
}

// Front end and back end of each file; the same files on all ranks.
nlohmann::json files_json(MPI_Comm comm, const output::OutputReport& report, const std::string& folder) {
    nlohmann::json list = nlohmann::json::array();
    for (const output::FileCost& file : report.files) {
        const bool here = file.path.starts_with(folder + "/");
        list.push_back(
            {{"file", file.path.empty() ? "restarts"
                      : here            ? file.path.substr(folder.size() + 1)
                                        : file.path},
             {"records", file.records},
             {"bytes", file.bytes},
             {"blocked_seconds", statistic_json(parallel::statistic(comm, file.blocked_seconds))},
             {"writing_seconds", statistic_json(parallel::statistic(comm, file.writing_seconds))}});
    }
    return list;
}

/// Where a rank and its server are.
struct Served {
    int server = -1;
    char host[64] = {}, server_host[64] = {};
};

// Servers and their clients by host; null where there are none.
nlohmann::json servers_json(MPI_Comm comm, const output::OutputReport& report) {
    if (report.mode != "servers") return nullptr;
    Served mine;
    mine.server = report.server;
    report.host.copy(mine.host, sizeof mine.host - 1);
    report.server_host.copy(mine.server_host, sizeof mine.server_host - 1);
    const std::vector<Served> all = parallel::gather(comm, mine);
    struct Host {
        std::map<int, int> clients;  // of each server here
        int computing = 0, away = 0;
    };
    std::map<std::string, Host> hosts;
    for (const Served& each : all) {
        ++hosts[each.server_host].clients[each.server];
        Host& host = hosts[each.host];
        ++host.computing;
        if (std::string(each.host) != each.server_host) ++host.away;
    }
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [name, host] : hosts) {
        nlohmann::json servers = nlohmann::json::array();
        for (const auto& [rank, clients] : host.clients)
            servers.push_back({{"rank", rank}, {"clients", clients}});
        list.push_back({{"host", name},
                        {"servers", servers},
                        {"computing_ranks", host.computing},
                        {"served_elsewhere", host.away}});
    }
    return list;
}

// The part `output` of run.json. Collective.
nlohmann::json output_json(MPI_Comm comm, const Schedule& schedule, const OutputStreams& outputs,
                           const OutputContext& about) {
    const output::OutputReport report = outputs.report();
    const double blocked = report.blocked_seconds - about.blocked_before;
    const auto over_ranks = [&](double seconds) {
        return statistic_json(parallel::statistic(comm, seconds));
    };
    return {
        {"mode", report.mode},
        {"records", report.records},
        {"bytes", report.bytes},
        {"blocked_seconds", over_ranks(blocked)},
        {"preparing_seconds",
         over_ranks(std::max(0.0, about.phase_seconds - blocked - report.finish_seconds))},
        {"waited_seconds", over_ranks(report.waited_seconds)},
        {"waits", parallel::max(comm, report.waits)},
        {"finish_seconds", over_ranks(report.finish_seconds)},
        {"writing_seconds", over_ranks(report.writing_seconds)},
        {"setup_seconds", over_ranks(report.setup_seconds)},
        {"server_idle_seconds", over_ranks(report.idle_seconds)},
        {"server_idle_queue_seconds", over_ranks(report.idle_queue_seconds)},
        {"server_idle_processor_seconds", over_ranks(report.idle_processor_seconds)},
        {"buffer_bytes", parallel::max(comm, report.buffer_bytes)},
        {"most_buffered_bytes", parallel::max(comm, report.most_bytes)},
        {"files", files_json(comm, report, about.folder)},
        {"servers", servers_json(comm, report)},
        {"given_up", report.given_up},
        {"gaps", to_json(schedule, outputs.gaps())},
    };
}

}  // namespace

std::string speed_key(const Model::Work& work) {
    std::string key = work.unit + "_per_second";
    std::replace(key.begin(), key.end(), '-', '_');
    return key;
}

nlohmann::json check_result(Model& model, const Schedule& schedule) {
    Report report;
    model.report(schedule, 0, report);
    nlohmann::json result = report.content().json;
    result["step_seconds"] = schedule.step_seconds();
    result["checked"] = true;
    return result;
}

RunResult run_result(Model& model, const Schedule& schedule, const OutputStreams& outputs,
                     const parallel::CoreWatch& watch, const RunMeasurement& measurement,
                     const std::string& folder) {
    const MPI_Comm comm = model.comm();
    const parallel::Profile& profile = model.profile();
    const std::vector<parallel::Statistic> phases = profile.over_ranks(comm);
    nlohmann::json phase_json;
    for (int phase = 0; phase < profile.phases(); ++phase)
        phase_json[profile.name(static_cast<parallel::Phase>(phase))] = statistic_json(phases[phase]);

    const parallel::Statistic load = parallel::statistic(comm, profile.computing().seconds);
    const double communicating = profile.seconds(parallel::Phase::exchange_pack) +
                                 profile.seconds(parallel::Phase::exchange_wait) +
                                 profile.seconds(parallel::Phase::exchange_unpack);
    const Model::Cells cells = model.cells();
    const Model::Work work = model.work();
    const double done =
        static_cast<double>(cells.global) * work.per_cell_and_step * static_cast<double>(measurement.steps());
    const double wall = measurement.wall_seconds;
    nlohmann::json samples = nlohmann::json::array();
    for (const auto& [simulated_seconds, seconds] : measurement.samples)
        samples.push_back({{"simulated", simulated_seconds}, {"wall", seconds}});
    const double first = schedule.seconds_at(measurement.first_step),
                 simulated = schedule.seconds_at(measurement.last_step) - first;
    Report report;
    report.set_reading(comm, "restart", measurement.restart);
    model.report(schedule, measurement.steps(), report);
    nlohmann::json result = report.content().json;
    result.update({
        {"cells", cells.global},
        {"step_seconds", schedule.step_seconds()},
        {"steps", measurement.steps()},
        {"simulated_seconds", simulated},
        {"wall_seconds", wall},
        {speed_key(work), wall > 0.0 ? done / wall : 0.0},
        {"rate", rate_json(needed_work(model, measurement.steps()), wall, measurement.limits.limits)},
        {"phases", phase_json},
        {"computation_seconds", statistic_json(load)},
        {"communication_seconds", statistic_json(parallel::statistic(comm, communicating))},
        {"imbalance", load.mean > 0.0 ? load.max / load.mean - 1.0 : 0.0},
        {"peak_memory_bytes",
         statistic_json(parallel::statistic(comm, static_cast<double>(measurement.peak_memory)))},
        {"output",
         output_json(comm, schedule, outputs,
                     {profile.seconds(parallel::Phase::output), measurement.blocked_before, folder})},
        {"kernels", kernels_json(model, measurement.steps(), measurement.limits.limits)},
        {"limits", limits_json(measurement.limits)},
        {"memory", memory_json(model, measurement, outputs.report().most_bytes)},
        {"hardware_counters", hardware_json(comm, measurement)},
        {"speed", speed_json(measurement.samples, simulated > 0.0 ? done / simulated : 0.0)},
        {"startup", start_up_json(comm, measurement)},
        {"mpi", mpi_json(comm, profile, measurement)},
        {"cores", cores_json(comm, watch, measurement.cores)},
        {"ranks", ranks_json(comm, watch, measurement.cores, profile, cells.owned)},
        {"samples", samples},
    });
    std::string summary;
    if (parallel::rank_of(comm) == 0) {
        const Limit limit = judge_limit(result);
        result["limited_by"] = {
            {"code", limit.code}, {"text", limit.text}, {"help", limit.help}, {"share", limit.share}};
        const auto text_at = [&](double seconds) {
            return schedule.text(schedule.start + base::milliseconds(std::llround(1e3 * (first + seconds))));
        };
        summary = run_summary(result, work, report.content().lines, folder) +
                  speed_summary(result["speed"], work.unit, text_at) + "\n" + limit_paragraph(limit);
    }
    return {std::move(result), std::move(summary)};
}

}  // namespace groundswell::simulation
