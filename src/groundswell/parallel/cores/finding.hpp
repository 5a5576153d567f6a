#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace groundswell::parallel {

/// Something that is wrong with a machine, a launch or a folder, and what fixes it.
struct Finding {
    std::string code, message, fix;
};

/// Findings of the ranks, on rank 0, in the order of the ranks; one of each code, which says how many more there
/// are. Empty on the others. Collective.
std::vector<Finding> gather_findings(MPI_Comm comm, const std::vector<Finding>& mine);

/// Any text of each rank, on rank 0; empty on the others. Collective.
std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& mine);

/// One rank's text, on all. Collective.
void broadcast(MPI_Comm comm, std::string& text, int speaker = 0);

}  // namespace groundswell::parallel
