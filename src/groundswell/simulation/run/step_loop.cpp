#include "groundswell/simulation/run/step_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <optional>

#include "groundswell/base/log.hpp"
#include "groundswell/exec/device/device.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile/timeline.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/report/core_report.hpp"
#include "groundswell/simulation/report/progress_line.hpp"
#include "groundswell/simulation/report/rate.hpp"
#include "groundswell/simulation/streams/restart.hpp"

namespace groundswell::simulation {

namespace {

std::atomic<bool> is_asked_to_stop = false;  // forgotten once the others know

constexpr double endless = std::numeric_limits<double>::infinity();
// Others come to the end of a cycle in about the time of a cycle, unless they wait for a message of a rank that has failed before it
// was sent. In seconds, and in cycles.
constexpr double least_patience = 20.0, patient_cycles = 3.0;

std::string progress_text(const Model& model, const Schedule& schedule, std::int64_t first_step,
                          std::int64_t step, double wall) {
    const double simulated = schedule.seconds_at(step) - schedule.seconds_at(first_step);
    const double left = schedule.seconds_at(schedule.total_steps) - schedule.seconds_at(step);
    const Model::Work work = model.work();
    const double done = static_cast<double>(model.cells().global) * work.per_cell_and_step *
                        static_cast<double>(step - first_step);
    const std::string speed = schedule.has_date
                                  ? fmt::format("{:.1f} days per hour", simulated / 86400.0 / (wall / 3600.0))
                                  : fmt::format("{:.3g} s per minute", simulated / (wall / 60.0));
    return fmt::format("{}  {:5.1f} %  {}  {:.3g} million {}/s  {} left",
                       schedule.text(schedule.instant_at(step)),
                       100.0 * schedule.seconds_at(step) / schedule.seconds_at(schedule.total_steps), speed,
                       1e-6 * done / wall, work.unit, format_seconds(wall * left / simulated));
}

// One small reduction a cycle tells all ranks of a failure on any, or of a wish to stop. Returns whether to stop. A rank that has failed
// waits for so many seconds.
bool agree_on_cycle(Model& model, const parallel::LocalOutcome& mine, double patience) {
    const parallel::PhaseTimer timer(model.profile(), parallel::Phase::agreement);
    const bool failed = mine.code != base::ExitCode::done;
    const std::optional<std::int64_t> news = parallel::max_within(model.comm(),
                                                                  failed                             ? 2
                                                                  : is_asked_to_stop.exchange(false) ? 1
                                                                                                     : 0,
                                                                  failed ? patience : endless);
    if (!news) mine.raise();  // ends them all
    if (*news == 2) parallel::agree_on(model.comm(), mine);
    return *news == 1;
}

}  // namespace

void ask_to_stop() {
    is_asked_to_stop = true;
}

// What was set up goes the way of all things that leave their scope, the lock of the output folder among them.
bool is_stopped_early(MPI_Comm comm) {
    if (parallel::max(comm, std::int64_t{is_asked_to_stop}) == 0) return false;
    if (parallel::rank_of(comm) == 0)
        base::log_info("asked to stop before the first step: nothing was computed");
    return true;
}

Steps::Steps(Model& model, const Schedule& schedule, std::int64_t first, OutputStreams& outputs)
    : model_(model),
      schedule_(schedule),
      outputs_(outputs),
      step_(first),
      ended_(first == schedule.total_steps) {
    write();
}

void Steps::write() {
    const parallel::PhaseTimer timer(model_.profile(), parallel::Phase::output);
    outputs_.write_due(step_);
}

void Steps::advance() {
    parallel::step_on_timeline(step_);
    try {
        if (before_cycle && schedule_.ends_cycle(step_) && outcome_.code == base::ExitCode::done)
            before_cycle();
    } catch (...) {
        outcome_ = parallel::outcome_of_current_exception();
    }
    const auto fails = [this] {
        if (outcome_.code == base::ExitCode::done) outcome_ = parallel::outcome_of_current_exception();
    };
    try {
        if (!is_broken_) model_.advance(step_);
    } catch (const parallel::Agreed&) {
        throw;
    } catch (const base::Refusal&) {
        fails();
    } catch (const base::RunFailure& failure) {
        fails();
        is_broken_ = dynamic_cast<const exec::DeviceFailure*>(&failure) != nullptr;
    } catch (...) {
        fails();
        is_broken_ = true;
    }
    ++step_;
    ends_ = ends_ || model_.has_ended(step_);
    if (!schedule_.ends_cycle(step_)) return;
    const bool wished =
        agree_on_cycle(model_, outcome_, std::max(least_patience, patient_cycles * longest_cycle_));
    longest_cycle_ = std::max(longest_cycle_, MPI_Wtime() - cycle_began_);
    cycle_began_ = MPI_Wtime();
    write();
    ended_ = ends_ || step_ == schedule_.total_steps;
    stopped_ = wished && !ended_;
}

RunMeasurement step_to_end(const Case& run, Model& model, const Schedule& schedule, std::int64_t first_step,
                           OutputStreams& outputs, const parallel::CoreWatch& watch, Progress shows) {
    RunMeasurement measurement;
    measurement.first_step = first_step;
    measurement.blocked_before = outputs.report().blocked_seconds;
    parallel::Profile& profile = model.profile();
    measurement.mpi.before = parallel::mpi_calls();
    measurement.mpi.places_before = parallel::mpi_calls_by_place(profile.phases());
    profile.start();
    const double begin = parallel::now();
    bool said = false;
    const std::int64_t sample_every = std::max<std::int64_t>(1, (schedule.total_steps - first_step) / 100);
    ProgressLine progress(!shows.shown);
    LiveRate rate(model, shows.has_rate);
    Steps steps(model, schedule, first_step, outputs);
    const auto look = [&] {
        return look_at_cores(watch, profile, model.even_cells(steps.done() - first_step), said);
    };
    while (!steps.is_over()) {
        steps.advance();
        const std::int64_t step = steps.done();
        const double wall = parallel::now() - begin;
        if ((step - first_step) % sample_every == 0) {
            measurement.samples.emplace_back(schedule.seconds_at(step) - schedule.seconds_at(first_step),
                                             wall);
            rate.take(step - first_step, wall);
            // Whoever starts a run of hours wants to know in the first minutes.
            if (std::has_single_bit(measurement.samples.size())) look();
        }
        if (progress.is_due()) {
            const std::string text = progress_text(model, schedule, first_step, step, wall);
            progress.show(rate.text().empty() ? text : text + "  " + rate.text());
        }
    }
    const std::int64_t step = steps.done();
    measurement.last_step = step;
    {
        const parallel::PhaseTimer timer(profile, parallel::Phase::output);
        if (steps.is_stopped()) outputs.write_restart_now(step);
        outputs.close();
    }
    profile.stop();
    measurement.wall_seconds = parallel::now() - begin;
    measurement.mpi.after = parallel::mpi_calls();
    measurement.mpi.places_after = parallel::mpi_calls_by_place(profile.phases());
    progress.finish();
    measurement.cores = look();
    if (shows.shown && steps.is_stopped())
        base::log_info("asked to stop: continue with --restart {}",
                       restart_path(run.output.folder, schedule, schedule.instant_at(step)));
    return measurement;
}

}  // namespace groundswell::simulation
