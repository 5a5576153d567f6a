#pragma once

#include <mpi.h>

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

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

/// Outcome of `agree` on this rank.
struct LocalOutcome {
    base::ExitCode code = base::ExitCode::done;
    std::string message;

    /// Throws a Refusal, RunFailure or Defect with this message, on this rank alone.
    [[noreturn]] void raise() const;
};

/// The outcome of the exception that is now being handled: call inside `catch (...)`.
LocalOutcome outcome_of_current_exception();

/// Throws on every rank, with the kind and message of the lowest failing rank, if `mine` is not `done` on any
/// rank; that rank alone speaks. Costs one small allreduce where all is well. Collective.
void agree_on(MPI_Comm comm, const LocalOutcome& mine);

/// Runs `f` on each rank, then lets all ranks agree: either `f` succeeded everywhere and its value is
/// returned, or every rank throws the same kind of error (AgreedError). So an error met by one rank never
/// leaves the others in a collective. `f` itself must not call collectives after a point where it can throw
/// on some ranks only. Collective over `comm`.
template <class F>
auto agree(MPI_Comm comm, F&& f) -> std::invoke_result_t<F> {
    using Value = std::invoke_result_t<F>;
    LocalOutcome outcome;
    if constexpr (std::is_void_v<Value>) {
        try {
            std::forward<F>(f)();
        } catch (...) {
            outcome = outcome_of_current_exception();
        }
        agree_on(comm, outcome);
    } else {
        std::optional<Value> value;
        try {
            value.emplace(std::forward<F>(f)());
        } catch (...) {
            outcome = outcome_of_current_exception();
        }
        agree_on(comm, outcome);
        return std::move(*value);
    }
}

}  // namespace groundswell::parallel
