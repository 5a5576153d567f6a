#include "groundswell/sea/halo_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/halo/choice.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::sea {

namespace {

// What this rank wants of its halo cells; null where that is all, on every rank.
std::shared_ptr<const halo::Selection> less_than_all(MPI_Comm comm, const SpectralGrid& grid,
                                                     const Propagator& propagator) {
    auto selection = std::make_shared<const halo::Selection>(needed_directions(grid, propagator));
    const bool less = std::ranges::any_of(
        selection->needed, [&](const halo::RowRange& range) { return range.count < grid.directions; });
    return parallel::max(comm, std::int64_t{less ? 1 : 0}) == 0 ? nullptr : selection;
}

// The fastest that sends what is needed.
std::unique_ptr<halo::Transport> fastest_of_needed(const std::shared_ptr<const halo::Plan>& plan,
                                                   const halo::Channel& selected, void* field) {
    const halo::Wanted wanted{plan, {selected}, {field}};
    halo::Choice choice = halo::choose_transports(std::span(&wanted, 1));
    std::unique_ptr<halo::Transport>& chosen = choice.transports.front();
    if (chosen->selects()) return std::move(chosen);
    std::erase_if(choice.trials, [](const halo::Trial& trial) { return !trial.selects; });
    if (choice.trials.empty()) return halo::make_transport(chosen->name(), plan, selected);
    const auto best = std::ranges::min_element(choice.trials, {}, &halo::Trial::seconds);
    return halo::make_transport(best->name, plan, selected);
}

// The transport of the case, with a selection or without, whichever is faster.
std::unique_ptr<halo::Transport> faster_of_both(const std::string& wanted,
                                                const std::shared_ptr<const halo::Plan>& plan,
                                                const halo::Channel& whole, const halo::Channel& selected,
                                                void* field) {
    // Where one transport is given in place of another, it is this one that is tried.
    const std::string name(halo::make_transport(wanted, plan, whole)->name());
    const auto maker = [&](const halo::Channel& channel) {
        return [&] {
            const halo::Wanted one{plan, {channel}, {}};
            return halo::make_transports(name, std::span(&one, 1));
        };
    };
    const std::vector<void*> fields{field};
    halo::Choice choice = halo::choose_fastest(
        plan->comm(), {{name, false, maker(whole)}, {name, true, maker(selected)}}, std::span(&fields, 1));
    std::unique_ptr<halo::Transport>& chosen = choice.transports.front();
    const std::string times = choice.trials.size() == 2
                                  ? fmt::format("all {:.3g}, needed {:.3g}", 1e3 * choice.trials[0].seconds,
                                                1e3 * choice.trials[1].seconds)
                                  : "one alone was tried";
    if (parallel::rank_of(plan->comm()) == 0)
        base::log_info("halo of {} directions (ms an exchange: {}){}", chosen->selects() ? "needed" : "all",
                       times, choice.doubt.empty() ? "" : ", in doubt: " + choice.doubt);
    return std::move(chosen);
}

// The time for which finish() blocks this rank where nothing is computed meanwhile: the median of a few.
double waiting_alone(halo::Transport& transport, Real* field) {
    std::array<double, 5> waits{};
    for (int i = -1; i < static_cast<int>(waits.size()); ++i) {
        parallel::check(MPI_Barrier(transport.plan().comm()), "start a trial of a transport");
        transport.start(field);
        const double before = transport.clock().wait;
        transport.finish();
        if (i >= 0) waits[static_cast<std::size_t>(i)] = transport.clock().wait - before;  // once connected
    }
    transport.forget_counts();
    std::ranges::nth_element(waits, waits.begin() + waits.size() / 2);
    return waits[waits.size() / 2];
}

}  // namespace

halo::Selection needed_directions(const SpectralGrid& grid, const Propagator& propagator) {
    halo::Selection selection{sizeof(Real), grid.frequencies, grid.directions, {}};
    for (const DirectionRange& range : propagator.needed_directions())
        selection.needed.push_back({range.first, range.count});
    return selection;
}

halo::Memory field_memory(const HaloSection& options) {
    return options.transport == "shared" || options.transport == "auto" ? halo::Memory::shared
                                                                        : halo::Memory::own;
}

HaloExchange::HaloExchange(const Case& run, std::shared_ptr<const halo::Plan> plan, const SpectralGrid& grid,
                           const Propagator& propagator, halo::Field<Real>& field)
    : plan_(std::move(plan)), progress_(run.halo.progress), lateness_(plan_->comm()) {
    const HaloSection& options = run.halo;
    const halo::Availability found = halo::availability(options.transport, *plan_);
    parallel::agree(plan_->comm(), [&] {
        base::require(found.available, run.file, "halo.transport", fmt::format("\"{}\"", options.transport),
                      "another: " + found.reason);
    });
    const halo::Channel whole = field.channel();
    halo::Channel selected = whole;
    if (options.directions != HaloDirections::all && run.propagates)
        selected.selection = less_than_all(plan_->comm(), grid, propagator);
    if (!selected.selection) {
        transport_ = halo::make_transport(options.transport, plan_, whole, field.data());
    } else {
        // A selection is of the bins, without padding behind them.
        selected.bytes = static_cast<std::size_t>(grid.bins()) * sizeof(Real);
        const bool needed = options.directions == HaloDirections::needed;
        if (options.transport == "auto")
            transport_ = needed ? fastest_of_needed(plan_, selected, field.data())
                                : halo::make_transport("auto", plan_, selected, field.data());
        else
            transport_ = needed ? halo::make_transport(options.transport, plan_, selected)
                                : faster_of_both(options.transport, plan_, whole, selected, field.data());
    }
    waiting_alone_ = waiting_alone(*transport_, field.data());
    if (options.directions == HaloDirections::needed && !transport_->selects() &&
        parallel::max(plan_->comm(), std::int64_t{plan_->needed()}) > 0) {
        int rank = 0;
        parallel::check(MPI_Comm_rank(plan_->comm(), &rank), "tell the rank");
        if (rank == 0) base::log_info("halo of all directions, which this propagation scheme needs");
    }
    if (progress_ == Progress::thread) start_thread(run);
}

void HaloExchange::start_thread(const Case& run) {
    const MPI_Comm comm = plan_->comm();
    parallel::agree(comm, [&] {
        int given = MPI_THREAD_SINGLE;
        parallel::check(MPI_Query_thread(&given), "tell its thread level");
        const parallel::Library mpi = parallel::library();
        base::require(given == MPI_THREAD_MULTIPLE, run.file, "halo.progress", "\"thread\"",
                      fmt::format("\"none\" or \"polling\" where MPI (here {} {}) was started without {}",
                                  mpi.name, mpi.version, name(parallel::ThreadLevel::multiple)));
    });
    const parallel::ThreadCore core =
        parallel::find_thread_core(comm, parallel::cpus_of_computing_threads(), exec::threads(),
                                   run.halo.thread_cores, run.file, "halo.thread_cores");
    int rank = 0;
    parallel::check(MPI_Comm_rank(comm, &rank), "tell the rank");
    if (rank == 0 && !core.missing.empty())
        base::log_warning(
            "{}: halo.progress = \"thread\": the communication thread takes time from the computation: {}",
            run.file, core.missing);
    thread_ = parallel::agree(comm, [&] {
        return std::make_unique<parallel::ProgressThread>([this] { transport_->poll(); }, core.cpu);
    });
    thread_cpu_ = core.cpu;
    if (core.cpu) confined_threads_.emplace(core.others);
}

namespace {

// A call of the transport, which counts as waiting but for what it packs and unpacks; returns its waiting.
template <class Call>
double call_transport(const halo::Transport& transport, parallel::Profile& profile, const Call& call) {
    const parallel::PhaseTimer timer(profile, parallel::Phase::exchange_wait);
    const halo::Clock before = transport.clock();
    call();
    const halo::Clock after = transport.clock();
    profile.move(parallel::Phase::exchange_wait, parallel::Phase::exchange_pack, after.pack - before.pack);
    profile.move(parallel::Phase::exchange_wait, parallel::Phase::exchange_unpack,
                 after.unpack - before.unpack);
    return after.wait - before.wait;
}

}  // namespace

void HaloExchange::start(Real* field, parallel::Profile& profile) {
    call_transport(*transport_, profile, [&] { transport_->start(field); });
    if (thread_) thread_->begin();
}

void HaloExchange::poll(parallel::Profile& profile) {
    const double begin = parallel::now();
    call_transport(*transport_, profile, [&] { transport_->poll(); });
    polling_ += parallel::now() - begin;
}

void HaloExchange::finish(parallel::Profile& profile) {
    const parallel::PhaseTimer timer(profile, parallel::Phase::exchange_wait);
    const double begin = parallel::now();
    if (thread_) thread_->end();
    const double handed_over = parallel::now() - begin;
    // What the thread did meanwhile is on the transport's clock, but was not this thread's time.
    const double waited = handed_over + call_transport(*transport_, profile, [&] { transport_->finish(); });
    lateness_.record(begin, waited);
    waiting_ += waited;
    ++exchanges_;
}

Overlap HaloExchange::overlap() const {
    return {exchanges_ > 0 ? waiting_ / static_cast<double>(exchanges_) : 0.0, waiting_alone_, polling_,
            thread_ ? thread_->seconds() : 0.0};
}

}  // namespace groundswell::sea
