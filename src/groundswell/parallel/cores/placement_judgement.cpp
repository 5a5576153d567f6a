#include "groundswell/parallel/cores/placement_judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace groundswell::parallel {

namespace {

// Nobody computes at all, or at a fraction of the speed, first; then what costs some; last what costs at the start.
constexpr std::string_view by_cost =
    " separate-runs oversubscribed spinning-servers narrow-binding shared-core cpu-quota narrow-registers "
    "subnormals idle-cores busy-cores stolen-cores swapping stopped-ranks shared-hardware-threads "
    "free-core-used far-memory ranks-across-domains scattered-ranks omp-num-threads crowded-cores slow-rank "
    "small-shared-memory lazy-connections few-open-files silent-full-disk disk-nearly-full ";

std::size_t total_threads(std::span<const RankThreads> ranks) {
    std::size_t total = 0;
    for (const RankThreads& rank : ranks) total += rank.threads.size();
    return total;
}

bool meets(const CpuSet& a, const CpuSet& b) {
    return std::ranges::any_of(a, [&](int cpu) { return std::ranges::binary_search(b, cpu); });
}

}  // namespace

std::optional<Finding> judge_domains(const HostCores& host, std::span<const RankThreads> ranks,
                                     const LaunchSettings& settings) {
    std::vector<CpuSet> domains;  // as far as they belong to the job
    for (const CpuSet& domain : host.domains) {
        CpuSet part;
        std::ranges::set_intersection(domain, host.owned, std::back_inserter(part));
        if (!part.empty()) domains.push_back(part);
    }
    if (domains.size() < 2) return {};
    const auto moves = [&](const CpuSet& cpus) {
        return std::ranges::count_if(domains, [&](const CpuSet& domain) { return meets(domain, cpus); }) > 1;
    };
    std::vector<int> moving;
    std::size_t most = 0;
    for (const RankThreads& rank : ranks) {
        if (std::ranges::none_of(rank.threads, moves)) continue;
        moving.push_back(rank.rank);
        most = std::max(most, rank.threads.size());
    }
    if (moving.empty()) return {};
    std::string list;
    for (const CpuSet& domain : domains) list += (list.empty() ? "" : " | ") + to_text(domain);
    const std::size_t room = std::ranges::min_element(domains, {}, &CpuSet::size)->size();
    std::string fix = fmt::format("keep each rank inside a domain: {}",
                                  domain_option(settings.launcher, static_cast<int>(std::min(most, room))));
    if (most > room)
        fix = fmt::format("more ranks of at most {} threads, one for each domain or more: {}", room,
                          domain_option(settings.launcher, static_cast<int>(room)));
    return Finding{"ranks-across-domains",
                   fmt::format("the threads of {} of host {} may move between NUMA domains (cores {}), away "
                               "from the memory that they wrote to first",
                               rank_list(moving), host.name, list),
                   fix};
}

std::optional<Finding> judge_memory(const HostCores& host, std::span<const RankThreads> ranks) {
    TouchedPages pages;
    std::vector<int> far;
    for (const RankThreads& rank : ranks) {
        pages.all += rank.pages.all;
        pages.elsewhere += rank.pages.elsewhere;
        if (rank.pages.elsewhere > 0) far.push_back(rank.rank);
    }
    if (pages.elsewhere * 20 <= pages.all) return {};  // a thread may have been moved in that moment
    return Finding{"far-memory",
                   fmt::format("{:.0f} % of the memory that {} of host {} wrote to lies in another NUMA "
                               "domain than the thread that did",
                               100.0 * static_cast<double>(pages.elsewhere) / static_cast<double>(pages.all),
                               rank_list(far), host.name),
                   "start without numactl --membind, --interleave or --preferred and without a cpuset of "
                   "memory (cpuset.mems) that leaves domains out; numactl -H tells whether a domain is full"};
}

std::optional<Finding> judge_count(const HostCores& host, std::span<const RankThreads> ranks,
                                   const LaunchSettings& settings) {
    const bool by_hand = settings.launcher.starter == Starter::none && settings.launcher.batch.empty();
    const std::size_t threads = total_threads(ranks), cores = host.cores.size();
    const auto kept = static_cast<std::size_t>(
        std::ranges::count_if(host.cores, [&](const CpuSet& core) { return meets(core, host.free); }));
    if (by_hand || threads + host.servers.size() + kept >= (cores + 1) / 2) return {};
    return Finding{"idle-cores",
                   fmt::format("{} thread{} compute{} on host {}, where {} cores are this job's", threads,
                               threads == 1 ? "" : "s", threads == 1 ? "s" : "", host.name, cores),
                   fmt::format("ranks × threads near the number of cores: {} ranks of as many threads on a "
                               "host, or --set run.threads={}; or ask for fewer cores",
                               cores / std::max<std::size_t>(1, ranks.front().threads.size()),
                               std::max<std::size_t>(1, cores / ranks.size()))};
}

std::optional<Finding> judge_servers(const HostCores& host, std::span<const RankThreads> ranks,
                                     const LaunchSettings& settings) {
    if (host.servers.empty() || !settings.spins) return {};
    std::vector<Wish> wishes;
    for (const RankThreads& rank : ranks)
        for (const CpuSet& cpus : rank.threads) wishes.push_back({cpus});
    if (find_crowd(wishes)) return {};  // which has nothing to do with servers
    for (const CpuSet& cpus : host.servers) wishes.push_back({cpus});
    const auto crowd = find_crowd(wishes);
    if (!crowd) return {};
    const auto servers = static_cast<std::size_t>(std::ranges::count_if(
        host.servers, [&](const CpuSet& cpus) { return std::ranges::includes(crowd->cpus, cpus); }));
    std::string fix =
        fmt::format("a core for every server too: fewer ranks or run.threads, and {}",
                    bind_option(settings.launcher, static_cast<int>(ranks.front().threads.size())));
    if (const std::string yields = yield_option(settings.launcher); !yields.empty())
        fix = yields + ", so that who waits gives its core away; or " + fix;
    return Finding{"spinning-servers",
                   fmt::format("{} output server{} of host {} share{} cores {} with threads that compute, "
                               "and {} keeps a core busy while it waits: each takes the other's time",
                               servers, servers == 1 ? "" : "s", host.name, servers == 1 ? "s" : "",
                               to_text(crowd->cpus), settings.launcher.mpi),
                   fix};
}

std::optional<Finding> judge_free_cores(const HostCores& host, std::span<const RankThreads> ranks) {
    std::vector<int> inside;
    for (const RankThreads& rank : ranks)
        if (std::ranges::any_of(rank.threads, [&](const CpuSet& cpus) { return meets(cpus, host.free); }))
            inside.push_back(rank.rank);
    if (inside.empty()) return {};
    return Finding{
        "free-core-used",
        fmt::format(
            "threads of {} of host {} may still compute on the cores {} that run.free_cores keeps free",
            rank_list(inside), host.name, to_text(host.free)),
        "start without OMP_PROC_BIND, OMP_PLACES and taskset, which bind threads after the program did"};
}

std::optional<Finding> judge_order(std::span<const int> hosts_of_ranks, const Launcher& launcher) {
    if (hosts_of_ranks.empty()) return {};
    const int hosts = 1 + *std::ranges::max_element(hosts_of_ranks);
    int apart = 0;
    bool in_turn = true;
    for (std::size_t r = 0; r < hosts_of_ranks.size(); ++r) {
        in_turn = in_turn && hosts_of_ranks[r] == static_cast<int>(r) % hosts;
        if (r > 0 && hosts_of_ranks[r] != hosts_of_ranks[r - 1]) ++apart;
    }
    if (apart <= hosts - 1) return {};
    return Finding{
        "scattered-ranks",
        fmt::format("ranks are scattered over hosts ({}): {} of {} ranks sit on another host than the rank "
                    "before; {} would do",
                    in_turn ? "round robin" : "in no order", apart, hosts_of_ranks.size() - 1, hosts - 1),
        fmt::format("fill one host after the other: {}; or leave mesh.partition at \"auto\" (the default) or "
                    "\"two-level\", which gives each rank a part next to those of its host",
                    block_option(launcher))};
}

std::vector<Finding> judge_limits(const std::string& host, const Limits& limits, int ranks_on_host) {
    constexpr std::int64_t least_shared = 64'000'000, least_files = 256;
    std::vector<Finding> findings;
    const std::int64_t shared = limits.free_shared_memory_bytes;
    if (ranks_on_host > 1 && shared != Limits::none && shared < least_shared)
        findings.push_back(
            {"small-shared-memory",
             fmt::format("host {}: /dev/shm has {:.0f} MB free, where {} ranks keep their messages and halos",
                         host, 1e-6 * static_cast<double>(shared), ranks_on_host),
             "start the container with a larger --shm-size, mount /dev/shm with more (mount -o "
             "remount,size=50%), or remove what others left there"});
    const std::int64_t wanted = least_files + 4 * static_cast<std::int64_t>(ranks_on_host);
    if (limits.open_files != Limits::none && limits.open_files < wanted)
        findings.push_back(
            {"few-open-files",
             fmt::format(
                 "host {}: a process may open {} files; {} ranks with their sockets and output want {}", host,
                 limits.open_files, ranks_on_host, wanted),
             fmt::format("ulimit -n {} in the job script", std::max<std::int64_t>(4096, wanted))});
    return findings;
}

std::optional<Finding> judge_connections(const FirstMessages& messages, const Launcher& launcher) {
    const double lost = messages.first - messages.again;
    if (lost < 1.0 || messages.first < 10.0 * messages.again) return {};
    const std::string setting = connect_option(launcher);
    return Finding{
        "lazy-connections",
        fmt::format("the first messages between ranks took {:.1f} s, the same again {:.3f} s: connections "
                    "are made one by one when they are needed, and a run's start-up waits for them",
                    messages.first, messages.again),
        setting.empty() ? "another provider or device of this MPI library (UCX in place of libfabric, for "
                          "one); one rank for several cores, with threads, has fewer connections"
                        : setting + "; one rank for several cores, with threads, has fewer connections"};
}

void sort_by_cost(std::vector<Finding>& findings) {
    const auto place = [](const Finding& one) {
        return by_cost.find(fmt::format(" {} ", one.code));  // one that is not there comes last
    };
    std::ranges::stable_sort(findings, {}, place);
}

std::optional<Crowd> find_crowd(const std::vector<Wish>& wishes) {
    std::vector<CpuSet> sets;
    for (const Wish& wish : wishes) sets.push_back(wish.cpus);
    sets.push_back(united(sets));
    std::ranges::sort(sets, [](const CpuSet& a, const CpuSet& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());
    std::optional<Crowd> first;
    std::vector<CpuSet> found;
    for (const CpuSet& set : sets) {
        if (std::ranges::any_of(found,
                                [&](const CpuSet& inner) { return std::ranges::includes(set, inner); }))
            continue;
        std::size_t threads = 0;
        for (const Wish& wish : wishes)
            if (std::ranges::includes(set, wish.cpus)) threads += wish.threads;
        if (threads <= set.size()) continue;
        found.push_back(set);
        if (!first) first = Crowd{set, threads, 0};
    }
    if (first) first->groups = found.size();
    return first;
}

}  // namespace groundswell::parallel
