#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::halo {

/// Method that drives messages while something is computed.
enum class Progress {
    none,     ///< nothing: what the MPI library does by itself
    polling,  ///< the computation itself, now and then
    thread,   ///< a communication thread
};
std::vector<std::string> progress_names();
std::string_view name(Progress progress);
/// By one of progress_names().
Progress progress_named(std::string_view name);

/// Values of an id that travel where not all are needed.
enum class Values {
    automatic,  ///< all or those selected, whichever was faster at the start
    all,
    selected,
};

/// Ways of messages between fields in the memory of GPUs.
enum class Route {
    automatic,  ///< the first that there is of those below, for each neighbour
    memory,     ///< from GPU to GPU, between ranks of a host that reach each other's memory
    mpi,        ///< by an MPI library that takes memory of a GPU
    staged,     ///< through memory of the host
};
std::vector<std::string> route_names();
std::string_view name(Route route);
/// By one of route_names().
Route route_named(std::string_view name);

/// Names by which the user knows options, in messages.
struct ExchangeNames {
    std::string transport = "transport", progress = "progress", gpu = "gpu";
    std::string values = "values";  ///< what an id has several of
};

struct ExchangeOptions {
    std::string transport = "auto";
    Progress progress = Progress::none;
    Route gpu = Route::automatic;
    Values values = Values::automatic;
    Ranks ranks = Ranks::in_step;
    std::string where = "halo";  ///< where the options come from (a case file), for refusals
    ExchangeNames names = {};

    /// For fields that are exchanged so: where the ranks of a host can read each other's, if the transport that
    /// does so may be taken.
    Memory memory() const;
};

/// Traffic of exchanges and the part of it covered by computation; the same on all ranks.
///
/// An exchange with nothing to compute meanwhile is measured a few times at the start; `waiting_alone` is the
/// time for which its finish() then blocks (the median), and `waiting` the same in the steps of the run (the
/// mean). The hidden share is 1 − Σ waiting / Σ waiting_alone over ranks, within 0…1. So a neighbour that is
/// late counts against it. It does not say that messages cost nothing: what polls take from the computation
/// is `polling`, and in the profile part of exchange_wait, not of a phase that computes.
struct ExchangeReport {
    std::string transport, progress;
    std::string values;                          ///< what an id has several of
    std::int64_t count = 0;                      ///< exchanges of the run
    std::int64_t bytes = 0, whole_bytes = 0;     ///< of one exchange, of all ranks; were all values sent
    std::int64_t messages = 0;                   ///< of one exchange, of all ranks
    parallel::Statistic waiting, waiting_alone;  ///< s an exchange, in which the main thread stood still
    parallel::Statistic late, message;           ///< s an exchange, waiting for neighbours, for messages
    parallel::Statistic polling, thread;         ///< s in all, that main and other thread pushed
    std::int64_t thread_cores = 0;               ///< ranks whose communication thread has its own
    double hidden_share = 0.0;

    /// Lines of a summary, for people; empty where nothing travels.
    std::string text() const;

    /// To the report of a run: anything with set(key, value) for numbers, text and statistics, and add_line(text).
    template <class Report>
    void add_to(Report& report) const {
        report.set("transport", transport);
        report.set("hidden_share", hidden_share);
        report.set("exchange.progress", progress);
        report.set("exchange.count", count);
        report.set("exchange.bytes", bytes);
        report.set("exchange.whole_bytes", whole_bytes);
        report.set("exchange.messages", messages);
        report.set("exchange.waiting_seconds", waiting);
        report.set("exchange.waiting_alone_seconds", waiting_alone);
        report.set("exchange.late_seconds", late);
        report.set("exchange.message_seconds", message);
        report.set("exchange.polling_seconds", polling);
        report.set("exchange.thread_seconds", thread);
        report.set("exchange.thread_cores", thread_cores);
        if (const std::string lines = text(); !lines.empty()) report.add_line(lines);
    }
};

/// The exchanges of a model: by which transports, which of the values travel, what pushes the messages along while
/// something is computed, and what that cost. Most models have one exchange, number 0; one whose groups of cells
/// have steps of their own has one for each pair of groups that meet, and several of them under way at a time.
///
/// One thread of a rank calls. The plans are of one communicator, over which all is collective that a Transport's
/// functions are.
class Exchanges {
public:
    /// Chooses and tries out the transports on the fields of `whole`, one for each channel, whose needed values are
    /// overwritten (where values are added, owned ones); finds a core for the communication thread if one is
    /// wanted, and keeps the other threads of the rank off the cores of all communication threads. `selected`: the
    /// same exchanges of selected values, or none on all ranks. Times go to `profile`, which outlives this. Throws
    /// base::Refusal on all ranks if the options ask for what this MPI library cannot do. Collective.
    Exchanges(std::vector<Wanted> whole, ExchangeOptions options, parallel::Profile& profile,
              std::vector<Wanted> selected = {});
    ~Exchanges();
    Exchanges(Exchanges&&) noexcept;

    /// Begins exchange `which` of these fields. Until finish() their owned values may be read only, and the needed
    /// ones not be touched (where values are added: Transport).
    void start(std::span<void* const> fields, std::size_t which = 0);
    void start(void* field, std::size_t which = 0) { start(std::span<void* const>(&field, 1), which); }
    /// Sends all that is under way and not sent yet: see Transport::send(). Nothing on processors.
    void send();
    /// Pushes messages along, and tells whether finish() has nothing to wait for any more.
    bool poll(std::size_t which = 0);
    /// Returns when the needed values are in place.
    void finish(std::size_t which = 0);

    /// work(first, last) for all of 0 … count, between start() and finish(): at once, or in pieces of at most
    /// `piece` with a poll after each if that is what pushes messages along. A piece of a millisecond costs nothing
    /// and keeps messages moving.
    template <class Work>
    void compute(std::int32_t count, std::int32_t piece, const Work& work) {
        const std::int32_t most = polls_ ? piece : count;
        for (std::int32_t first = 0; first < count; first += most) {
            work(first, std::min(first + most, count));
            if (polls_) poll_all();
        }
    }

    std::size_t count() const;
    std::string_view transport() const;
    /// Whether less than all values travel.
    bool selects() const;
    /// Core of this rank's communication thread, if it has one of its own.
    std::optional<int> thread_cpu() const;
    /// Bytes and messages of this rank since the transports were chosen.
    Traffic traffic() const;
    /// Collective.
    ExchangeReport report() const;

private:
    void poll_all();

    struct State;
    std::unique_ptr<State> state_;
    bool polls_ = false;
};

}  // namespace groundswell::halo
