#include "groundswell/parallel/cores/launch_judgement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "groundswell/parallel/cores/placement_judgement.hpp"

namespace groundswell::parallel {

namespace {

std::string cores_text(const CpuSet& cpus) {
    return fmt::format("core{} {}", cpus.size() == 1 ? "" : "s", to_text(cpus));
}

// What a rank or more may not use, although the job owns it.
std::string unused(const HostCores& host, const CpuSet& used) {
    const CpuSet rest = difference(host.owned, used);
    return rest.empty() ? "" : fmt::format(", while {} of this job may not be used", cores_text(rest));
}

std::string how_to_bind(const LaunchSettings& settings, int threads) {
    std::string text;
    if (!settings.openmp_binding.empty()) text = fmt::format("unset {}; ", settings.openmp_binding);
    text += fmt::format("start with {}", bind_option(settings.launcher, threads));
    if (settings.launcher.mpi == "Open MPI") text += " or --bind-to none";
    return text + ", and without taskset or numactl around it";
}

Finding oversubscribed(const HostCores& host, std::span<const RankThreads> ranks, std::size_t total,
                       const LaunchSettings& settings) {
    const std::size_t each = ranks.front().threads.size(), cores = host.owned.size();
    const bool alike =
        std::ranges::all_of(ranks, [&](const RankThreads& rank) { return rank.threads.size() == each; });
    std::string threads = fmt::format("{} threads", total);
    if (alike && each == 1) threads = fmt::format("{} ranks", total);
    if (alike && each > 1 && ranks.size() > 1)
        threads = fmt::format("{} ranks × {} threads", ranks.size(), each);
    std::string fix =
        fmt::format("let no more than {} threads compute on this host: fewer ranks or run.threads", cores);
    if (const std::string yields = yield_option(settings.launcher); settings.spins && !yields.empty())
        fix += "; or at least " + yields;
    return {"oversubscribed",
            fmt::format("{} share the {} of host {} that {} this job's: each has a core for {:.0f} % of the "
                        "time",
                        threads, cores_text(host.owned), host.name, cores == 1 ? "is" : "are",
                        100.0 * static_cast<double>(cores) / static_cast<double>(total)),
            fix};
}

// Threads of one rank that are confined to fewer CPUs than they are.
std::optional<Finding> stacked_threads(const HostCores& host, std::span<const RankThreads> ranks,
                                       const CpuSet& used, const LaunchSettings& settings) {
    const RankThreads* example = nullptr;
    std::optional<Crowd> crowd;
    std::vector<int> others;
    for (const RankThreads& rank : ranks) {
        if (rank.threads.size() < 2) continue;
        std::vector<Wish> wishes;
        for (const CpuSet& cpus : rank.threads) wishes.push_back({cpus});
        const auto found = find_crowd(wishes);
        if (!found) continue;
        others.push_back(rank.rank);
        if (example != nullptr) continue;
        example = &rank;
        crowd = found;
    }
    if (example == nullptr) return {};
    std::string message = fmt::format("{} threads of rank {} of host {} may use {} only", crowd->threads,
                                      example->rank, host.name, cores_text(crowd->cpus));
    if (others.size() > 1) message += fmt::format(" (and the like in {} more ranks)", others.size() - 1);
    return Finding{"narrow-binding", message + unused(host, used),
                   how_to_bind(settings, static_cast<int>(example->threads.size()))};
}

// Ranks that are confined to fewer CPUs than their threads need, each counted with no more than it could use.
std::optional<Finding> crowded_ranks(const HostCores& host, std::span<const RankThreads> ranks,
                                     const CpuSet& used, const LaunchSettings& settings) {
    std::vector<Wish> wishes;
    for (const RankThreads& rank : ranks) {
        const CpuSet own = united(rank.threads);
        wishes.push_back({own, std::min(rank.threads.size(), own.size())});
    }
    const auto crowd = find_crowd(wishes);
    if (!crowd) return {};
    std::vector<int> inside;
    for (std::size_t r = 0; r < ranks.size(); ++r)
        if (std::ranges::includes(crowd->cpus, wishes[r].cpus)) inside.push_back(ranks[r].rank);
    std::string message =
        fmt::format("{} of host {} share {}", rank_list(inside), host.name, cores_text(crowd->cpus));
    if (crowd->groups > 1) message += fmt::format(" (and the like in {} more places)", crowd->groups - 1);
    return Finding{"shared-core", message + unused(host, used),
                   how_to_bind(settings, static_cast<int>(ranks.front().threads.size()))};
}

// Threads on the hardware threads of one core, where there would be a core for each.
std::optional<Finding> shared_hardware_threads(const HostCores& host, std::span<const RankThreads> ranks,
                                               std::size_t total, const LaunchSettings& settings) {
    if (total > host.cores.size()) return {};
    std::vector<Wish> wishes;
    std::vector<int> owners;
    for (const RankThreads& rank : ranks)
        for (const CpuSet& cpus : rank.threads) {
            CpuSet cores;
            for (std::size_t core = 0; core < host.cores.size(); ++core)
                if (std::ranges::any_of(host.cores[core],
                                        [&](int cpu) { return std::ranges::binary_search(cpus, cpu); }))
                    cores.push_back(static_cast<int>(core));
            wishes.push_back({cores});
            owners.push_back(rank.rank);
        }
    const auto crowd = find_crowd(wishes);
    if (!crowd) return {};
    std::vector<int> inside;
    CpuSet cpus;
    for (std::size_t i = 0; i < wishes.size(); ++i)
        if (std::ranges::includes(crowd->cpus, wishes[i].cpus)) inside.push_back(owners[i]);
    inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
    for (const int core : crowd->cpus)
        cpus.insert(cpus.end(), host.cores[core].begin(), host.cores[core].end());
    std::ranges::sort(cpus);
    return Finding{"shared-hardware-threads",
                   fmt::format("{} threads of {} of host {} share {} (hardware threads {}), and this job has "
                               "a core for each",
                               crowd->threads, rank_list(inside), host.name,
                               crowd->cpus.size() == 1 ? "one core" : "cores", to_text(cpus)),
                   how_to_bind(settings, static_cast<int>(ranks.front().threads.size()))};
}

// The control group that leaves least to each thread of the ranks in it, if that is less than a core.
std::optional<Finding> exceeded_quota(const HostCores& host, std::span<const RankThreads> ranks) {
    struct Group {
        double cores = 0.0, threads = 0.0;
        std::vector<int> ranks;
    };
    std::map<std::uint64_t, Group> groups;
    for (const RankThreads& rank : ranks) {
        if (rank.quota.group == 0) continue;
        Group& group = groups[rank.quota.group];
        group.cores = rank.quota.cores;
        group.threads += static_cast<double>(rank.threads.size());
        group.ranks.push_back(rank.rank);
    }
    const auto tightest = std::ranges::min_element(
        groups, {}, [](const auto& each) { return each.second.cores / each.second.threads; });
    if (tightest == groups.end() || tightest->second.threads <= tightest->second.cores + 0.05) return {};
    const Group& group = tightest->second;
    return Finding{
        "cpu-quota",
        fmt::format("{} thread{} of {} of host {} may use the time of {:.3g} cores: a container's or "
                    "service's CPU quota",
                    group.threads, group.threads == 1.0 ? "" : "s", rank_list(group.ranks), host.name,
                    group.cores),
        "a larger quota (docker run --cpus, Kubernetes limits.cpu, systemd CPUQuota), or fewer ranks and "
        "threads"};
}

}  // namespace

std::string rank_list(std::span<const int> ranks) {
    constexpr std::size_t shown = 6;
    if (ranks.size() == 1) return fmt::format("rank {}", ranks.front());
    if (ranks.size() > shown)
        return fmt::format("ranks {}, … ({} in all)", fmt::join(ranks.first(shown), ", "), ranks.size());
    return fmt::format("ranks {} and {}", fmt::join(ranks.first(ranks.size() - 1), ", "), ranks.back());
}

std::vector<Finding> judge_launch(const HostCores& host, std::span<const RankThreads> ranks,
                                  const LaunchSettings& settings) {
    std::vector<Finding> findings;
    std::size_t total = 0;
    std::vector<CpuSet> sets;
    for (const RankThreads& rank : ranks) {
        total += rank.threads.size();
        sets.push_back(united(rank.threads));
    }
    if (total > host.owned.size()) return {oversubscribed(host, ranks, total, settings)};
    const CpuSet used = united(sets);
    const auto add = [&](const std::optional<Finding>& found) {
        if (found) findings.push_back(*found);
    };
    add(crowded_ranks(host, ranks, used, settings));
    add(stacked_threads(host, ranks, used, settings));
    if (findings.empty()) add(shared_hardware_threads(host, ranks, total, settings));
    add(exceeded_quota(host, ranks));
    add(judge_free_cores(host, ranks));
    add(judge_servers(host, ranks, settings));
    add(judge_count(host, ranks, settings));
    add(judge_memory(host, ranks));
    add(judge_domains(host, ranks, settings));
    sort_by_cost(findings);
    return findings;
}

std::vector<Finding> judge_thread_count(const std::string& asked, int threads) {
    int number = 0;
    const auto [end, error] = std::from_chars(asked.data(), asked.data() + asked.size(), number);
    const bool whole = error == std::errc() && (end == asked.data() + asked.size() || *end == ',');
    if (!whole || number <= threads) return {};
    return {{"omp-num-threads",
             fmt::format("OMP_NUM_THREADS = {} is not what sets the threads of a rank, which has {}", asked,
                         threads),
             fmt::format("set run.threads in the case file, or --set run.threads={}", number)}};
}

}  // namespace groundswell::parallel
