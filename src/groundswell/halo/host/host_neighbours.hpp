#pragma once

#include <mpi.h>
#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "groundswell/halo/plan.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

/// Data about one neighbour: where it sits, and which process it is.
struct HostNeighbour {
    bool on_host = false;  // on this rank's host; true for the rank itself
    pid_t process = 0;     // 0: cannot be watched from here (another host, or another container)

    /// Whether a neighbour that can be watched has ended, by whatever cause.
    bool has_ended() const;
};

/// The ranks of this host.
struct Host {
    parallel::Communicator comm;
    std::string name;
};

/// Hosts are those of parallel::find_placement: pretended ones count. Collective.
Host find_host(MPI_Comm comm);

/// The ranks of `to` that these ranks of `from` are; MPI_UNDEFINED where they are none. Local.
std::vector<int> translate(MPI_Comm from, std::span<const int> ranks, MPI_Comm to);

/// The neighbours of a plan as one rank sees them, with communicators for what concerns them alone.
struct HostNeighbours {
    parallel::Communicator comm;  // all ranks of the plan, for messages of our own
    Host host;
    std::vector<HostNeighbour> sources, destinations;  // in the plan's order
};

/// Asks the neighbours alone, so nothing here is as long as the number of ranks. Collective over plan.comm().
HostNeighbours find_host_neighbours(const Plan& plan);

/// Takes to_destinations[k] to destination k, and returns what each source sent here. `comm` has the ranks of
/// the plan. All of the plan's ranks call it.
template <class T>
std::vector<T> from_sources(MPI_Comm comm, const Plan& plan, const std::vector<T>& to_destinations) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> received(plan.sources().size());
    std::vector<MPI_Request> requests;
    for (std::size_t k = 0; k < received.size(); ++k)
        parallel::check(MPI_Irecv(&received[k], sizeof(T), MPI_BYTE, plan.sources()[k].rank, 0, comm,
                                  &requests.emplace_back()),
                        "hear from a neighbour");
    for (std::size_t k = 0; k < to_destinations.size(); ++k)
        parallel::check(MPI_Isend(&to_destinations[k], sizeof(T), MPI_BYTE, plan.destinations()[k].rank, 0,
                                  comm, &requests.emplace_back()),
                        "tell a neighbour");
    parallel::check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
                    "wait for the neighbours");
    return received;
}

}  // namespace groundswell::halo
