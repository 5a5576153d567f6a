#include "groundswell/parallel/cores/use_judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace groundswell::parallel {

namespace {

constexpr double shortest = 1.0;      // s that say something: the system counts in hundredths
constexpr double worth_saying = 0.1;  // share of the computing time
constexpr double least_loss = 0.2;    // s
constexpr double least_throttled = 0.05, least_stolen = 0.05;  // shares of the time
constexpr double main_cause = 0.3;  // share of the loss that makes something a cause of it
constexpr double slow = 1.6;        // times as long for a cell as the median of the others
constexpr double least_cells = 50'000.0;

struct Loss {
    std::vector<int> ranks;  // that lost enough to be named
    double worst = 0.0;      // share of the computing time
    double seconds = 0.0;    // of all of them, all threads
    double crowded = 0.0;    // of them, waiting for a core that others had
    double still = 0.0;      // of them, wanting no core
    double throttled = 0.0;  // by a quota, of the rank that it stopped most
    std::int64_t major_faults = 0;
};

Loss loss_of(std::span<const RankUse> ranks) {
    Loss loss;
    for (const RankUse& rank : ranks) {
        const double share = share_without_core(rank), seconds = share * rank.computing;
        if (share < worth_saying || seconds < least_loss) continue;
        loss.ranks.push_back(rank.rank);
        loss.worst = std::max(loss.worst, share);
        loss.seconds += seconds * rank.threads;
        // The kernel counts the time for which a quota stops a thread as time in the queue.
        const double queued =
            rank.queue_is_known ? std::min(seconds, std::max(rank.main_queue, rank.worker_queue)) : seconds;
        loss.crowded += std::max(0.0, queued - rank.throttled) * rank.threads;
        loss.still += (seconds - queued) * rank.threads;
        loss.throttled = std::max(loss.throttled, rank.throttled);
        loss.major_faults += rank.major_faults;
    }
    return loss;
}

// "rank 1 of host n12 had its core for 52 % of its computing time"
std::string what_they_had(const Loss& loss, const std::string& host) {
    const bool one = loss.ranks.size() == 1;
    return fmt::format("{} of host {} had {} for {}{:.0f} % of {} computing time", rank_list(loss.ranks),
                       host, one ? "its cores" : "their cores", one ? "" : "as little as ",
                       100.0 * (1.0 - loss.worst), one ? "its" : "their");
}

// "stress (process 4711, 98 % of a core), …"
std::string program_list(const HostUse& host) {
    constexpr std::size_t shown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, host.others.size()); ++i)
        text += fmt::format("{}{} (process {}, {:.0f} % of a core)", i == 0 ? "" : ", ", host.others[i].name,
                            host.others[i].process, 100.0 * host.others[i].processor / host.wall);
    if (host.others.size() > shown) text += fmt::format(" and {} more", host.others.size() - shown);
    return text.empty() ? "which cannot be seen from here: of another container or user" : text;
}

bool knows(std::span<const Finding> findings, const char* code) {
    return std::ranges::find(findings, code, &Finding::code) != findings.end();
}

// Ranks that computed, had no core and did not wait for one.
Finding standing_still(const Loss& loss, bool swapping, const std::string& had) {
    if (swapping)
        return {
            "swapping",
            fmt::format("{}: {} fetched memory from the disk", had, loss.ranks.size() == 1 ? "it" : "they"),
            "fewer ranks on a host, or more hosts: there is not enough memory"};
    return {"stopped-ranks",
            fmt::format("{} and did not wait for {}: something stops {}", had,
                        loss.ranks.size() == 1 ? "one" : "them", loss.ranks.size() == 1 ? "it" : "them"),
            "look for a limit on the processes: cpulimit, a debugger, SIGSTOP, a batch system that suspends"};
}

}  // namespace

bool explains_losses(std::string_view code) {
    const auto others = {"scattered-ranks", "idle-cores", "omp-num-threads", "small-shared-memory",
                         "few-open-files"};
    return std::ranges::find(others, code) == others.end();
}

bool explains_losses(std::span<const Finding> findings) {
    return std::ranges::any_of(findings, [](const Finding& one) { return explains_losses(one.code); });
}

double share_without_core(const RankUse& rank) {
    if (rank.computing <= 0.0) return 0.0;
    double lost = std::max(0.0, rank.computing - rank.computing_processor);
    // A main thread with helpers may sleep until the last of them is done. That is no loss of a core.
    if (rank.threads > 1 && rank.queue_is_known)
        lost = std::max(std::min(lost, rank.main_queue), rank.worker_loss * rank.computing);
    return std::clamp(lost / rank.computing, 0.0, 1.0);
}

std::vector<Finding> judge_use(const HostCores& cores, const HostUse& host, std::span<const RankUse> ranks,
                               std::span<const Finding> launch) {
    std::vector<Finding> findings;
    const Loss loss = loss_of(ranks);
    if (host.wall < shortest || loss.ranks.empty()) return findings;
    const std::string had = what_they_had(loss, cores.name);
    const double enough = main_cause * loss.seconds;
    if (loss.throttled > least_throttled * host.wall && !knows(launch, "cpu-quota"))
        findings.push_back({"cpu-quota",
                            fmt::format("{}: a CPU quota stopped {} for {:.1f} s", had,
                                        loss.ranks.size() == 1 ? "it" : "them", loss.throttled),
                            "a larger quota (docker run --cpus, Kubernetes limits.cpu, systemd CPUQuota), or "
                            "fewer threads"});
    // Others may also run on a core that a stopped rank leaves free.
    if (std::min(host.of_others(), loss.crowded) > enough)
        findings.push_back({"busy-cores",
                            fmt::format("{}: other programs took {:.1f} of the {} core{} {}: {}", had,
                                        host.of_others() / host.wall, host.cpus, host.cpus == 1 ? "" : "s",
                                        "that they may use", program_list(host)),
                            "end them, or wait until they are done, or choose another host or other cores"});
    if (host.stolen > std::max(least_stolen * host.wall * host.cpus, enough))
        findings.push_back({"stolen-cores",
                            fmt::format("{}: the machine that this virtual one runs on gave its cores to "
                                        "others for {:.0f} % of the time",
                                        had, 100.0 * host.stolen / (host.wall * host.cpus)),
                            "a virtual machine with cores of its own, or another time"});
    const bool unexplained = findings.empty() && !explains_losses(launch);
    const bool swapping = static_cast<double>(loss.major_faults) > 20.0 * host.wall;
    if (loss.still - host.stolen > enough || (unexplained && swapping))
        findings.push_back(standing_still(loss, swapping, had));
    else if (unexplained)
        findings.push_back({"crowded-cores",
                            fmt::format("{}: other threads of this run had them (another rank, a writer or a "
                                        "communication thread)",
                                        had),
                            "bind ranks to cores, with one for every thread (mpirun --bind-to core; "
                            "run.free_cores), or use fewer"});
    return findings;
}

std::vector<Finding> judge_speed(std::span<const RankUse> ranks, std::span<const std::string> hosts) {
    // Propagation costs a cell about the same wherever it lies; source terms do not.
    const auto can_tell = [](const RankUse& rank) {
        return rank.even_processor > shortest / 2 && rank.cells > least_cells;
    };
    std::vector<double> times;
    for (const RankUse& rank : ranks)
        if (can_tell(rank)) times.push_back(rank.even_processor / rank.cells);
    if (times.size() < 2) return {};
    // The lower of the two in the middle: of two ranks, the faster one.
    std::ranges::nth_element(times, times.begin() + std::ssize(times) / 2 - (std::ssize(times) % 2 == 0));
    const double usual = times[times.size() / 2 - (times.size() % 2 == 0)];
    std::vector<int> slow_ranks;
    double worst = 0.0;
    std::string host;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const double ratio = can_tell(ranks[r]) ? ranks[r].even_processor / ranks[r].cells / usual : 0.0;
        if (ratio < slow) continue;
        slow_ranks.push_back(ranks[r].rank);
        if (ratio > worst) host = hosts[r];
        worst = std::max(worst, ratio);
    }
    if (slow_ranks.empty()) return {};
    return {
        {"slow-rank",
         fmt::format("{} {} up to {:.1f} times as long for a cell as the others although {} core was there: "
                     "a slower core, on host {}",
                     rank_list(slow_ranks), slow_ranks.size() == 1 ? "takes" : "take", worst,
                     slow_ranks.size() == 1 ? "its" : "their", host),
         "look at the frequency and heat of its cores (turbostat, cpupower), and for busy hardware threads "
         "or other users of its memory; leave that host out"}};
}

}  // namespace groundswell::parallel
