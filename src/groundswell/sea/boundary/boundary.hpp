#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/sea/boundary/open_faces.hpp"
#include "groundswell/sea/boundary/section.hpp"
#include "groundswell/sea/boundary/source.hpp"
#include "groundswell/sea/propagation/inflow.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// Choice of the open faces of the mesh.
struct OpenMesh {
    std::string file;
    std::vector<double> beyond;  ///< as in find_open_faces()
};

/// The waves beyond the open faces of a rank, as the entries [[boundary]] have them.
class Boundary {
public:
    /// Finds the faces and lets the propagator know them. Throws base::Refusal on all ranks. `mesh` must outlive this. Collective.
    Boundary(MPI_Comm comm, const std::string& case_file, std::vector<BoundarySection> sections,
             const OpenMesh& open, const voronoi::LocalMesh& mesh, const SpectralGrid& grid,
             PropagationScheme scheme, Propagator& propagator);

    /// Opens all files for a period, checks them and reads what set(first) needs; warns of what the frequencies of the model do not
    /// hold. Collective.
    void open(base::Instant start, base::Instant first, base::Instant end);
    /// Sets what lies beyond all faces. Throws base::RunFailure on a rank whose file can no longer be read or holds no density there.
    void set(base::Instant time);

private:
    struct Entry {
        std::vector<OpenFace> faces;
        std::vector<std::size_t> place;  // among those of the inflow
        std::int64_t owned = 0;          // of owned cells
        std::unique_ptr<BoundarySource> source;
    };
    void require_faces(std::int64_t open_here) const;
    void warn_of_loss();
    void turn(std::size_t face, Real* action) const;

    MPI_Comm comm_;
    std::string case_file_;
    std::vector<BoundarySection> sections_;
    const SpectralGrid grid_;
    std::vector<Entry> entries_;
    std::shared_ptr<Inflow> inflow_;
    std::vector<double> frame_;  // [face of the inflow] bearing of east in the frame of its cell
    base::Instant end_;
};

}  // namespace groundswell::sea
