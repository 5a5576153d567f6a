#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "groundswell/halo/host/host_neighbours.hpp"

namespace groundswell::halo {

/// Memory of one rank that its neighbours on the same host map as well, so that they can read it where it
/// stands.
///
/// It is POSIX shared memory of our own and not MPI_Win_allocate_shared, because
/// - the room is reserved page by page before anybody writes: where /dev/shm is too small (64 MB is usual
///   in a container) all ranks learn of it here, instead of one dying of SIGBUS in the middle of a step;
/// - its name is gone as soon as the neighbours have it open, before it takes any room, so that nothing stays
///   behind however the run ends; the room is free again when the last process that maps it has ended;
/// - pages are reserved by the threads that will compute on them, which puts them near those threads;
/// - a rank maps its neighbours' memory, not that of all ranks on the host;
/// - it is the same with every MPI library.
///
/// The environment variable GROUNDSWELL_TEST_SHM=64MB (kB, MB or GB) pretends that /dev/shm of each host has
/// this much room in all.
class HostMemory {
public:
    enum class Access { read, write };  // what a neighbour may do with it

    /// Outcome of allocate(), the same on all ranks: memory, or the reason why there is none, with the size
    /// wanted and the size to be had on the first host that lacks room.
    struct Result {
        std::unique_ptr<HostMemory> memory;
        std::string reason;
    };

    /// `bytes` of zeroed memory on each rank; this one maps that of the ranks `read` of `comm`, ascending,
    /// which are on its host. Every rank of `comm` gets its own or none does. Throws base::Refusal on all
    /// ranks if GROUNDSWELL_TEST_SHM is not a size. Collective over `comm`.
    static Result allocate(MPI_Comm comm, const Host& host, std::span<const int> read, std::size_t bytes,
                           Access access);

    HostMemory& operator=(HostMemory&&) = delete;  // neither copied nor moved
    /// Not collective: neighbours that still map this memory keep it until they let go of theirs.
    ~HostMemory();

    /// Page-aligned.
    std::byte* data() const { return mine_.get(); }
    /// The memory of a rank; null where this one does not map it.
    std::byte* of_rank(int rank) const;
    /// Whether that rank maps the memory of this one.
    bool is_read_by(int rank) const;

    /// The same on all ranks that allocated it together, and never given twice to one process.
    std::uint64_t number() const { return number_; }
    /// Whose ranks share it.
    MPI_Comm comm() const { return comm_; }

    /// The live memory of this process that holds this address of its own, or has this number; null if none.
    static HostMemory* holding(const void* address);
    static HostMemory* numbered(std::uint64_t number);

private:
    struct Unmap {
        std::size_t bytes;
        void operator()(std::byte* begin) const;
    };
    using Mapping = std::unique_ptr<std::byte, Unmap>;
    static Mapping map(int file, std::size_t bytes, Access access);

    HostMemory() = default;

    MPI_Comm comm_ = MPI_COMM_NULL;
    Mapping mine_;
    std::vector<int> read_, readers_;  // ranks, ascending
    std::vector<Mapping> mapped_;      // [place in read_]
    std::uint64_t number_ = 0;
};

}  // namespace groundswell::halo
