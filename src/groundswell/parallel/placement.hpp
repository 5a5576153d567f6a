#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "groundswell/parallel/communicator.hpp"

namespace groundswell::parallel {

/// Placement of this rank. Hosts are numbered from 0 by their lowest rank. The environment variable
/// GROUNDSWELL_TEST_HOSTS=n pretends that the processes sit on n hosts, in blocks of consecutive ranks of
/// MPI_COMM_WORLD; "n,round-robin" and "n,random" pretend that the launcher scattered them. A process keeps
/// its pretended host in every communicator, as it keeps a real one.
struct Placement {
    int host = 0;           // of this rank, in [0, hosts)
    int hosts = 1;          // in all
    int rank_on_host = 0;   // of this rank among its host's, in rank order
    int ranks_on_host = 1;  // on this rank's host
    bool pretended = false;
    std::string host_name;  // as the MPI library says; "pretended-N" where hosts are pretended
};

/// Cores on which nothing computes, as a case wishes for them: for the communication thread, the writer thread, output servers
/// and the system.
struct FreeCores {
    std::optional<int> count;             ///< cores that each rank keeps free
    std::vector<std::vector<int>> lists;  ///< CPUs that the first rank of each host keeps free, the second, …
    std::string text = "auto";            ///< as it stands in a case file, for refusals

    /// Neither: a thread besides those that compute gets a core that the launcher leaves it, if there is one.
    bool is_automatic() const { return !count && lists.empty(); }
};

/// Throws base::Refusal on all ranks if GROUNDSWELL_TEST_HOSTS is not a number from 1 to the number of
/// processes, alone or with an order. Collective.
Placement find_placement(MPI_Comm comm);

/// The name of this machine, as the MPI library says, whatever a test pretends.
std::string host_name();

/// The ranks on this rank's host, in rank order. Collective.
Communicator host_communicator(MPI_Comm comm, const Placement& placement);

/// The ranks that share this rank's memory, in rank order, whatever hosts a test pretends. Collective.
Communicator machine_communicator(MPI_Comm comm);

/// The host of every rank: on rank 0, which alone cuts meshes; empty on the others. For the start only.
/// Collective.
std::vector<int> hosts_of_all_ranks(MPI_Comm comm, const Placement& placement);

/// Order in which pretended hosts are filled: a block of consecutive processes each, one process each in turn, or any.
enum class HostOrder { blocks, round_robin, random };

/// Host by pretence; the numbers of processes on two hosts differ by at most one.
int pretended_host(int process, int processes, int hosts, HostOrder order = HostOrder::blocks);

/// The same moment on this host's clock, which all its ranks read (now()), and on that of rank 0's host.
struct Moment {
    double here = 0.0, there = 0.0;
};

/// All ranks meet, and compare clocks. Collective.
Moment common_moment(MPI_Comm comm);

}  // namespace groundswell::parallel
