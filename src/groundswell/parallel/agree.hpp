#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "groundswell/parallel/failure.hpp"

namespace groundswell::parallel {

/// Outcome of `agree` on this rank.
struct LocalOutcome {
    base::ExitCode code = base::ExitCode::done;
    std::string message;
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
