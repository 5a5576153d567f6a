// Meshes of the sphere in files.
#pragma once

#include <optional>
#include <string>

#include "groundswell/mesh/voronoi/global_mesh.hpp"

namespace groundswell::voronoi {

struct MpasArrays;

struct ReadOptions {
    /// m: this depth everywhere, whatever the file says. Needed where the file has no `bottomDepth`.
    std::optional<double> uniform_depth;
};

/// Reads and checks a mesh of the sphere, in one of the formats of formats/ or in MPAS format: NetCDF, any kind that netCDF-C
/// reads; indices from 1; angles in radians; `bottomDepth` in metres, positive down, <= 0 on land. A `sphere_radius` within 1 %
/// of the Earth's is kept, any other (meshes on the unit sphere) is scaled to base::earth_radius, with all
/// lengths and areas. Throws base::Refusal, with file, variable, index, value and what was expected, if the
/// file is not such a mesh. Called by one rank; needs memory for the whole mesh. A run reads its mesh by
/// load_mesh(), each rank its slab.
GlobalMesh read_mesh(const std::string& path, const ReadOptions& options = {});

/// Whether a file is in one of the formats of formats/, not in MPAS format. Not collective.
bool has_other_format(const std::string& path);

/// Throws base::Refusal where neither the file nor the options give depths.
void require_depth(const MpasArrays& arrays, const ReadOptions& options);

/// The mesh of the arrays' own cells, which have been checked. Edges and vertices are numbered as the arrays
/// hold them; `neighbour` counts rows of the file.
GlobalMesh mesh_of(MpasArrays arrays, const ReadOptions& options);

}  // namespace groundswell::voronoi
