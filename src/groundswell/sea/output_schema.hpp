#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/output/schema.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

/// Contents of the model's output files: names, dimensions and attributes after CF-1.11, UGRID-1.0 and
/// ACDD-1.3. Pure descriptions, the same on every rank; the values are written by the streams.
namespace groundswell::sea {

/// Extent of the cells whose values a file holds, in degrees, for the ACDD attributes; of all ranks.
struct Extent {
    double west = 0.0, east = 0.0, south = 0.0, north = 0.0;
};

/// A map: fields (time, nFace) on the cells of the mesh, faces in mesh-file order, sea only.
output::Schema map_schema(const Case& run, const simulation::MapSection& map, const voronoi::LocalMesh& mesh,
                          const Extent& extent);

/// Names of the dimensions of rows and columns of a grid.
std::pair<std::string, std::string> grid_axes(const GridSection& section);
/// Fields (time, rows, columns) on a grid, rows from south to north. `methods`: words for cell_methods of each.
output::Schema grid_schema(const Case& run, const GridSection& section,
                           const std::vector<std::string>& methods);

/// Series of fields (time, station) at points.
output::Schema series_schema(const Case& run, const PointsSection& points, const Extent& extent);

/// Variable of what a source term does to the variance of each frequency.
std::string budget_name(std::string_view term);

/// Spectra efth (time, station, frequency, direction) at points, in the layout of WAVEWATCH III, and what else by frequency or depth
/// the section asks for.
output::Schema spectra_schema(const Case& run, const PointsSection& points, const SpectralGrid& grid,
                              const Extent& extent);

}  // namespace groundswell::sea
