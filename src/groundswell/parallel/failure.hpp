#pragma once

#include <mpi.h>

#include <exception>
#include <functional>
#include <string>

#include "groundswell/base/errors.hpp"

namespace groundswell::parallel {

/// Refusal 2, RunFailure 3 (also lack of memory), anything else 4.
base::ExitCode exit_code(const std::exception& error);

/// Mark of an error that every rank of a communicator throws together: only the rank where it `speaks`
/// reports it.
class Agreed {
public:
    Agreed(int failing_rank, bool speaks) : failing_rank_(failing_rank), speaks_(speaks) {}
    virtual ~Agreed() = default;
    int failing_rank() const { return failing_rank_; }
    bool speaks() const { return speaks_; }

private:
    int failing_rank_;
    bool speaks_;
};

/// An error of kind `Error` (Refusal, RunFailure or Defect) with that mark; caught as either.
template <class Error>
class AgreedError : public Error, public Agreed {
public:
    AgreedError(const std::string& message, int failing_rank, bool speaks)
        : Error(message), Agreed(failing_rank, speaks) {}
};

/// Runs `body` and returns the exit code of the program. An agreed error is printed by one rank and its code
/// returned by all. An error that one rank alone met is printed there and ends every rank at once with its
/// code (MPI_Abort, no return): the others may be waiting for this one for ever.
int run_to_exit_code(MPI_Comm comm, const std::function<int()>& body);

}  // namespace groundswell::parallel
