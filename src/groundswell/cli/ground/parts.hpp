#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "groundswell/cli/ground/ground.hpp"
#include "groundswell/cli/report/part_traffic.hpp"
#include "groundswell/halo/plan.hpp"

/// Bytes that ranks would exchange in an earthquake run, by the sides of faces that they read (quake/connections.hpp).
namespace groundswell::cli {

/// Bytes of one side of a face, at the order and precision of the request.
std::size_t bytes_of_side(const GroundRequest& request);

/// The elements in the order of the curve, in groups by cluster, weighed by what they cost between meetings; an edge by the
/// updates of both its ends. Parts count sides that
/// are received from one meeting of all clusters to the next. The whole mesh is on this rank alone: MPI_COMM_SELF.
CutMesh cut_mesh_of(const GroundRequest& request, const Ground& ground, const quake::Clusters& clusters);

/// All sides that ranks read of each other where all clusters step at once: a plan, and the ids that it was made of, owned and
/// then needed.
struct SidePlan {
    std::shared_ptr<const halo::Plan> plan;
    std::vector<std::int64_t> ids;
};
/// The elements are dealt out as a run does it. Collective.
SidePlan plan_of_sides(MPI_Comm comm, parallel::SparseExchange& exchange, const GroundRequest& request,
                       const Ground& ground, const quake::Clusters& clusters);

}  // namespace groundswell::cli
