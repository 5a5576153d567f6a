#pragma once

#include <mpi.h>

#include <cstddef>
#include <exception>
#include <span>

#include "groundswell/base/time.hpp"
#include "groundswell/parallel/read_cost.hpp"

namespace groundswell::sea {

/// The values of a kind of forcing: [component][cells].
using ForcingValues = std::span<const std::span<double>>;

/// One entry of a kind of forcing, such as a [[wind]], on cells of a rank. A cell's values depend on its own place and on time
/// alone, so the bits do not depend on the partition. A layer is made by each rank for itself; then all ranks
/// of a group open it, and from then on ask for the same times together.
class ForcingLayer {
public:
    virtual ~ForcingLayer() = default;

    /// Reads what is to be checked before the first step, and the values at `start`. Throws base::Refusal on
    /// all ranks of the group. Collective over `group`, which must outlive the layer. Most layers read
    /// nothing.
    virtual void open([[maybe_unused]] MPI_Comm group, [[maybe_unused]] base::Instant start) {}

    /// Replaces the values of the layers below, or blends over them. Collective over the group.
    virtual void apply(base::Instant time, ForcingValues values) = 0;

    /// Cells of the rank that it says something of; none on all ranks is refused by refuse_far().
    virtual std::size_t cells_reached() const { return 1; }
    [[noreturn]] virtual void refuse_far() const { std::terminate(); }

    /// So far, on this rank.
    virtual parallel::ReadCost cost() const { return {}; }
};

}  // namespace groundswell::sea
