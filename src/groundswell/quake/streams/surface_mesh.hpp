#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/schema.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/streams/sections.hpp"

namespace groundswell::quake {

/// The free surface as triangles: the faces of this rank's cells, or parts of them, in the order of a file that depends on
/// no rank: by the cells' ids, then by face, then by part.
class SurfaceMesh {
public:
    struct Triangle {
        std::int32_t cell = 0;                 ///< local
        std::array<tetra::Point, 3> corner{};  ///< m, anticlockwise seen from outside
        tetra::Point centre{};                 ///< m
        tetra::Point reference{};              ///< the centre in the coordinates of the cell
        std::int32_t face = 0;                 ///< which of those that were given
        Point2 in_face{};                      ///< the centre in its own coordinates
    };

    /// A face of a cell of this rank.
    struct Face {
        std::int32_t cell = 0, face = 0;
    };
    /// Name of the faces, for people and for refusals of a key.
    struct About {
        std::string key, file, name;  ///< "output.surface[]", "surface.nc", "the free surface"
        int refine = 0;               ///< times that each is cut in four
    };

    /// `faces` in the order of their cells' ids, and then of faces; the rest as below. Collective.
    SurfaceMesh(MPI_Comm comm, const ProjectedCase& run, const tetra::LocalMesh& mesh,
                const std::vector<Face>& faces, About about);
    /// base::Refusal on all ranks where the mesh has no free surface, or there would be too many triangles. `mesh`: the rank's part; not kept. Collective.
    SurfaceMesh(MPI_Comm comm, const ProjectedCase& run, const SurfaceSection& section,
                const tetra::LocalMesh& mesh);

    const std::vector<Triangle>& triangles() const { return triangles_; }
    const output::Decomposition& rows() const { return *rows_; }

    /// Adds what a file after the UGRID conventions says of the mesh; degrees too where the case has a projection.
    void add_to(output::Schema& schema, const ProjectedCase& run) const;
    /// Writes it. Collective.
    void write(output::Dataset& file, const ProjectedCase& run) const;

private:
    About about_;
    std::vector<Triangle> triangles_;
    std::vector<std::int64_t> mesh_cell_;  // [triangle], row in the file of the mesh
    std::unique_ptr<const output::Decomposition> rows_, nodes_;
};

}  // namespace groundswell::quake
