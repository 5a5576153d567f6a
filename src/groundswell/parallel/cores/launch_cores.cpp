#include "groundswell/parallel/cores/launch_cores.hpp"

#include <algorithm>
#include <thread>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/cores/placement_judgement.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/machine/container.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::parallel {

namespace {

LaunchSettings settings_of_environment() {
    LaunchSettings settings;
    settings.launcher = find_launcher(library());
    for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"})
        if (!environment_variable(name).empty())
            settings.openmp_binding += (settings.openmp_binding.empty() ? "" : ", ") + std::string(name);
    settings.spins = spins_while_waiting(settings.launcher);
    return settings;
}

// A rank's threads as whole numbers: how many, and the CPUs of each; as many threads as have the same CPUs at
// a time.
std::vector<int> packed(const RankThreads& rank) {
    const std::vector<CpuSet>& threads = rank.threads;
    std::vector<int> words = {rank.rank, static_cast<int>(rank.pages.all),
                              static_cast<int>(rank.pages.elsewhere), static_cast<int>(threads.size())};
    for (std::size_t i = 0; i < threads.size();) {
        std::size_t end = i;
        while (end < threads.size() && threads[end] == threads[i]) ++end;
        words.push_back(static_cast<int>(end - i));
        words.push_back(static_cast<int>(threads[i].size()));
        words.insert(words.end(), threads[i].begin(), threads[i].end());
        i = end;
    }
    return words;
}

std::vector<RankThreads> unpacked(const std::vector<int>& words) {
    std::vector<RankThreads> ranks;
    for (auto word = words.begin(); word != words.end();) {
        RankThreads rank;
        rank.rank = *word++;
        rank.pages.all = *word++;
        rank.pages.elsewhere = *word++;
        const auto threads = static_cast<std::size_t>(*word++);
        while (rank.threads.size() < threads) {
            const int alike = *word++, cpus = *word++;
            rank.threads.insert(rank.threads.end(), static_cast<std::size_t>(alike),
                                CpuSet(word, word + cpus));
            word += cpus;
        }
        ranks.push_back(rank);
    }
    return ranks;
}

}  // namespace

CpuSet owned_cpus() {
    // The kernel leaves of all CPUs those that the process' group has. A thread of its own asks, so that no
    // other one moves.
    CpuSet owned;
    std::thread([&] {
        try {
            run_on(machine_cpus());
            owned = allowed_cpus();
        } catch (const base::Refusal&) {  // then those of now are all that is known
        }
    }).join();
    return owned.empty() ? allowed_cpus() : owned;
}

LaunchCores find_launch(MPI_Comm comm, const LaunchPlan& plan) {
    const int rank = rank_of(comm);
    const Placement placement = find_placement(comm);
    const auto pretended = agree(comm, [] { return pretended_machine(); });
    LaunchCores found;
    found.machine = pretended ? host_communicator(comm, placement) : machine_communicator(comm);
    std::vector<CpuSet> mine = cpus_of_each_thread();
    mine.resize(std::max(mine.size(), static_cast<std::size_t>(plan.threads)), mine.back());
    if (pretended) mine = pretended_cpus(*pretended, placement.rank_on_host, static_cast<int>(mine.size()));
    found.mine = {rank, mine, {}, touch_pages()};
    found.ranks = unpacked(gather_rows<int>(found.machine.get(), packed(found.mine)).values);
    const std::vector<CpuQuota> quotas = gather(found.machine.get(), read_quota());
    const std::vector<int> hosts = hosts_of_all_ranks(comm, placement);
    const Limits limits = agree(comm, [] { return this_process_limits(); });
    if (found.machine.rank() != 0) return found;
    found.shape = pretended ? pretended->machine : this_machine();
    found.limits = limits;
    found.settings = settings_of_environment();
    found.host.name = pretended ? placement.host_name : host_name();
    found.host.owned = pretended ? united(found.shape.cores) : owned_cpus();
    found.host.cores = cores_of(found.shape, found.host.owned);
    for (const MemoryDomain& domain : found.shape.domains) found.host.domains.push_back(domain.cpus);
    found.host.servers = plan.servers;
    found.host.free = plan.free;
    for (std::size_t i = 0; i < found.ranks.size(); ++i) {
        RankThreads& each = found.ranks[i];
        each.quota = quotas[i];
        if (each.quota.group != 0)
            found.host.quota =
                found.host.quota > 0.0 ? std::min(found.host.quota, each.quota.cores) : each.quota.cores;
        std::vector<CpuSet> sets = each.threads;
        sets.push_back(found.allowed);
        found.allowed = united(sets);
    }
    found.findings = judge_launch(found.host, found.ranks, found.settings);
    for (const Finding& one : judge_limits(found.host.name, limits, placement.ranks_on_host))
        found.findings.push_back(one);
    if (const auto order = judge_order(hosts, found.settings.launcher)) found.findings.push_back(*order);
    if (rank == 0)
        for (const Finding& one :
             judge_thread_count(environment_variable("OMP_NUM_THREADS"), static_cast<int>(mine.size())))
            found.findings.push_back(one);
    sort_by_cost(found.findings);
    return found;
}

}  // namespace groundswell::parallel
