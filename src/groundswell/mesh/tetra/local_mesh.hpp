// One rank's part of a mesh of tetrahedra.

#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/mesh/part.hpp"
#include "groundswell/mesh/tetra/slab.hpp"

namespace groundswell::tetra {

/// Where the cells of a slab stand along a space-filling curve, which goes through their centres: what deal_cells() cuts.
/// Collective.
std::vector<std::uint64_t> places_on_curve(MPI_Comm comm, const Slab& slab);

/// The neighbour across a face of a local cell.
struct LocalAcross {
    std::int32_t cell = mesh::nothing;  ///< local cell, mesh::nothing, or mesh::absent
    std::int32_t face = 0;              ///< of that cell
};

struct LocalMesh : mesh::Part {
    std::vector<Tetrahedron> cell;                   ///< [total]
    std::vector<std::array<LocalAcross, 4>> across;  ///< [total]
    std::vector<std::int64_t> material_group;        ///< [total] as the mesh numbers them
    std::vector<std::int64_t> row;                   ///< [total] in the file

    /// The group (cluster) of a local cell.
    std::int32_t group_of(std::int32_t local) const;
    /// The owned cells in the order of their ids.
    std::vector<std::int32_t> owned_by_id() const;
};

/// Brings the cells of all slabs to the ranks that compute them: along a space-filling curve, each part of about the same
/// weight in every group, so that no rank waits for others whichever of the groups steps. `group` and `weight` by cell of the slab; a cell's id is its place on the curve. One ring of halo. Collective.
LocalMesh deal_cells(MPI_Comm comm, parallel::SparseExchange& exchange, const Slab& slab,
                     std::span<const std::array<Across, 4>> neighbours, std::span<const std::int32_t> group,
                     int groups, std::span<const std::int64_t> weight);

}  // namespace groundswell::tetra
