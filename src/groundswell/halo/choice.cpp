#include "groundswell/halo/choice.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::halo {

namespace {

constexpr int sweeps = 2, sweep_exchanges = 4, fewest_exchanges = 2;
constexpr double sweep_budget = 0.7;  // s for all candidates of one sweep
constexpr double hopeless = 3.0;      // times the best: not looked at again
constexpr int final_rounds = 15;
constexpr double final_budget = 0.6;  // s
constexpr std::size_t finalists = 3;
constexpr double promising = 1.5;  // times the best: worth a place among the finalists
constexpr double noise = 1.03;     // times the best: as fast

/// Seconds of one exchange on the slowest rank. All ranks get the same, so whatever they decide by it they
/// decide together.
double exchange_seconds(MPI_Comm comm, Transport& transport, std::span<void* const> fields) {
    parallel::check(MPI_Barrier(comm), "start a trial of a transport");
    const double before = parallel::now();
    transport.start(fields);
    transport.finish();
    return parallel::max(comm, parallel::now() - before);
}

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
bool try_out(MPI_Comm comm, Contender& contender, double best_so_far, double& budget,
             std::span<void* const> fields) {
    const std::unique_ptr<Transport> transport = contender.candidate->make();
    if (transport->name() != contender.candidate->name) return false;
    budget -= exchange_seconds(comm, *transport, fields);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < sweep_exchanges; ++i) {
        const bool enough = budget < 0.0 || best > hopeless * best_so_far;
        if (i >= fewest_exchanges && enough) break;
        contender.seconds.push_back(exchange_seconds(comm, *transport, fields));
        best = std::min(best, contender.seconds.back());
        budget -= contender.seconds.back();
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
    std::vector<Contender> contenders;
    for (const Candidate& candidate : candidates) contenders.push_back({&candidate, {}});
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        double budget = sweep_budget;
        for (Contender& one : contenders) {
            const double best = best_of(contenders);
            if (sweep > 0 && one.best() > hopeless * best) continue;
            if (!try_out(comm, one, best, budget, fields)) one.candidate = nullptr;
        }
        std::erase_if(contenders, [](const Contender& one) { return one.candidate == nullptr; });
    }
    GS_ASSERT(!contenders.empty());

    const std::vector<Contender*> few = best_few(contenders);
    std::vector<std::unique_ptr<Transport>> transports;
    double budget = few.size() > 1 ? final_budget : 0.0;
    for (const Contender* one : few) {
        transports.push_back(one->candidate->make());
        budget -= exchange_seconds(comm, *transports.back(), fields);
    }
    for (int round = 0; round < final_rounds && budget > 0.0; ++round) {
        for (std::size_t i = 0; i < few.size(); ++i) {
            few[i]->seconds.push_back(exchange_seconds(comm, *transports[i], fields));
            budget -= few[i]->seconds.back();
        }
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
