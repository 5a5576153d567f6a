#pragma once

#include <mpi.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/parallel/machine/cpu_set.hpp"
#include "groundswell/parallel/machine/machine.hpp"
#include "groundswell/parallel/placement.hpp"

/// The cores that a case keeps free, found on this machine.
namespace groundswell::parallel {

/// "auto", a number of cores, or CPUs of each rank of a host as `taskset -c` takes them ("6-7", "3"); a single text that is
/// not "auto" stands for a number. Throws base::Refusal, naming `where` and `key`.
FreeCores read_free_cores(const std::vector<std::string>& words, bool is_list, std::string_view where,
                          std::string_view key);

/// The CPUs that each rank of a machine keeps free: of its share of the cores that it may use, in the order of the machine
/// (so that neighbours share a domain and a cache), the last `count` ones with all their hardware threads. Empty if some rank
/// has not so many besides one for each thread. A rank without threads keeps none.
std::vector<CpuSet> choose_free_cores(const Machine& machine, std::span<const RankCpus> ranks, int count);

/// Fault in the CPUs named for the ranks of a machine, as what would be expected; empty: none.
/// `owned`: what this job has of the machine.
std::string trouble_with_lists(std::span<const CpuSet> lists, std::span<const RankCpus> ranks,
                               const CpuSet& owned);

/// Keeps the computing threads of this process off the free cores of its machine as long as it lives, and hands these out.
/// One at a time in a process.
class KeptCores {
public:
    /// `threads`: that this rank computes with; 0 on an output server, which goes to the free cores if it would else share
    /// cores with those who compute. Nothing is changed where `wish` is automatic. Throws base::Refusal on all ranks, naming
    /// `where` and `key`, if a machine has not what is wished. Collective.
    KeptCores(MPI_Comm comm, const FreeCores& wish, int threads, const std::string& where,
              const std::string& key);
    ~KeptCores();
    KeptCores& operator=(KeptCores&&) = delete;  // neither copied nor moved

    /// CPUs of this machine that are kept free.
    const CpuSet& of_machine() const { return of_machine_; }
    /// Where each output server of this machine may run; the same on all of its ranks.
    const std::vector<CpuSet>& servers() const { return servers_; }

private:
    void settle_servers(std::span<const RankCpus> ranks);
    void keep_off(const CpuSet& mine);

    CpuSet of_machine_;
    std::vector<CpuSet> servers_, before_;  // before_: of each thread
};

}  // namespace groundswell::parallel
