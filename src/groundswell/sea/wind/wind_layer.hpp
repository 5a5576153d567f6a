#pragma once

#include <mpi.h>

#include <span>

#include "groundswell/base/time.hpp"
#include "groundswell/parallel/read_cost.hpp"

namespace groundswell::sea {

/// One [[wind]] entry on the cells that a rank owns. A cell's wind depends on its own place and on time
/// alone, so the bits do not depend on the partition. A layer is made by each rank for itself; then all ranks
/// of a group open it, and from then on ask for the same times together.
class WindLayer {
public:
    virtual ~WindLayer() = default;

    /// Reads what is to be checked before the first step, and the wind at `start`. Throws base::Refusal on
    /// all ranks of the group. Collective over `group`, which must outlive the layer. Most layers read
    /// nothing.
    virtual void open([[maybe_unused]] MPI_Comm group, [[maybe_unused]] base::Instant start) {}

    /// Replaces the wind of the layers below, or blends over it: [owned] m s⁻¹, towards east and north.
    /// Collective over the group.
    virtual void apply(base::Instant time, std::span<double> eastward, std::span<double> northward) = 0;

    /// So far, on this rank.
    virtual parallel::ReadCost cost() const { return {}; }
};

}  // namespace groundswell::sea
