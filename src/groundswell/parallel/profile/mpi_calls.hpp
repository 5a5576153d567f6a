#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What a process calls of MPI, by name. The program counts through the standard's profiling interface (MPI 3.1, chapter
/// 14): it defines each function MPI_X that it or a library calls, and lets PMPI_X do the work (cli/mpi). So calls of
/// PnetCDF count too. The libraries of the runtime, which other models link, define none: there nothing is counted.
namespace groundswell::parallel {

/// Calls of one name by all threads of this process so far.
struct MpiCall {
    std::string name;
    std::int64_t count = 0;
    double seconds = 0.0;  ///< within them; those that merely look (MPI_Test, MPI_Iprobe…): see PolledCall
    std::int64_t bytes = 0;  ///< of values in their arguments: what is sent, or room for what is received
};

/// Every name that is counted, in the same order on all ranks, with 0 where it was never called; empty in a program that
/// counts none. While other threads call, a count may lag behind.
std::vector<MpiCall> mpi_calls();

/// For who defines an MPI function: gives a name its number. Before main().
int count_mpi_call(const char* name);

/// The life of one call. One within another, as in a library whose MPI_File_open calls MPI_Bcast, is part of that.
class CountedCall {
public:
    CountedCall(int number, std::int64_t bytes) : CountedCall(number, bytes, false) {}
    ~CountedCall();
    CountedCall(const CountedCall&) = delete;
    CountedCall& operator=(const CountedCall&) = delete;

protected:
    CountedCall(int number, std::int64_t bytes, bool polls);

private:
    int number_;
    double begin_ = 0.0, weight_ = 1.0;
};

/// The same of a call that only looks whether something has happened, and is made again and again: two readings of the
/// clock would cost as much as itself. Of each `every`-th the time is taken, and counts for all of them.
class PolledCall : public CountedCall {
public:
    static constexpr std::uint32_t every = 13;  // prime, so that no round of polls falls into step with it
    explicit PolledCall(int number) : CountedCall(number, 0, true) {}
};

}  // namespace groundswell::parallel
