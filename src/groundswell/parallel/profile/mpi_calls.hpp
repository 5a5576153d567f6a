#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Counts a process's calls of MPI, by name. The program counts through the standard's profiling interface (MPI 3.1, chapter
/// 14): it defines each function MPI_X that it or a library calls, and lets PMPI_X do the work (cli/mpi). So calls of
/// PnetCDF count too. The libraries of the runtime, which other models link, define none: there nothing is counted.
namespace groundswell::parallel {

/// Bytes of values in the arguments of a call: what is sent, and room for what is received. To and from files too; persistent
/// messages and what is read in shared memory are not seen.
struct MpiTraffic {
    std::int64_t sent = 0, received = 0;
    constexpr MpiTraffic(std::int64_t sent_ = 0, std::int64_t received_ = 0)
        : sent(sent_), received(received_) {}
};

/// Calls of one name, or of one place in the code, so far.
struct MpiCall {
    std::string name;
    std::int64_t count = 0;
    double seconds = 0.0;  ///< within them; those that merely look (MPI_Test, MPI_Iprobe…): see PolledCall
    MpiTraffic bytes = {};
};

/// Calls by all threads of this process: every name that is counted, in the same order on all ranks, with 0 where it was never
/// called; empty in a program that counts none. While other threads call, a count may lag behind.
std::vector<MpiCall> mpi_calls();

/// Where calls of this thread are made from now on: a number of 0 to most_mpi_places - 1, as a phase of its profile has; -1:
/// nowhere that is told apart, as in the beginning.
void place_mpi_calls(int place);
inline constexpr int most_mpi_places = 31;
/// Calls by place, without names: first of those that are nowhere, then of each of so many places. As mpi_calls().
std::vector<MpiCall> mpi_calls_by_place(int places);

/// Registers the name of an MPI function that counts its calls and returns its number. Call before main().
int count_mpi_call(const char* name);

/// The life of one call. One within another, as in a library whose MPI_File_open calls MPI_Bcast, is part of that.
class CountedCall {
public:
    CountedCall(int number, MpiTraffic bytes) : CountedCall(number, bytes, false) {}
    ~CountedCall();
    CountedCall& operator=(CountedCall&&) = delete;  // neither copied nor moved

protected:
    CountedCall(int number, MpiTraffic bytes, bool polls);

private:
    int number_, place_ = 0;
    double begin_ = 0.0, weight_ = 1.0;
};

/// The same of a call that only looks whether something has happened, and is made again and again: two readings of the
/// clock would cost as much as itself. Of each `every`-th the time is taken, and counts for all of them.
class PolledCall : public CountedCall {
public:
    static constexpr std::uint32_t every = 13;  // prime, so that no round of polls falls into step with it
    explicit PolledCall(int number) : CountedCall(number, {}, true) {}
};

}  // namespace groundswell::parallel
