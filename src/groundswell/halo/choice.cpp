#include "groundswell/halo/choice.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

namespace {

constexpr int sweep_exchanges = 4, fewest_exchanges = 2;
constexpr std::array sweeps_end = {0.8, 1.4};  // s since the beginning of all
constexpr double hopeless = 3.0;               // times the best: not looked at again
constexpr int final_rounds = 15;
constexpr double final_end = 2.0;  // s
constexpr std::size_t finalists = 3;
constexpr double promising = 1.5;  // times the best: worth a place among the finalists
constexpr double noise = 1.03;     // times the best: as fast

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

/// Times exchanges, and how long the trials have taken so far. All ranks see the times of the slowest: so
/// whatever they decide by them they decide together.
class Stopwatch {
public:
    Stopwatch(MPI_Comm comm, std::span<void* const> fields) : comm_(comm), fields_(fields) {}

    double exchange(Transport& transport) {
        renew(transport, fields_);
        parallel::check(MPI_Barrier(comm_), "start a trial of a transport");
        const double before = parallel::now();
        transport.start(fields_);
        transport.finish();
        const double after = parallel::now();
        std::array times = {after - before, after - begin_};
        parallel::check(MPI_Allreduce(MPI_IN_PLACE, times.data(), 2, MPI_DOUBLE, MPI_MAX, comm_),
                        "agree on the time of an exchange");
        elapsed_ = times[1];
        return times[0];
    }

    double elapsed() const { return elapsed_; }  // at the end of the last exchange

private:
    MPI_Comm comm_;
    std::span<void* const> fields_;
    double begin_ = parallel::now(), elapsed_ = 0.0;
};

/// A candidate with the times of its exchanges so far.
struct Contender {
    const Candidate* candidate;
    std::vector<double> seconds;

    double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
    double p10() const {
        std::vector<double> sorted = seconds;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 10];
    }
};

/// Some exchanges of a candidate; the first sets up connections and is not counted. Returns false if the
/// candidate made something else, for want of room: then it is none.
bool try_out(Stopwatch& watch, Contender& contender, double best_so_far, double end) {
    const std::unique_ptr<Transport> transport = contender.candidate->make();
    if (transport->name() != contender.candidate->name) return false;
    watch.exchange(*transport);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < sweep_exchanges; ++i) {
        if (i >= fewest_exchanges && (watch.elapsed() > end || best > hopeless * best_so_far)) break;
        contender.seconds.push_back(watch.exchange(*transport));
        best = std::min(best, contender.seconds.back());
    }
    return true;
}

double best_of(const std::vector<Contender>& contenders) {
    double best = std::numeric_limits<double>::infinity();
    for (const Contender& one : contenders)
        if (!one.seconds.empty()) best = std::min(best, one.best());
    return best;
}

/// The best few by their shortest exchange, in the order of the candidates.
std::vector<Contender*> best_few(std::vector<Contender>& contenders) {
    std::vector<Contender*> few;
    const double best = best_of(contenders);
    for (Contender& one : contenders)
        if (one.best() <= promising * best) few.push_back(&one);
    std::stable_sort(few.begin(), few.end(), [](auto* a, auto* b) { return a->best() < b->best(); });
    few.resize(std::min(few.size(), finalists));
    std::sort(few.begin(), few.end());
    return few;
}

}  // namespace

Choice choose_fastest(MPI_Comm comm, const std::vector<Candidate>& candidates,
                      std::span<void* const> fields) {
    Stopwatch watch(comm, fields);
    std::vector<Contender> contenders;
    for (const Candidate& candidate : candidates) contenders.push_back({&candidate, {}});
    for (const double end : sweeps_end) {
        for (Contender& one : contenders) {
            const double best = best_of(contenders);
            const bool again = !one.seconds.empty();
            if (again && (one.best() > hopeless * best || watch.elapsed() > end)) continue;
            if (!try_out(watch, one, best, end)) one.candidate = nullptr;
        }
        std::erase_if(contenders, [](const Contender& one) { return one.candidate == nullptr; });
    }
    GS_ASSERT(!contenders.empty());

    const std::vector<Contender*> few = best_few(contenders);
    std::vector<std::unique_ptr<Transport>> transports;
    for (const Contender* one : few) {
        transports.push_back(one->candidate->make());
        watch.exchange(*transports.back());
    }
    for (int round = 0; round < final_rounds && few.size() > 1 && watch.elapsed() < final_end; ++round) {
        for (std::size_t i = 0; i < few.size(); ++i)
            few[i]->seconds.push_back(watch.exchange(*transports[i]));
    }
    double best = std::numeric_limits<double>::infinity();
    for (const Contender* one : few) best = std::min(best, one->p10());
    const auto first =
        std::find_if(few.begin(), few.end(), [&](auto* one) { return one->p10() <= noise * best; });

    Choice choice{std::move(transports[static_cast<std::size_t>(first - few.begin())]), {}};
    choice.transport->forget_counts();
    for (const Contender& one : contenders)
        choice.trials.push_back(
            {one.candidate->name, one.candidate->selects, one.p10(), static_cast<int>(one.seconds.size())});
    return choice;
}

}  // namespace groundswell::halo
