#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

namespace groundswell::parallel {

/// Bytes that processes may still take on this host, as the kernel estimates (MemAvailable in /proc/meminfo), and within the
/// limit of the job or container (machine/container.hpp); the largest number there is where neither says. With GROUNDSWELL_TEST_MEMORY=bytes that many, for tests.
std::int64_t available_memory_bytes();

/// Whether every host has the memory for `bytes` of each of its ranks, which are added up. Collective.
bool fits_in_memory(MPI_Comm comm, std::int64_t bytes);

/// Refuses, naming `where`, `key` and `value`, what takes more memory than a host has: `bytes` on this rank, of which
/// those on one host are added up. Collective.
void require_memory(MPI_Comm comm, std::int64_t bytes, const std::string& where, const std::string& key,
                    const std::string& value);

}  // namespace groundswell::parallel
