#include "groundswell/halo/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/halo/choose/values.hpp"
#include "groundswell/halo/exchange/lateness.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/parallel/profile/timeline.hpp"
#include "groundswell/parallel/progress_thread.hpp"

namespace groundswell::halo {

using parallel::Phase;

namespace {

std::string in_quotes(std::string_view text) {
    return fmt::format("\"{}\"", text);
}

/// The time for which finish() blocks this rank where nothing is computed meanwhile: the median of a few.
double waiting_alone(Transport& transport, const std::vector<void*>& fields) {
    const auto wait_of_one = [&] {
        parallel::check(MPI_Barrier(transport.plan().comm()), "start a trial of a transport");
        transport.start(fields);
        const double before = transport.clock().wait;
        transport.finish();
        return transport.clock().wait - before;
    };
    {
        const parallel::StartUpTimer timer(parallel::StartUpPart::first_exchange);
        wait_of_one();  // sets up connections
    }
    const parallel::StartUpTimer timer(parallel::StartUpPart::trials);
    std::array<double, 5> waits{};
    for (double& wait : waits) wait = wait_of_one();
    transport.forget_counts();
    std::ranges::nth_element(waits, waits.begin() + waits.size() / 2);
    return waits[waits.size() / 2];
}

}  // namespace

Memory ExchangeOptions::memory() const {
    return transport == "shared" || transport == "auto" ? Memory::shared : Memory::own;
}

struct Exchanges::State {
    ExchangeOptions options;
    parallel::Profile* profile = nullptr;
    MPI_Comm comm = MPI_COMM_NULL;
    Transports transports;

    struct One {
        Lateness lateness;
        double alone = 0.0, waited = 0.0;  // s an exchange, s in all
        std::int64_t finished = 0;
        bool under_way = false;
        double started = 0.0;  // s, of the last one
    };
    std::vector<One> each;
    double polling = 0.0;  // s

    std::optional<int> thread_cpu;
    std::optional<parallel::ConfinedThreads> confined_threads;
    std::unique_ptr<parallel::ProgressThread> thread;  // after the transports, which it pushes

    void require_available(std::span<const Wanted> wanted) const;
    void start_thread();

    /// The communication thread keeps off the transports for as long as this lives; then it goes on with what is
    /// under way.
    class Pause {
    public:
        explicit Pause(State& state) : state_(state) {
            if (state_.thread) state_.thread->end();
        }
        ~Pause() {
            if (state_.thread && std::ranges::any_of(state_.each, &One::under_way)) state_.thread->begin();
        }
        Pause& operator=(Pause&&) = delete;  // neither copied nor moved

    private:
        State& state_;
    };

    /// A call of a transport. Its time belongs to the phase of waiting but for what it packs and unpacks; returns
    /// its waiting.
    template <class Call>
    double call(std::size_t which, const Call& call) {
        Transport& transport = *transports[which];
        const Clock before = transport.clock();
        call(transport);
        const Clock after = transport.clock();
        profile->move(Phase::exchange_wait, Phase::exchange_pack, after.pack - before.pack);
        profile->move(Phase::exchange_wait, Phase::exchange_unpack, after.unpack - before.unpack);
        return after.wait - before.wait;
    }

    bool poll(std::size_t which) {
        const double begin = parallel::now();
        bool done = false;
        call(which, [&](Transport& transport) { done = transport.poll(); });
        polling += parallel::now() - begin;
        return done;
    }
};

Exchanges::Exchanges(std::vector<Wanted> whole, ExchangeOptions options, parallel::Profile& profile,
                     std::vector<Wanted> selected)
    : state_(std::make_unique<State>()) {
    GS_ASSERT(!whole.empty() && (selected.empty() || selected.size() == whole.size()));
    for (const Wanted& one : whole) GS_ASSERT(one.fields.size() == one.channels.size());
    state_->options = std::move(options);
    state_->profile = &profile;
    state_->comm = whole.front().plan->comm();
    state_->require_available(whole);
    state_->transports = make_transports(state_->options, whole, selected);
    for (std::size_t i = 0; i < whole.size(); ++i)
        state_->each.push_back(
            {Lateness(state_->comm), waiting_alone(*state_->transports[i], whole[i].fields)});
    if (state_->options.progress == Progress::thread) state_->start_thread();
    polls_ = state_->options.progress == Progress::polling;
}

Exchanges::~Exchanges() = default;
Exchanges::Exchanges(Exchanges&&) noexcept = default;

void Exchanges::State::require_available(std::span<const Wanted> wanted) const {
    for (const Wanted& one : wanted) {
        if (one.device) continue;
        const bool adds = one.channels.front().addition != nullptr;
        const Availability found = availability(options.transport, *one.plan, options.ranks, adds);
        parallel::agree(comm, [&] {
            base::require(found.available, options.where, options.names.transport,
                          in_quotes(options.transport), "another: " + found.reason);
        });
    }
}

void Exchanges::State::start_thread() {
    parallel::agree(comm, [&] {
        int given = MPI_THREAD_SINGLE;
        parallel::check(MPI_Query_thread(&given), "tell its thread level");
        const parallel::Library mpi = parallel::library();
        base::require(given == MPI_THREAD_MULTIPLE, options.where, options.names.progress, "\"thread\"",
                      fmt::format("\"none\" or \"polling\" where MPI (here {} {}) was started without {}",
                                  mpi.name, mpi.version, name(parallel::ThreadLevel::multiple)));
    });
    const parallel::ThreadCore core =
        parallel::find_thread_core(comm, parallel::cpus_of_computing_threads(), exec::threads());
    if (parallel::rank_of(comm) == 0 && !core.missing.empty())
        base::log_warning("{}: {} = \"thread\": the communication thread takes time from the computation: {}",
                          options.where, options.names.progress, core.missing);
    thread = parallel::agree(comm, [&] {
        return std::make_unique<parallel::ProgressThread>(
            [this] {
                for (const auto& transport : transports) transport->poll();
            },
            core.cpu);
    });
    thread_cpu = core.cpu;
    if (core.cpu) confined_threads.emplace(core.others);
}

void Exchanges::start(std::span<void* const> fields, std::size_t which) {
    const parallel::PhaseTimer timer(*state_->profile, Phase::exchange_wait);
    const State::Pause pause(*state_);
    state_->call(which, [&](Transport& transport) { transport.start(fields); });
    state_->each[which].under_way = true;
    state_->each[which].started = parallel::now();
}

void Exchanges::send() {
    const parallel::PhaseTimer timer(*state_->profile, Phase::exchange_wait);
    const State::Pause pause(*state_);
    for (std::size_t i = 0; i < state_->each.size(); ++i)
        if (state_->each[i].under_way) state_->call(i, [](Transport& transport) { transport.send(); });
}

bool Exchanges::poll(std::size_t which) {
    const parallel::PhaseTimer timer(*state_->profile, Phase::exchange_wait);
    const State::Pause pause(*state_);
    return state_->poll(which);
}

void Exchanges::poll_all() {
    const parallel::PhaseTimer timer(*state_->profile, Phase::exchange_wait);
    for (std::size_t i = 0; i < state_->each.size(); ++i)
        if (state_->each[i].under_way) state_->poll(i);
}

void Exchanges::finish(std::size_t which) {
    const parallel::PhaseTimer timer(*state_->profile, Phase::exchange_wait);
    const double begin = parallel::now();
    const State::Pause pause(*state_);
    const double handed_over = state_->thread ? parallel::now() - begin : 0.0;
    // What the thread did meanwhile is on the transport's clock, but was not this thread's time.
    State::One& one = state_->each[which];
    one.under_way = false;
    const double waited = handed_over + state_->call(which, [](Transport& transport) { transport.finish(); });
    one.lateness.record(begin, waited);
    one.waited += waited;
    ++one.finished;
    if (parallel::timeline_is_on())
        parallel::add_beside_timeline(parallel::timeline_label(fmt::format("exchange {}", which)), "exchange",
                                      one.started, parallel::now());
}

std::size_t Exchanges::count() const {
    return state_->each.size();
}

std::string_view Exchanges::transport() const {
    return state_->transports.front()->name();
}

bool Exchanges::selects() const {
    return std::ranges::any_of(state_->transports,
                               [](const auto& transport) { return transport->selects(); });
}

std::optional<int> Exchanges::thread_cpu() const {
    return state_->thread_cpu;
}

Traffic Exchanges::traffic() const {
    Traffic sum;
    for (const auto& transport : state_->transports) {
        const Traffic& one = transport->traffic();
        sum.exchanges += one.exchanges;
        sum.messages += one.messages;
        sum.bytes += one.bytes;
        sum.whole_bytes += one.whole_bytes;
    }
    return sum;
}

ExchangeReport Exchanges::report() const {
    const State& state = *state_;
    const Traffic carried = traffic();
    const std::int64_t exchanges = std::max<std::int64_t>(carried.exchanges, 1);
    const auto per_exchange = [&](std::int64_t mine) { return parallel::sum(state.comm, mine) / exchanges; };
    ExchangeReport report;
    report.transport = transport();
    report.progress = name(state.options.progress);
    report.values = state.options.names.values;
    report.bytes = per_exchange(carried.bytes);
    report.whole_bytes = per_exchange(carried.whole_bytes);
    report.messages = per_exchange(carried.messages);

    // Means over the exchanges of all numbers, by how often each took place.
    double waited = 0.0, alone = 0.0, late = 0.0, message = 0.0;
    std::int64_t finished = 0;
    for (std::size_t i = 0; i < state.each.size(); ++i) {
        const State::One& one = state.each[i];
        const Waits waits = one.lateness.waits(state.transports[i]->plan());
        const auto times = static_cast<double>(one.finished);
        finished += one.finished;
        waited += one.waited;
        alone += times * one.alone;
        late += times * waits.late;
        message += times * waits.message;
    }
    report.count = finished;
    const double all = static_cast<double>(std::max<std::int64_t>(finished, 1));
    const auto statistic = [&](double mine) { return parallel::statistic(state.comm, mine); };
    report.waiting = statistic(waited / all);
    report.waiting_alone = statistic(finished > 0 ? alone / all : state.each.front().alone);
    report.late = statistic(late / all);
    report.message = statistic(message / all);
    report.polling = statistic(state.polling);
    report.thread = statistic(state.thread ? state.thread->seconds() : 0.0);
    report.thread_cores = parallel::sum(state.comm, std::int64_t{state.thread_cpu ? 1 : 0});
    if (report.waiting_alone.mean > 0.0)
        report.hidden_share = std::clamp(1.0 - report.waiting.mean / report.waiting_alone.mean, 0.0, 1.0);
    return report;
}

}  // namespace groundswell::halo
