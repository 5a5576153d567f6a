#pragma once

#include <optional>
#include <string>
#include <vector>

#include "groundswell/parallel/machine/machine.hpp"

/// For tests: hosts of another shape, and ranks that are bound to their cores in some way. Nothing is bound there; what is
/// judged is what would be.
namespace groundswell::parallel {

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
