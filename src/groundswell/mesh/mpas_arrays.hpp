// The variables of an MPAS-format mesh file as they stand there, before anything is believed about them.
// Format: "MPAS Mesh Specification", version 1.0 (Los Alamos and NCAR, 2015). Indices count from 1, 0 means
// none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace groundswell::mesh {

struct MpasArrays {
    std::string file;
    double sphere_radius = 0.0;  ///< in the unit of the lengths
    std::int32_t cells = 0, edges = 0, vertices = 0, max_edges = 0;

    std::vector<double> lon_cell, lat_cell, area_cell;                         // [cells]
    std::optional<std::vector<double>> bottom_depth;                           // [cells]
    std::vector<std::int32_t> edges_on_cell_count;                             // [cells], nEdgesOnCell
    std::vector<std::int32_t> cells_on_cell, edges_on_cell, vertices_on_cell;  // [cells][max_edges]

    std::vector<double> dv_edge, dc_edge;                               // [edges]
    std::optional<std::vector<double>> angle_edge, lon_edge, lat_edge;  // [edges]
    std::vector<std::int32_t> cells_on_edge, vertices_on_edge;          // [edges][2]

    std::vector<double> lon_vertex, lat_vertex;  // [vertices]
};

/// Reads the variables. Throws base::Refusal with file, variable, shape found and expected where one is
/// missing, is not numeric, or does not have the dimensions of the format; where the file cannot be opened;
/// where the mesh is planar.
MpasArrays read_arrays(const std::string& path);

/// Throws base::Refusal at the first value that no mesh can have, naming variable, index (from 1), value and
/// what was expected: indices out of range, neighbours, edges or corners that contradict each other,
/// coordinates that are not radians, depths that are not finite, areas and lengths not positive or not of the
/// coordinates' size, edge angles that contradict the coordinates.
void check_arrays(const MpasArrays& arrays);

}  // namespace groundswell::mesh
