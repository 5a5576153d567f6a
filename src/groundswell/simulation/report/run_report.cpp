#include "groundswell/simulation/report/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report/core_report.hpp"
#include "groundswell/simulation/report/json_report.hpp"
#include "groundswell/simulation/report/limit.hpp"
#include "groundswell/simulation/report/output_report.hpp"
#include "groundswell/simulation/report/profile_report.hpp"
#include "groundswell/simulation/report/rate.hpp"
#include "groundswell/simulation/report/report_content.hpp"

namespace groundswell::simulation {

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
