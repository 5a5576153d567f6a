#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/parallel/machine/cpu_set.hpp"

/// Components of a machine, as hwloc finds them: sockets, NUMA domains, caches, cores, hardware threads.
namespace groundswell::parallel {

/// CPUs whose memory is equally near: a NUMA domain.
struct MemoryDomain {
    int number = 0;  ///< as the system counts them (numactl)
    CpuSet cpus;
    std::int64_t bytes = 0;  ///< of its memory; 0: not known
};

/// All caches of one level that are alike.
struct CacheKind {
    int level = 1;
    std::int64_t bytes = 0;  ///< of one of them
    int count = 0;
    int cores = 0;  ///< that share one of them
};

struct Machine {
    int sockets = 1;
    std::vector<CpuSet> cores;          ///< hardware threads of each; neighbours stand next to each other
    std::vector<MemoryDomain> domains;  ///< those that have CPUs; at least one
    std::vector<CacheKind> caches;      ///< of data, by level
};

/// This machine, with all that is switched on, whether this process may use it or not. A machine of one socket and one
/// domain where hwloc finds nothing out. Reads the system's files: for one process of a machine.
Machine this_machine();

/// One of this shape in hwloc's words, as "pack:2 numa:4 core:16 pu:2". Throws base::Refusal, naming `where` and `key`, if
/// it is none.
Machine machine_of_shape(const std::string& shape, const std::string& where, const std::string& key);

/// The cores that these CPUs belong to, each with those of its hardware threads that are among them; in the order of the
/// machine. A CPU that the machine does not know is a core by itself, behind the others.
std::vector<CpuSet> cores_of(const Machine& machine, const CpuSet& cpus);

/// For tests: hosts of another shape, and ranks that are bound to their cores in some way. Nothing is bound there; what is
/// judged is what would be.
struct PretendedMachine {
    Machine machine;
    std::string binding = "none";
};

/// Machine by GROUNDSWELL_TEST_MACHINE="pack:2 numa:4 core:16 pu:1;domain": a shape in hwloc's words, and how ranks are bound:
/// none, each rank to a `core` or a `domain` in turn, or each of its `threads` to a core of its own. Throws base::Refusal
/// if it says neither.
std::optional<PretendedMachine> pretended_machine();

/// Where each thread of a rank may run, which is this one on its host.
std::vector<CpuSet> pretended_cpus(const PretendedMachine& pretended, int rank_on_host, int threads);

}  // namespace groundswell::parallel
