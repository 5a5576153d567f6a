#include "groundswell/parallel/cores/launch_cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <thread>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/cores/container.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::parallel {

namespace {

bool is_set(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

LaunchSettings settings_of_environment() {
    LaunchSettings settings;
    settings.mpi = library().name;
    for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"})
        if (is_set(name))
            settings.openmp_binding += (settings.openmp_binding.empty() ? "" : ", ") + std::string(name);
    const char* const yields = std::getenv("OMPI_MCA_mpi_yield_when_idle");
    settings.spins = settings.mpi == "Open MPI" && (yields == nullptr || std::string_view(yields) != "1");
    return settings;
}

// The hardware threads of the cores that these CPUs belong to.
std::vector<CpuSet> cores_of(const CpuSet& cpus) {
    std::vector<CpuSet> cores;
    for (const int cpu : cpus) {
        std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
        const CpuSet siblings = read_cpu_list(file);
        CpuSet core;
        std::ranges::set_intersection(siblings, cpus, std::back_inserter(core));
        if (core.empty()) core = {cpu};
        if (core.front() == cpu) cores.push_back(core);
    }
    return cores;
}

// A rank's threads as whole numbers: how many, and the CPUs of each; as many threads as have the same CPUs at
// a time.
std::vector<int> packed(int rank, const std::vector<CpuSet>& threads) {
    std::vector<int> words = {rank, static_cast<int>(threads.size())};
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
        RankThreads rank{*word++, {}};
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

std::vector<int> gather(MPI_Comm comm, const std::vector<int>& mine) {
    int rank = 0, ranks = 1;
    check(MPI_Comm_rank(comm, &rank), "tell the rank");
    check(MPI_Comm_size(comm, &ranks), "tell the number of ranks");
    const int length = static_cast<int>(mine.size());
    std::vector<int> lengths(rank == 0 ? static_cast<std::size_t>(ranks) : 0), begins(lengths.size());
    check(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm), "gather the cores of a host");
    std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
    std::vector<int> all(rank == 0 ? static_cast<std::size_t>(begins.back() + lengths.back()) : 0);
    check(MPI_Gatherv(mine.data(), length, MPI_INT, all.data(), lengths.data(), begins.data(), MPI_INT, 0,
                      comm),
          "gather the cores of a host");
    return all;
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

LaunchCores find_launch(MPI_Comm comm, int threads) {
    MPI_Comm shared = MPI_COMM_NULL;
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "tell the rank");
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared),
          "find the ranks that share memory");
    LaunchCores found;
    found.machine = Communicator::adopt(shared);
    std::vector<CpuSet> mine = cpus_of_each_thread();
    mine.resize(std::max(mine.size(), static_cast<std::size_t>(threads)), mine.back());
    found.ranks = unpacked(gather(found.machine.get(), packed(rank, mine)));
    const CpuQuota quota = read_quota();
    std::vector<CpuQuota> quotas(found.ranks.size());
    check(MPI_Gather(&quota, sizeof quota, MPI_BYTE, quotas.data(), sizeof quota, MPI_BYTE, 0,
                     found.machine.get()),
          "gather the quotas of a host");
    if (found.machine.rank() != 0) return found;
    found.host.name = host_name();
    found.host.owned = owned_cpus();
    found.host.cores = cores_of(found.host.owned);
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
    found.findings = judge_launch(found.host, found.ranks, settings_of_environment());
    return found;
}

}  // namespace groundswell::parallel
