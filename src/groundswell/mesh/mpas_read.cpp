#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netcdf.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/mpas_arrays.hpp"

namespace groundswell::mesh {
namespace {

class File {
public:
    explicit File(const std::string& path) : path_(path) {
        const int status = nc_open(path.c_str(), NC_NOWRITE, &id_);
        if (status != NC_NOERR) {
            base::refuse(path_, "", "", fmt::format("a readable NetCDF mesh file ({})", nc_strerror(status)));
        }
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { nc_close(id_); }

    std::int32_t dimension(const char* name) const {
        int dimension = 0;
        std::size_t length = 0;
        if (nc_inq_dimid(id_, name, &dimension) != NC_NOERR) {
            base::refuse(path_, name, "", "a dimension of this name, as in the MPAS mesh format");
        }
        nc_inq_dimlen(id_, dimension, &length);
        // Room for six entries per cell in the 32-bit indices that the partitioner takes.
        base::require(length >= 1 && length <= std::numeric_limits<std::int32_t>::max() / 8, path_, name,
                      fmt::to_string(length), "at least 1 and at most 268 million");
        return static_cast<std::int32_t>(length);
    }

    bool has(const char* name) const {
        int variable = 0;
        return nc_inq_varid(id_, name, &variable) == NC_NOERR;
    }

    std::vector<double> doubles(const char* name, std::vector<std::size_t> shape) const {
        return read<double>(name, shape, nc_get_var_double);
    }
    std::vector<std::int32_t> integers(const char* name, std::vector<std::size_t> shape) const {
        return read<std::int32_t>(name, shape, nc_get_var_int);
    }
    std::optional<std::vector<double>> optional_doubles(const char* name,
                                                        std::vector<std::size_t> shape) const {
        if (!has(name)) return std::nullopt;
        return doubles(name, shape);
    }

    /// Upper case, without the padding that some writers leave; empty if there is none.
    std::string text_attribute(const char* name) const {
        std::size_t length = 0;
        nc_type type = NC_NAT;
        if (nc_inq_att(id_, NC_GLOBAL, name, &type, &length) != NC_NOERR || type != NC_CHAR) return {};
        std::string text(length, '\0');
        nc_get_att_text(id_, NC_GLOBAL, name, text.data());
        std::erase_if(text, [](unsigned char c) { return std::isspace(c) || c == '\0'; });
        std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
        return text;
    }

    double number_attribute(const char* name) const {
        double value = 0.0;
        std::size_t length = 0;
        if (nc_inq_attlen(id_, NC_GLOBAL, name, &length) != NC_NOERR || length != 1 ||
            nc_get_att_double(id_, NC_GLOBAL, name, &value) != NC_NOERR) {
            base::refuse(path_, name, "", "a global attribute of this name with one number");
        }
        return value;
    }

private:
    template <class Value, class Get>
    std::vector<Value> read(const char* name, const std::vector<std::size_t>& shape, Get get) const {
        int variable = 0;
        if (nc_inq_varid(id_, name, &variable) != NC_NOERR) {
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
        std::size_t count = 1;
        for (const std::size_t length : shape) count *= length;
        std::vector<Value> values(count);
        const int status = get(id_, variable, values.data());
        if (status != NC_NOERR) {
            base::refuse(path_, name, "", fmt::format("readable numbers ({})", nc_strerror(status)));
        }
        return values;
    }

    std::string path_;
    int id_ = -1;
};

}  // namespace

MpasArrays read_arrays(const std::string& path) {
    const File file(path);
    MpasArrays arrays;
    arrays.file = path;
    const std::string spherical = file.text_attribute("on_a_sphere");
    base::require(spherical.empty() || spherical == "YES", path, "on_a_sphere", spherical,
                  "YES: planar meshes are not supported");
    arrays.sphere_radius = file.number_attribute("sphere_radius");
    arrays.cells = file.dimension("nCells");
    arrays.edges = file.dimension("nEdges");
    arrays.vertices = file.dimension("nVertices");
    arrays.max_edges = file.dimension("maxEdges");
    const auto cells = static_cast<std::size_t>(arrays.cells), edges = static_cast<std::size_t>(arrays.edges),
               vertices = static_cast<std::size_t>(arrays.vertices),
               sides = static_cast<std::size_t>(arrays.max_edges);

    arrays.lon_cell = file.doubles("lonCell", {cells});
    arrays.lat_cell = file.doubles("latCell", {cells});
    arrays.area_cell = file.doubles("areaCell", {cells});
    arrays.bottom_depth = file.optional_doubles("bottomDepth", {cells});
    arrays.edges_on_cell_count = file.integers("nEdgesOnCell", {cells});
    arrays.cells_on_cell = file.integers("cellsOnCell", {cells, sides});
    arrays.edges_on_cell = file.integers("edgesOnCell", {cells, sides});
    arrays.vertices_on_cell = file.integers("verticesOnCell", {cells, sides});
    arrays.dv_edge = file.doubles("dvEdge", {edges});
    arrays.dc_edge = file.doubles("dcEdge", {edges});
    arrays.angle_edge = file.optional_doubles("angleEdge", {edges});
    arrays.lon_edge = file.optional_doubles("lonEdge", {edges});
    arrays.lat_edge = file.optional_doubles("latEdge", {edges});
    arrays.cells_on_edge = file.integers("cellsOnEdge", {edges, 2});
    arrays.vertices_on_edge = file.integers("verticesOnEdge", {edges, 2});
    arrays.lon_vertex = file.doubles("lonVertex", {vertices});
    arrays.lat_vertex = file.doubles("latVertex", {vertices});
    return arrays;
}

}  // namespace groundswell::mesh
