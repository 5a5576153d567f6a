#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "groundswell/base/time.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/sea/boundary/section.hpp"
#include "groundswell/sea/propagation/inflow.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// A face at which the mesh ends and the sea does not.
struct OpenFace {
    std::int32_t cell, edge;  ///< local cell, owned or of the halo; index into the mesh's edge arrays
    double lon,
        lat;  ///< rad: the cell's centre seen in the face as in a mirror, where that of a cell beyond would be
};

/// The open faces of all local cells, by edge. A mesh file lists its faces in openFaceCell and openFaceSide (the cell's index in the
/// file, and which of its edges, both from 1), as `groundswell mesh make` does; or `beyond` = [west, east, south, north] in degrees
/// tells them: those whose point lies outside. Throws base::Refusal where neither is there. Collective.
std::vector<OpenFace> find_open_faces(MPI_Comm comm, const std::string& case_file,
                                      const std::string& mesh_file, const std::vector<double>& beyond,
                                      const voronoi::LocalMesh& mesh);

/// Is a place (rad) in a region [west, east, south, north] in degrees? Longitudes are compared modulo 360.
bool is_inside(const std::vector<double>& region, double lon, double lat);

/// Choice of the open faces of the mesh.
struct OpenMesh {
    std::string file;
    std::vector<double> beyond;  ///< as in find_open_faces()
};

/// One [[boundary]] on faces of this rank: a function of a face's place and of time alone.
class BoundarySource {
public:
    virtual ~BoundarySource() = default;
    /// To be called before spectrum() of the same time. Throws base::Refusal for what a file turns out to hold.
    virtual void read(base::Instant time) = 0;
    /// Sets action[bins] beyond face `face` of those that it was made for, true north up.
    virtual void spectrum(std::size_t face, Real* action) const = 0;
    /// The largest share of the variance of a station's spectrum in the period that lies outside the model's frequencies, and
    /// where and when: for a warning. As far as one in a few times shows it.
    struct Loss {
        double share = 0.0;
        std::string where;
    };
    virtual Loss find_loss() { return {}; }
};

/// Throws base::Refusal. Not collective.
std::unique_ptr<BoundarySource> make_boundary_source(const BoundarySection& section,
                                                     const std::string& case_file, const SpectralGrid& grid,
                                                     std::span<const OpenFace> faces, base::Instant start,
                                                     base::Instant end);

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
