#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netcdf.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/mpas/mpas_arrays.hpp"
#include "groundswell/netcdf/library_call.hpp"

namespace groundswell::voronoi {
namespace {

int get_slab(int file, int variable, const std::size_t* start, const std::size_t* count, double* values) {
    return nc_get_vara_double(file, variable, start, count, values);
}
int get_slab(int file, int variable, const std::size_t* start, const std::size_t* count,
             std::int32_t* values) {
    return nc_get_vara_int(file, variable, start, count, values);
}

}  // namespace

MpasFile::MpasFile(const std::string& path) : path_(path), extent_(path) {
    const int status = limited([&] { return nc_open(path.c_str(), NC_NOWRITE, &id_); });
    if (status != NC_NOERR) {
        base::refuse(path_, "", "", fmt::format("a readable NetCDF mesh file ({})", nc_strerror(status)));
    }
    try {
        const std::string spherical = text_attribute("on_a_sphere");
        base::require(spherical.empty() || spherical == "YES", path_, "on_a_sphere", spherical,
                      "YES: planar meshes are not supported");
        sphere_radius_ = number_attribute("sphere_radius");
        cells_ = dimension("nCells");
        edges_ = dimension("nEdges");
        vertices_ = dimension("nVertices");
        max_edges_ = dimension("maxEdges");
    } catch (...) {
        close();
        throw;
    }
}

MpasFile::~MpasFile() {
    close();
}

void MpasFile::close() const {
    if (!netcdf::library_is_lost()) nc_close(id_);
}

/// A call of the library, on a file that may be damaged.
template <class Call>
int MpasFile::limited(Call&& call, std::int64_t bytes) const {
    return netcdf::limited_call(path_, std::forward<Call>(call), bytes);
}

std::int32_t MpasFile::dimension(const char* name) const {
    int dimension = 0;
    std::size_t length = 0;
    if (limited([&] { return nc_inq_dimid(id_, name, &dimension); }) != NC_NOERR) {
        base::refuse(path_, name, "", "a dimension of this name, as in the MPAS mesh format");
    }
    nc_inq_dimlen(id_, dimension, &length);
    // Room for six entries per cell in the 32-bit indices that the partitioner takes.
    base::require(length >= 1 && length <= std::numeric_limits<std::int32_t>::max() / 8, path_, name,
                  fmt::to_string(length), "at least 1 and at most 268 million");
    return static_cast<std::int32_t>(length);
}

bool MpasFile::has(const char* name) const {
    int variable = 0;
    return limited([&] { return nc_inq_varid(id_, name, &variable); }) == NC_NOERR;
}

/// Upper case, without the padding that some writers leave; empty if there is none.
std::string MpasFile::text_attribute(const char* name) const {
    std::size_t length = 0;
    nc_type type = NC_NAT;
    const auto inquire = [&] { return nc_inq_att(id_, NC_GLOBAL, name, &type, &length); };
    if (limited(inquire) != NC_NOERR || type != NC_CHAR) return {};
    std::string text(length, '\0');
    limited([&] { return nc_get_att_text(id_, NC_GLOBAL, name, text.data()); });
    std::erase_if(text, [](unsigned char c) { return std::isspace(c) || c == '\0'; });
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
}

double MpasFile::number_attribute(const char* name) const {
    double value = 0.0;
    std::size_t length = 0;
    if (limited([&] { return nc_inq_attlen(id_, NC_GLOBAL, name, &length); }) != NC_NOERR || length != 1 ||
        limited([&] { return nc_get_att_double(id_, NC_GLOBAL, name, &value); }) != NC_NOERR) {
        base::refuse(path_, name, "", "a global attribute of this name with one number");
    }
    return value;
}

/// Rows of a variable of shape (length) or, with a width, (length, width). The whole shape is checked, so
/// that every rank refuses the same file for the same reason.
template <class Value>
std::vector<Value> MpasFile::slab(const char* name, std::int32_t length, RowRange rows,
                                  std::int32_t width) const {
    std::vector<std::size_t> shape{static_cast<std::size_t>(length)};
    if (width > 0) shape.push_back(static_cast<std::size_t>(width));
    int variable = 0;
    if (limited([&] { return nc_inq_varid(id_, name, &variable); }) != NC_NOERR) {
        base::refuse(path_, name, "",
                     fmt::format("a variable of this name with shape ({}), as in the MPAS mesh format",
                                 fmt::join(shape, ", ")));
    }
    int rank = 0;
    nc_inq_varndims(id_, variable, &rank);
    std::vector<int> dimensions(rank);
    nc_inq_vardimid(id_, variable, dimensions.data());
    std::vector<std::size_t> found(rank);
    for (int d = 0; d < rank; ++d) nc_inq_dimlen(id_, dimensions[d], &found[d]);
    if (found != shape) {
        base::refuse(path_, name, fmt::format("array of shape ({})", fmt::join(found, ", ")),
                     fmt::format("shape ({})", fmt::join(shape, ", ")));
    }
    extent_.require(name);
    const auto count = static_cast<std::size_t>(rows.rows());
    std::vector<Value> values(count * static_cast<std::size_t>(std::max(width, 1)));
    if (values.empty()) return values;
    const std::vector<std::size_t> start{static_cast<std::size_t>(rows.begin), 0};
    const std::vector<std::size_t> edge{count, static_cast<std::size_t>(std::max(width, 1))};
    const int status =
        limited([&] { return get_slab(id_, variable, start.data(), edge.data(), values.data()); },
                static_cast<std::int64_t>(values.size() * sizeof(Value)));
    if (status != NC_NOERR) {
        base::refuse(path_, name, "", fmt::format("readable numbers ({})", nc_strerror(status)));
    }
    bytes_read_ += static_cast<std::int64_t>(values.size() * sizeof(Value));
    return values;
}

std::optional<std::vector<double>> MpasFile::optional_slab(const char* name, std::int32_t length,
                                                           RowRange rows) const {
    if (!has(name)) return std::nullopt;
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
    arrays.file = path_;
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
