#include "groundswell/parallel/cores/thread_core.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <climits>
#include <iterator>
#include <span>

#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/finding.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/machine/launcher.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::parallel {

namespace {

CpuSet allowed_to_any(const std::vector<RankCpus>& ranks) {
    std::vector<CpuSet> sets;
    for (const RankCpus& rank : ranks) sets.push_back(rank.allowed);
    return united(sets);
}

std::string what_is_missing(const std::vector<RankCpus>& ranks, int without) {
    const CpuSet allowed = allowed_to_any(ranks), machine = machine_cpus();
    int needed = 0, most = 0;
    for (const RankCpus& rank : ranks) {
        needed += rank.threads + 1;
        most = std::max(most, rank.threads + 1);
    }
    std::string text = fmt::format(
        "{} of the {} ranks of this host have no free core for it: they may use the cores {}, and ranks × "
        "(threads + 1) = {}",
        without, ranks.size(), to_text(allowed), needed);
    const CpuSet elsewhere = difference(machine, allowed);
    if (static_cast<int>(machine.size()) < needed)
        return text + fmt::format("; this host has {}: fewer ranks or threads leave some", machine.size());
    text += fmt::format("; give each rank {} cores: {}", most, bind_option(find_launcher(library()), most));
    if (elsewhere.size() >= ranks.size())
        text += fmt::format(", or name the cores that are free: run.free_cores = [\"{}\"]",
                            fmt::join(std::span(elsewhere).first(ranks.size()), "\", \""));
    return text;
}

// What KeptCores keeps free for this rank's other threads.
struct Kept {
    bool is_set = false;
    CpuSet free, others;
    std::size_t next = 0;
};
Kept kept;

ThreadCore next_kept_core() {
    ThreadCore core;
    if (kept.free.empty()) {
        core.missing = "run.free_cores = 0 leaves it none";
        return core;
    }
    core.cpu = kept.free[std::min(kept.next++, kept.free.size() - 1)];
    core.others = kept.others;
    return core;
}

}  // namespace

void hand_out_cores(const CpuSet& free, const CpuSet& others) {
    kept = {!free.empty() || !others.empty(), free, others, 0};
}

std::vector<RankCpus> gather_cpus(MPI_Comm machine, const CpuSet& allowed, int threads) {
    std::vector<int> mine{threads};
    mine.insert(mine.end(), allowed.begin(), allowed.end());
    const Gathered<int> all = gather_rows<int>(machine, mine, true);
    std::vector<RankCpus> gathered;
    for (std::size_t rank = 0; rank + 1 < all.begin.size(); ++rank) {
        const auto of_rank = all.of_rank(rank);
        gathered.push_back({CpuSet(of_rank.begin() + 1, of_rank.end()), of_rank[0]});
    }
    return gathered;
}

std::vector<CpuSet> cpus_of_each_thread() {
    std::vector<CpuSet> threads(exec::threads());
    exec::for_each_cell(0, exec::threads(), [&](std::int32_t i) { threads[i] = allowed_cpus(); });
    return threads;
}

CpuSet cpus_of_computing_threads() {
    return united(cpus_of_each_thread());
}

ConfinedThreads::ConfinedThreads(const CpuSet& cpus) : before_(static_cast<std::size_t>(exec::threads())) {
    exec::for_each_cell(0, exec::threads(), [&](std::int32_t i) {
        CpuSet& before = before_[i];
        before = allowed_cpus();
        CpuSet rest;
        std::ranges::set_intersection(before, cpus, std::back_inserter(rest));
        if (!rest.empty()) run_on(rest);
    });
}

ConfinedThreads::~ConfinedThreads() {
    exec::for_each_cell(0, static_cast<std::int32_t>(before_.size()), [&](std::int32_t i) {
        run_on(before_[i]);  // where it has been, so it may
    });
}

ThreadCore find_thread_core(MPI_Comm comm, const CpuSet& allowed, int threads) {
    if (kept.is_set) return next_kept_core();
    const Communicator machine = machine_communicator(comm);  // itself, whatever hosts a test pretends
    const std::vector<RankCpus> ranks = gather_cpus(machine.get(), allowed, threads);
    const auto rank = static_cast<std::size_t>(machine.rank());
    const std::vector<int> cpu_of_rank = spare_cpus(ranks);
    ThreadCore found;
    if (cpu_of_rank[rank] >= 0) found.cpu = cpu_of_rank[rank];
    CpuSet taken;
    std::ranges::copy_if(cpu_of_rank, std::back_inserter(taken), [](int cpu) { return cpu >= 0; });
    std::ranges::sort(taken);
    if (found.cpu) found.others = difference(allowed, taken);

    // The first host that lacks some speaks for all.
    const auto without = static_cast<int>(std::ranges::count(cpu_of_rank, -1));
    const int me = rank_of(comm), candidate = without > 0 ? me : INT_MAX;
    int speaker = 0;
    check(MPI_Allreduce(&candidate, &speaker, 1, MPI_INT, MPI_MIN, comm), "find a host without free cores");
    if (speaker == INT_MAX) return found;
    if (me == speaker) found.missing = what_is_missing(ranks, without);
    broadcast(comm, found.missing, speaker);
    return found;
}

}  // namespace groundswell::parallel
