#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/mpas/mpas_arrays.hpp"

namespace groundswell::voronoi {

MpasFile::MpasFile(const std::string& path) : file_(path, "NetCDF mesh file") {
    // Some writers pad it.
    std::string spherical = file_.text("on_a_sphere");
    std::erase_if(spherical, [](unsigned char c) { return std::isspace(c) || c == '\0'; });
    std::ranges::transform(spherical, spherical.begin(), [](unsigned char c) { return std::toupper(c); });
    base::require(spherical.empty() || spherical == "YES", path, "on_a_sphere", spherical,
                  "YES: planar meshes are not supported");
    const auto radius = file_.number("sphere_radius");
    if (!radius) base::refuse(path, "sphere_radius", "", "a global attribute of this name with one number");
    sphere_radius_ = *radius;
    cells_ = dimension("nCells");
    edges_ = dimension("nEdges");
    vertices_ = dimension("nVertices");
    max_edges_ = dimension("maxEdges");
}

std::int32_t MpasFile::dimension(const char* name) const {
    const auto* dimension = file_.find_dimension(name);
    base::require(dimension != nullptr, file_.path(), name, "",
                  "a dimension of this name, as in the MPAS mesh format");
    const std::size_t length = dimension->length;
    // Room for six entries per cell in the 32-bit indices that the partitioner takes.
    base::require(length >= 1 && length <= std::numeric_limits<std::int32_t>::max() / 8, file_.path(), name,
                  fmt::to_string(length), "at least 1 and at most 268 million");
    return static_cast<std::int32_t>(length);
}

/// Rows of a variable of shape (length) or, with a width, (length, width). The whole shape is checked, so
/// that every rank refuses the same file for the same reason.
template <class Value>
std::vector<Value> MpasFile::slab(const char* name, std::int32_t length, RowRange rows,
                                  std::int32_t width) const {
    std::vector<std::size_t> shape{static_cast<std::size_t>(length)};
    if (width > 0) shape.push_back(static_cast<std::size_t>(width));
    const auto* variable = file_.find(name);
    if (variable == nullptr)
        base::refuse(file_.path(), name, "",
                     fmt::format("a variable of this name with shape ({}), as in the MPAS mesh format",
                                 fmt::join(shape, ", ")));
    std::vector<std::size_t> found;
    for (const auto& each : variable->dimensions) found.push_back(each.length);
    if (found != shape)
        base::refuse(file_.path(), name, fmt::format("array of shape ({})", fmt::join(found, ", ")),
                     fmt::format("shape ({})", fmt::join(shape, ", ")));
    file_.require_whole(*variable);
    std::vector<std::size_t> start(shape.size(), 0), count = shape;
    start[0] = static_cast<std::size_t>(rows.begin);
    count[0] = static_cast<std::size_t>(rows.rows());
    std::vector<Value> values(count[0] * static_cast<std::size_t>(std::max(width, 1)));
    file_.read(*variable, start, count, values.data());
    bytes_read_ += static_cast<std::int64_t>(values.size() * sizeof(Value));
    return values;
}

std::optional<std::vector<double>> MpasFile::optional_slab(const char* name, std::int32_t length,
                                                           RowRange rows) const {
    if (file_.find(name) == nullptr) return std::nullopt;
    return slab<double>(name, length, rows);
}

std::vector<double> MpasFile::cell_numbers(const char* variable, RowRange rows) const {
    return slab<double>(variable, cells_, rows);
}

std::vector<std::int32_t> MpasFile::cell_indices(const char* variable, RowRange rows, bool per_edge) const {
    return slab<std::int32_t>(variable, cells_, rows, per_edge ? max_edges_ : 0);
}

MpasArrays MpasFile::read(RowRange of_cells, RowRange of_edges, RowRange of_vertices) const {
    MpasArrays arrays;
    arrays.file = file_.path();
    arrays.sphere_radius = sphere_radius_;
    arrays.cells = cells_;
    arrays.edges = edges_;
    arrays.vertices = vertices_;
    arrays.max_edges = max_edges_;
    arrays.held_cells = HeldRows(of_cells.begin, of_cells.rows());
    arrays.held_edges = HeldRows(of_edges.begin, of_edges.rows());
    arrays.held_vertices = HeldRows(of_vertices.begin, of_vertices.rows());

    arrays.lon_cell = cell_numbers("lonCell", of_cells);
    arrays.lat_cell = cell_numbers("latCell", of_cells);
    arrays.area_cell = cell_numbers("areaCell", of_cells);
    arrays.bottom_depth = optional_slab("bottomDepth", cells_, of_cells);
    arrays.edges_on_cell_count = cell_indices("nEdgesOnCell", of_cells, false);
    arrays.cells_on_cell = cell_indices("cellsOnCell", of_cells, true);
    arrays.edges_on_cell = cell_indices("edgesOnCell", of_cells, true);
    arrays.vertices_on_cell = cell_indices("verticesOnCell", of_cells, true);
    arrays.dv_edge = slab<double>("dvEdge", edges_, of_edges);
    arrays.dc_edge = slab<double>("dcEdge", edges_, of_edges);
    arrays.angle_edge = optional_slab("angleEdge", edges_, of_edges);
    arrays.lon_edge = optional_slab("lonEdge", edges_, of_edges);
    arrays.lat_edge = optional_slab("latEdge", edges_, of_edges);
    arrays.cells_on_edge = slab<std::int32_t>("cellsOnEdge", edges_, of_edges, 2);
    arrays.vertices_on_edge = slab<std::int32_t>("verticesOnEdge", edges_, of_edges, 2);
    arrays.lon_vertex = slab<double>("lonVertex", vertices_, of_vertices);
    arrays.lat_vertex = slab<double>("latVertex", vertices_, of_vertices);
    return arrays;
}

MpasArrays read_arrays(const std::string& path) {
    const MpasFile file(path);
    return file.read({0, file.cells()}, {0, file.edges()}, {0, file.vertices()});
}

std::vector<std::int32_t> count_listings(const MpasArrays& arrays) {
    std::vector<std::int32_t> listings(arrays.cells_on_edge.size() / 2, 0);
    for (std::int64_t c = 0; c < arrays.held_cells.own; ++c) {
        for (std::int64_t k = 0; k < arrays.edges_on_cell_count[c]; ++k)
            ++listings[arrays.held_edges.here(arrays.edges_on_cell[c * arrays.max_edges + k] - 1)];
    }
    return listings;
}

}  // namespace groundswell::voronoi
