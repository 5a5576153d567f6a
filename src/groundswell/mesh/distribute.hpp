// From the whole mesh on rank 0 to each rank's part.
#pragma once

#include <mpi.h>

#include <span>

#include "groundswell/mesh/global_mesh.hpp"
#include "groundswell/mesh/local_mesh.hpp"

namespace groundswell::mesh {

/// Cuts parts out of a mesh one after the other, without MPI. Each costs time and memory by its own size; the
/// extractor itself holds a few numbers per cell of the mesh. `mesh` and `part` must outlive it.
class Extractor {
public:
    /// `mesh` in model order (cells 0, 1, … are model ids); part[c] in [0, parts). layers: 1 or 2.
    Extractor(const GlobalMesh& mesh, std::span<const int> part, int parts, int layers);

    /// What rank `rank` holds of the mesh.
    LocalMesh local_mesh(int rank);

private:
    std::vector<std::int32_t> find_rings(std::span<const std::int32_t> owned);
    std::vector<std::int32_t> find_rim(std::span<const std::int32_t> owned) const;
    void fill_cells(LocalMesh& local, std::span<const std::int32_t> cells) const;
    void fill_edges(LocalMesh& local, std::span<const std::int32_t> cells) const;
    void fill_corners(LocalMesh& local, std::span<const std::int32_t> cells) const;

    const GlobalMesh& mesh_;
    std::span<const int> part_;
    int layers_;
    double smallest_spacing_;
    std::uint64_t identity_;
    int max_edges_ = 0;
    std::vector<std::int32_t> cells_by_part_;  // ascending inside a part
    std::vector<std::int64_t> part_begin_;     // [parts + 1]
    std::vector<std::int64_t> face_;           // [cells] place in mesh-file order
    std::vector<std::int32_t> node_;           // [vertices] node number, -1 if no cell has it
    std::int64_t nodes_ = 0;
    std::vector<std::int32_t> lowest_cell_;   // [vertices] lowest cell with this corner
    std::vector<std::int32_t> local_number_;  // [cells] scratch: place in the part being cut out, or -1
};

/// Gives every rank of `comm` its part: `root` cuts them out and sends them one at a time, so that it never
/// holds more than one part besides the mesh. On other ranks `mesh` and `part` are not looked at. Collective.
LocalMesh distribute(MPI_Comm comm, const GlobalMesh& mesh, std::span<const int> part, int layers,
                     int root = 0);

}  // namespace groundswell::mesh
