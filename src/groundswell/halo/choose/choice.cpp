#include "groundswell/halo/choice.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <string>
#include <utility>

#include "groundswell/halo/choose/contest.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/profile/start_up.hpp"

namespace groundswell::halo {

namespace {

/// Writes what is sent again, with the same values. In a model a step has just written it, so it lies in the
/// caches of its owner alone; read again and again unchanged, it would lie in those of its readers.
void renew(const Transport& transport, std::span<void* const> fields) {
    constexpr std::size_t cache_line = 64;
    for (std::size_t c = 0; c < fields.size(); ++c) {
        const Channel& channel = transport.channels()[c];
        for (const std::int32_t id : transport.plan().pack_index()) {
            volatile auto* block =
                static_cast<unsigned char*>(fields[c]) + static_cast<std::size_t>(id) * channel.stride;
            for (std::size_t b = 0; b < channel.bytes; b += cache_line) block[b] = block[b];
        }
    }
}

/// Times exchanges. All ranks see the same of each: so whatever they decide by them they decide together.
class Trials {
public:
    Trials(MPI_Comm comm, std::span<const std::vector<void*>> fields) : comm_(comm), fields_(fields) {}

    Sample exchange(Transports& transports) {
        for (std::size_t i = 0; i < transports.size(); ++i) renew(*transports[i], fields_[i]);
        parallel::check(MPI_Barrier(comm_), "start a trial of a transport");
        const std::int64_t lost = times_without_core();
        const double before = parallel::now();
        for (std::size_t i = 0; i < transports.size(); ++i) transports[i]->start(fields_[i]);
        for (const auto& transport : transports) transport->finish();
        const double after = parallel::now();
        std::array found = {after - before, after - begin_, times_without_core() > lost ? 1.0 : 0.0};
        parallel::check(MPI_Allreduce(MPI_IN_PLACE, found.data(), 3, MPI_DOUBLE, MPI_MAX, comm_),
                        "agree on the time of an exchange");
        return {found[0], found[1], found[2] > 0.0};
    }

private:
    static std::int64_t times_without_core() {
        rusage usage{};
        getrusage(RUSAGE_THREAD, &usage);
        return usage.ru_nivcsw;
    }

    MPI_Comm comm_;
    std::span<const std::vector<void*>> fields_;
    double begin_ = parallel::now();
};

/// Makes a candidate and sets up its connections, which does not count. Empty if it made something else, for
/// want of room: then it is none.
Transports make_ready(const Candidate& candidate, Trials& trials, Contest& contest) {
    Transports transports = candidate.make();
    for (const auto& transport : transports)
        if (transport->name() != candidate.name) return {};
    const parallel::StartUpTimer timer(parallel::StartUpPart::first_exchange);
    contest.pass(trials.exchange(transports).elapsed);
    return transports;
}

/// The winner among the best few, who have exchanges in turns as long as there is time.
Transports best_of_finalists(const std::vector<Candidate>& candidates, Trials& trials, Contest& contest) {
    const std::vector<std::size_t> finalists = contest.finalists();
    if (!contest.goes_on(finalists)) return candidates[contest.winner()].make();
    std::vector<Transports> transports;
    for (const std::size_t who : finalists)
        transports.push_back(make_ready(candidates[who], trials, contest));
    while (contest.goes_on(finalists))
        for (std::size_t i = 0; i < finalists.size(); ++i)
            if (!transports[i].empty()) contest.add(finalists[i], trials.exchange(transports[i]));
    for (std::size_t i = 0; i < finalists.size(); ++i)
        if (finalists[i] == contest.winner() && !transports[i].empty()) return std::move(transports[i]);
    return candidates[contest.winner()].make();
}

}  // namespace

Choice choose_fastest(MPI_Comm comm, const std::vector<Candidate>& candidates,
                      std::span<const std::vector<void*>> fields) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::trials);
    Trials trials(comm, fields);
    Contest contest(candidates.size());
    for (std::size_t who = 0; who < candidates.size() && contest.admits_another(); ++who) {
        Transports transports = make_ready(candidates[who], trials, contest);
        if (transports.empty()) contest.withdraw(who);
        while (!transports.empty() && contest.wants(who)) contest.add(who, trials.exchange(transports));
    }

    Choice choice{best_of_finalists(candidates, trials, contest), {}, ""};
    for (const auto& transport : choice.transports) transport->forget_counts();
    std::vector<std::string> names;
    for (std::size_t who = 0; who < candidates.size(); ++who) {
        names.push_back(
            fmt::format("{}{}", candidates[who].name, candidates[who].selects ? " of selected values" : ""));
        if (contest.was_tried(who))
            choice.trials.push_back({candidates[who].name, candidates[who].selects, contest.seconds(who),
                                     contest.exchanges(who)});
    }
    choice.doubt = contest.doubt(names);
    return choice;
}

}  // namespace groundswell::halo
