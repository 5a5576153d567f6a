#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/parallel/communicator.hpp"

/// Mode "servers": some of a program's ranks write, and the others compute.
///
///     const output::Roles roles = output::split_roles(world, servers);
///     if (roles.serves) {
///         output::serve(roles);
///     } else {
///         … the model, on roles.compute …
///         output::release_servers(roles);
///     }
namespace groundswell::output {

class ServerLink;

struct Roles {
    bool serves = false;             ///< this rank is a server
    parallel::Communicator compute;  ///< the ranks that compute; empty on servers
    parallel::Communicator servers;  ///< the servers; empty on ranks that compute
    parallel::Communicator bridge;   ///< all ranks: for messages between the two
    int server_count = 0;
    int server = -1;                ///< on a rank that computes: its server's rank in `bridge`
    std::string host, server_host;  ///< of this rank, and of that
    std::vector<int> clients;       ///< on a server: the ranks of `bridge` that it serves, in order
    /// On a rank that computes: its way to its server, and to others where there are more servers than such
    /// ranks; they get jobs without values, because all servers run each job together.
    std::vector<std::shared_ptr<ServerLink>> links;
};

/// Number of servers that `wanted` asks for: a number ("2"), or a share of the ranks ("10%", "0.1"; at least one).
/// Refusal naming `where` and `key` when it is neither, or leaves no rank to compute.
int server_count(std::string_view wanted, int ranks, std::string_view where, std::string_view key);

/// Sets `servers` ranks of `world` apart: spread over the hosts, the last ranks of each. Ranks that compute
/// keep their order. Each server serves as many of them as the others, give or take one, on its own host if
/// it can be.
/// 0 < servers < ranks. Collective over `world`.
Roles split_roles(MPI_Comm world, int servers);

/// Work of a server.
struct ServerReport {
    std::int64_t jobs = 0;
    std::int64_t bytes = 0;         ///< of values, written by all servers
    double writing_seconds = 0.0;   ///< in all jobs
    double idle_seconds = 0.0;      ///< waiting for values
    double idle_cpu_seconds = 0.0;  ///< processor time used while waiting
};

/// Writes what the clients hand over, until they release the servers. Collective over roles.servers.
ServerReport serve(const Roles& roles);

/// Lets the servers end, when everything handed over is done. Nothing can be written afterwards. Also after a
/// failure that all ranks share. Collective over roles.compute.
void release_servers(const Roles& roles);

}  // namespace groundswell::output
