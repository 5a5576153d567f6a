#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>

#include "groundswell/parallel/communicator.hpp"

namespace groundswell::parallel {

/// Threads of a rank that may call MPI: only the main one, or any.
enum class ThreadLevel { funneled, multiple };

std::string_view name(ThreadLevel level);

/// MPI for the life of the program. Works alone (without mpirun) as one rank. Where MPI is already running,
/// its owner keeps it: nothing is initialised or finalised here.
class Environment {
public:
    /// Starts MPI. If the library gives less than `least` (by default: than `wanted`), ends it again and
    /// throws base::Refusal on all ranks, naming the library; rank 0 has said so already (AgreedError, see
    /// agree.hpp). Collective.
    explicit Environment(ThreadLevel wanted = ThreadLevel::funneled, std::optional<ThreadLevel> least = {});
    Environment& operator=(Environment&&) = delete;  // neither copied nor moved

    /// Ends MPI if this object started it. Collective, so reached only where every rank gets here: see
    /// run_to_exit_code in agree.hpp for the way out of an error that one rank alone met.
    ~Environment();

    /// The program's own copy of MPI_COMM_WORLD.
    MPI_Comm comm() const { return world_.get(); }
    int rank() const { return world_.rank(); }
    int size() const { return world_.size(); }
    ThreadLevel thread_level() const { return level_; }  ///< given, of what was wanted

private:
    [[noreturn]] void refuse_level(int given, ThreadLevel wanted);

    bool owns_mpi_ = false;
    ThreadLevel level_ = ThreadLevel::funneled;
    Communicator world_;
};

/// The MPI library as people name it, for example "Open MPI" with version "4.1.4". Needs no running MPI.
struct Library {
    std::string name;
    std::string version;
    std::string standard;  // of the MPI standard, for example "3.1"
};
Library library();

}  // namespace groundswell::parallel
