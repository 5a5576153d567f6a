#include "groundswell/sea/halo_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/thread_core.hpp"

namespace groundswell::sea {

using exec::Real;

namespace {

// What this rank wants of its halo cells; null where that is all, on every rank.
std::shared_ptr<const halo::Selection> needed_directions(MPI_Comm comm, const SpectralGrid& grid,
                                                         const Propagator& propagator) {
    auto selection = std::make_shared<halo::Selection>();
    selection->value_bytes = sizeof(Real);
    selection->rows = grid.frequencies;
    selection->row_values = grid.directions;
    bool less = false;
    for (const DirectionRange& range : propagator.needed_directions()) {
        selection->needed.push_back({range.first, range.count});
        less = less || range.count < grid.directions;
    }
    if (parallel::max(comm, std::int64_t{less ? 1 : 0}) == 0) return nullptr;
    return selection;
}

// An exchange with nothing to compute meanwhile.
struct Trial {
    double seconds = std::numeric_limits<double>::infinity();  // the best, on the slowest rank
    double waiting = 0.0;                                      // in finish() on this rank, the median
};

Trial try_out(halo::Transport& transport, Real* field) {
    const MPI_Comm comm = transport.plan().comm();
    std::array<double, 5> waits{};
    Trial trial;
    for (int i = -1; i < static_cast<int>(waits.size()); ++i) {
        parallel::check(MPI_Barrier(comm), "start a trial of a transport");
        const double begin = parallel::now();
        transport.start(field);
        const double before = transport.clock().wait;
        transport.finish();
        const double slowest = parallel::max(comm, parallel::now() - begin);
        if (i < 0) continue;  // the first one sets up connections
        trial.seconds = std::min(trial.seconds, slowest);
        waits[static_cast<std::size_t>(i)] = transport.clock().wait - before;
    }
    std::ranges::nth_element(waits, waits.begin() + waits.size() / 2);
    trial.waiting = waits[waits.size() / 2];
    return trial;
}

// Where this rank's threads may run that compute; a launcher or OpenMP may have bound them one by one.
parallel::CpuSet cpus_of_all_threads() {
    std::vector<parallel::CpuSet> of_thread(static_cast<std::size_t>(exec::threads()));
    exec::for_each_cell(0, exec::threads(), [&](std::int32_t i) {
        of_thread[static_cast<std::size_t>(i)] = parallel::allowed_cpus();
    });
    parallel::CpuSet all;
    for (const parallel::CpuSet& cpus : of_thread) {
        parallel::CpuSet both;
        std::ranges::set_union(all, cpus, std::back_inserter(both));
        all = std::move(both);
    }
    return all;
}

void keep_threads_on(const parallel::CpuSet& cpus) {
    exec::for_each_cell(0, exec::threads(), [&](std::int32_t) {
        parallel::CpuSet rest;
        std::ranges::set_intersection(parallel::allowed_cpus(), cpus, std::back_inserter(rest));
        if (!rest.empty()) parallel::run_on(rest);
    });
}

}  // namespace

halo::Memory field_memory(const HaloSection& options) {
    return options.transport == "shared" || options.transport == "auto" ? halo::Memory::shared
                                                                        : halo::Memory::own;
}

HaloExchange::HaloExchange(const Case& run, std::shared_ptr<const halo::Plan> plan, const SpectralGrid& grid,
                           const Propagator& propagator, halo::Field<Real>& field)
    : plan_(std::move(plan)), progress_(run.halo.progress) {
    const halo::Channel whole = field.channel();
    halo::Channel selected = whole;
    if (run.halo.directions != HaloDirections::all && run.propagates)
        selected.selection = needed_directions(plan_->comm(), grid, propagator);
    int rank = 0;
    parallel::check(MPI_Comm_rank(plan_->comm(), &rank), "tell the rank");
    if (selected.selection) {
        selected.bytes = static_cast<std::size_t>(grid.bins()) * sizeof(Real);
        // Among all transports, the trial of whole and selected exchanges is part of their choice.
        const bool forced = run.halo.directions == HaloDirections::needed;
        transport_ = halo::make_transport(run.halo.transport, plan_, selected);
        Trial trial = try_out(*transport_, field.data());
        if (!forced && run.halo.transport != "auto" && transport_->selects()) {
            auto other = halo::make_transport(run.halo.transport, plan_, whole);
            const Trial of_whole = try_out(*other, field.data());
            const bool pays = trial.seconds < of_whole.seconds;
            if (rank == 0)
                base::log_info("halo of {} directions (one exchange: needed {:.3g} ms, all {:.3g} ms)",
                               pays ? "needed" : "all", 1e3 * trial.seconds, 1e3 * of_whole.seconds);
            if (!pays) {
                transport_ = std::move(other);
                trial = of_whole;
            }
        }
        waiting_alone_ = trial.waiting;
    } else {
        if (run.halo.directions == HaloDirections::needed && rank == 0)
            base::log_info("halo of all directions: the {} scheme needs them",
                           run.propagation.scheme == PropagationScheme::upwind ? "upwind" : "second-order");
        transport_ = halo::make_transport(run.halo.transport, plan_, whole);
        waiting_alone_ = try_out(*transport_, field.data()).waiting;
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
    const parallel::ThreadCore core = parallel::find_thread_core(
        comm, cpus_of_all_threads(), exec::threads(), run.halo.thread_cores, run.file, "halo.thread_cores");
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
    if (core.cpu) keep_threads_on(core.others);
}

namespace {

// Adds what an exchange took since `before`; returns the part of it that was waiting.
double add_to_profile(parallel::Profile& profile, const halo::Clock& before, const halo::Clock& after) {
    profile.add(parallel::Phase::exchange_pack, after.pack - before.pack);
    profile.add(parallel::Phase::exchange_wait, after.wait - before.wait);
    profile.add(parallel::Phase::exchange_unpack, after.unpack - before.unpack);
    return after.wait - before.wait;
}

}  // namespace

void HaloExchange::start(Real* field, parallel::Profile& profile) {
    const halo::Clock before = transport_->clock();
    transport_->start(field);
    add_to_profile(profile, before, transport_->clock());
    if (thread_) thread_->begin();
}

double HaloExchange::poll(parallel::Profile& profile) {
    const halo::Clock before = transport_->clock();
    const double begin = parallel::now();
    transport_->poll();
    const double seconds = parallel::now() - begin;
    add_to_profile(profile, before, transport_->clock());
    polling_ += seconds;
    return seconds;
}

void HaloExchange::finish(parallel::Profile& profile) {
    const double begin = parallel::now();
    if (thread_) thread_->end();
    const double handed_over = parallel::now() - begin;
    profile.add(parallel::Phase::exchange_wait, handed_over);
    // What the thread did meanwhile is on the transport's clock, but was not this thread's time.
    const halo::Clock before = transport_->clock();
    transport_->finish();
    waiting_ += handed_over + add_to_profile(profile, before, transport_->clock());
    ++exchanges_;
}

Overlap HaloExchange::overlap() const {
    return {exchanges_ > 0 ? waiting_ / static_cast<double>(exchanges_) : 0.0, waiting_alone_, polling_,
            thread_ ? thread_->seconds() : 0.0};
}

}  // namespace groundswell::sea
