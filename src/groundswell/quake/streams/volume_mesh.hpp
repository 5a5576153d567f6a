#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/schema.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/projected_case.hpp"
#include "groundswell/quake/streams/sections.hpp"

namespace groundswell::quake {

/// Cells of this rank, or what they are cut into, in the order of a file that depends on no rank: by the cells' ids, then by
/// part.
class VolumeMesh {
public:
    /// base::Refusal on all ranks where no cell lies in the section's box, or there would be too many tetrahedra. Collective.
    VolumeMesh(MPI_Comm comm, const ProjectedCase& run, const VolumeSection& section,
               const tetra::LocalMesh& mesh);

    /// Index of a cell of this rank among cells(), or -1.
    std::int32_t number_of(std::int32_t cell) const { return number_[cell]; }
    std::size_t cells() const { return cells_.size(); }
    /// Where the parts of every cell have their centres, in its own coordinates: those of a cell follow each other in rows().
    const std::vector<Point3>& parts() const { return centres_; }
    const output::Decomposition& rows() const { return *rows_; }
    const output::Decomposition& nodes() const { return *nodes_; }

    /// Adds what a file after the UGRID conventions says of the mesh; degrees too where the case has a projection.
    void add_to(output::Schema& schema, const ProjectedCase& run) const;
    /// Writes it. Collective.
    void write(output::Dataset& file, const ProjectedCase& run) const;

private:
    struct Cell {
        std::array<tetra::Point, 4> corner{};
        std::int64_t row = 0, group = 0;  // in the file of the mesh
        bool turned = false;              // its corners stand the wrong way round
    };
    using Part = std::array<Point3, 4>;

    static void cut(const Part& part, int times, std::vector<Part>& parts);

    std::vector<Point3> nodes_of_cell_;               // corners of all parts, each once
    std::vector<std::array<std::int32_t, 4>> parts_;  // of these
    std::vector<Point3> centres_;
    std::vector<Cell> cells_;
    std::vector<std::int32_t> number_;  // [cell of this rank]
    std::unique_ptr<const output::Decomposition> rows_, nodes_;
};

}  // namespace groundswell::quake
