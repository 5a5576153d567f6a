#include "groundswell/cli/report/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groundswell/base/constants.hpp"
#include "groundswell/cli/report/core_report.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::cli {

namespace {

nlohmann::json to_json(const parallel::Statistic& statistic) {
    return {{"min", statistic.min}, {"mean", statistic.mean}, {"max", statistic.max}};
}

// What hid the exchange, and what it carried. Bytes are those that all ranks send in one exchange.
nlohmann::json exchange_result(MPI_Comm comm, const sea::HaloExchange& exchange, int moved_ranks) {
    const sea::Overlap overlap = exchange.overlap();
    const halo::Waits waits = exchange.waits();
    const halo::Traffic& traffic = exchange.traffic();
    const std::int64_t exchanges = std::max<std::int64_t>(traffic.exchanges, 1);
    const auto per_exchange = [&](std::int64_t all) { return parallel::sum(comm, all) / exchanges; };
    return {
        {"directions", exchange.selects() ? "needed" : "all"},
        {"bytes", per_exchange(traffic.bytes)},
        {"whole_bytes", per_exchange(traffic.whole_bytes)},
        {"messages", per_exchange(traffic.messages)},
        {"progress", std::string(name(exchange.progress()))},
        {"waiting_seconds", to_json(parallel::statistic(comm, overlap.waiting))},
        {"waiting_alone_seconds", to_json(parallel::statistic(comm, overlap.waiting_alone))},
        {"late_seconds", to_json(parallel::statistic(comm, waits.late))},
        {"message_seconds", to_json(parallel::statistic(comm, waits.message))},
        {"polling_seconds", to_json(parallel::statistic(comm, overlap.polling))},
        {"thread_seconds", to_json(parallel::statistic(comm, overlap.thread))},
        {"thread_cores", parallel::sum(comm, std::int64_t{exchange.thread_cpu() ? 1 : 0})},
        {"moved_ranks", moved_ranks},
    };
}

nlohmann::json to_json(const std::map<std::string, sea::RecordGap>& gaps) {
    const auto text = [](const std::optional<base::Instant>& instant) {
        return instant ? nlohmann::json(base::format_instant(*instant)) : nlohmann::json();
    };
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [file, gap] : gaps)
        list.push_back({{"file", file}, {"last", text(gap.last)}, {"first", text(gap.first)}});
    return list;
}

// `phase`: seconds of the phase `output` of this rank, which blocked, finish and preparing make up.
nlohmann::json output_json(MPI_Comm comm, const sea::OutputStreams& outputs, double phase,
                           double blocked_before) {
    const output::OutputReport report = outputs.report();
    const double blocked = report.blocked_seconds - blocked_before;
    const auto over_ranks = [&](double seconds) { return to_json(parallel::statistic(comm, seconds)); };
    return {
        {"mode", report.mode},
        {"records", report.records},
        {"bytes", report.bytes},
        {"blocked_seconds", over_ranks(blocked)},
        {"preparing_seconds", over_ranks(std::max(0.0, phase - blocked - report.finish_seconds))},
        {"waited_seconds", over_ranks(report.waited_seconds)},
        {"waits", parallel::max(comm, report.waits)},
        {"finish_seconds", over_ranks(report.finish_seconds)},
        {"writing_seconds", over_ranks(report.writing_seconds)},
        {"setup_seconds", over_ranks(report.setup_seconds)},
        {"buffer_bytes", parallel::max(comm, report.buffer_bytes)},
        {"most_buffered_bytes", parallel::max(comm, report.most_bytes)},
        {"given_up", report.given_up},
        {"gaps", to_json(outputs.gaps())},
    };
}

// What reading a file together cost the ranks.
nlohmann::json to_json(MPI_Comm comm, const parallel::ReadCost& cost) {
    const auto over_ranks = [&](std::int64_t mine) {
        return to_json(parallel::statistic(comm, static_cast<double>(mine)));
    };
    return {{"messages", over_ranks(cost.messages)},
            {"bytes_sent", over_ranks(cost.bytes_sent)},
            {"bytes_read", over_ranks(cost.bytes_read)}};
}

// See sea::Overlap.
double hidden_share(MPI_Comm comm, const sea::Overlap& overlap) {
    const double waiting = parallel::statistic(comm, overlap.waiting).mean;
    const double alone = parallel::statistic(comm, overlap.waiting_alone).mean;
    return alone > 0.0 ? std::clamp(1.0 - waiting / alone, 0.0, 1.0) : 0.0;
}

// How often the source terms of a cell were evaluated in a source step, on average: more than once in young
// seas.
double source_evaluations(MPI_Comm comm, const sea::Model& model, const sea::TimePlan& plan,
                          std::int64_t steps) {
    const auto evaluations = static_cast<double>(parallel::sum(comm, model.source_evaluations()));
    const double once = static_cast<double>(model.mesh().global_cells) * static_cast<double>(steps) /
                        plan.steps_per_source_step;
    return once > 0.0 ? evaluations / once : 0.0;
}

}  // namespace

nlohmann::json steps_result(const sea::Model& model, const sea::TimePlan& plan) {
    const sea::GlobalStepLimit& limit = model.step_limit();
    return {
        {"step_seconds", plan.step_seconds()},
        {"source_step_seconds", plan.source_step_seconds()},
        {"limiting",
         {{"longest_step_seconds", limit.seconds},
          {"cell", limit.mesh_cell},
          {"lon", limit.lon / base::degree},
          {"lat", limit.lat / base::degree},
          {"frequency_bin", limit.frequency},
          {"direction_bin", limit.direction}}},
    };
}

nlohmann::json run_result(MPI_Comm comm, sea::Model& model, const sea::TimePlan& plan,
                          const sea::OutputStreams& outputs, const parallel::CoreWatch& watch,
                          const RunMeasurement& measurement) {
    const parallel::Profile& profile = model.profile();
    const std::vector<parallel::Statistic> phases = profile.over_ranks(comm);
    nlohmann::json phase_json;
    for (int phase = 0; phase < parallel::phase_count; ++phase)
        phase_json[std::string(parallel::name(static_cast<parallel::Phase>(phase)))] =
            to_json(phases[static_cast<std::size_t>(phase)]);

    const double computing =
        profile.seconds(parallel::Phase::propagation) + profile.seconds(parallel::Phase::source);
    const parallel::Statistic load = parallel::statistic(comm, computing);
    const double communicating = profile.seconds(parallel::Phase::exchange_pack) +
                                 profile.seconds(parallel::Phase::exchange_wait) +
                                 profile.seconds(parallel::Phase::exchange_unpack);
    const std::int64_t cells = model.mesh().global_cells;
    const std::int64_t steps = model.step() - measurement.first_step;
    const double simulated = plan.seconds_at(model.step()) - plan.seconds_at(measurement.first_step);
    const double bin_steps = static_cast<double>(cells) * model.grid().bins() * static_cast<double>(steps);
    nlohmann::json samples = nlohmann::json::array();
    for (const auto& [simulated_seconds, wall] : measurement.samples)
        samples.push_back({{"simulated", simulated_seconds}, {"wall", wall}});
    nlohmann::json result = steps_result(model, plan);
    result.update({
        {"cells", cells},
        {"bins", model.grid().bins()},
        {"steps", steps},
        {"simulated_seconds", simulated},
        {"wall_seconds", measurement.wall_seconds},
        {"bin_steps_per_second", measurement.wall_seconds > 0.0 ? bin_steps / measurement.wall_seconds : 0.0},
        {"phases", phase_json},
        {"computation_seconds", to_json(load)},
        {"communication_seconds", to_json(parallel::statistic(comm, communicating))},
        {"hidden_share", hidden_share(comm, model.exchange().overlap())},
        {"source_evaluations_per_step", source_evaluations(comm, model, plan, steps)},
        {"imbalance", load.mean > 0.0 ? load.max / load.mean - 1.0 : 0.0},
        {"peak_memory_bytes",
         to_json(parallel::statistic(comm, static_cast<double>(parallel::peak_memory_bytes())))},
        {"reading",
         {{"mesh", to_json(comm, measurement.mesh)},
          {"restart", to_json(comm, measurement.restart)},
          {"wind", to_json(comm, model.forcing().cost())}}},
        {"transport", std::string(model.exchange().transport())},
        {"exchange", exchange_result(comm, model.exchange(), measurement.moved_ranks)},
        {"output",
         output_json(comm, outputs, profile.seconds(parallel::Phase::output), measurement.blocked_before)},
        {"cores", cores_json(comm, watch, measurement.cores)},
        {"ranks", ranks_json(comm, watch, measurement.cores, profile, model.mesh().owned)},
        {"samples", samples},
    });
    return result;
}

}  // namespace groundswell::cli
