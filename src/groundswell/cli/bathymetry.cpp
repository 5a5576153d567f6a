#include "groundswell/cli/bathymetry.hpp"

#include <cmath>
#include <memory>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/axis/role.hpp"
#include "groundswell/gridded/horizontal_grid.hpp"
#include "groundswell/netcdf/packing.hpp"
#include "groundswell/netcdf/reader.hpp"

namespace groundswell::cli {

namespace {

constexpr double land = -1.0;  // m

using netcdf::Reader;

// Whether a dimension goes along the latitudes, or the longitudes; a name alone does not make degrees of metres.
bool is_axis(const Reader& file, const Reader::Dimension& dimension, gridded::Role role) {
    const Reader::Variable* coordinate = file.find(dimension.name);
    return coordinate != nullptr && coordinate->dimensions.size() == 1 &&
           file.text(*coordinate, "units").starts_with("degree") &&
           gridded::role_of(file, *coordinate) == role;
}

// The one field on a latitude/longitude grid.
const Reader::Variable& find_field(const Reader& file) {
    std::vector<const Reader::Variable*> found;
    std::string names;
    for (const Reader::Variable& variable : file.variables()) {
        if (variable.dimensions.size() != 2 ||
            !is_axis(file, variable.dimensions[0], gridded::Role::latitude) ||
            !is_axis(file, variable.dimensions[1], gridded::Role::longitude))
            continue;
        found.push_back(&variable);
        names += (names.empty() ? "" : ", ") + variable.name;
    }
    base::require(found.size() == 1, file.path(), "elevation", found.empty() ? "(none)" : names,
                  "one variable (latitude, longitude) with axes in degrees_north and degrees_east");
    return *found[0];
}

struct Field {
    gridded::HorizontalGrid grid;
    std::vector<float> depth;  // by rows of the file; NaN where there is no value
    std::size_t width = 0;     // of a row; the grid may use one column less

    double at(double longitude, double latitude) const {
        gridded::HorizontalGrid::Box box{};
        if (!grid.locate(longitude, latitude, box) || box.hole > 0.0) return land;
        const auto value = [&](int row, int column) {
            return static_cast<double>(depth[static_cast<std::size_t>(box.row[row]) * width +
                                             static_cast<std::size_t>(box.column[column])]);
        };
        const auto along = [&](int row) {
            return (1.0 - box.column_weight) * value(row, 0) + box.column_weight * value(row, 1);
        };
        const double interpolated = (1.0 - box.row_weight) * along(0) + box.row_weight * along(1);
        return std::isfinite(interpolated) ? interpolated : land;
    }
};

}  // namespace

voronoi::DepthFunction read_bathymetry(const std::string& path) {
    const Reader file(path);
    const Reader::Variable& variable = find_field(file);
    const std::size_t rows = variable.dimensions[0].length, columns = variable.dimensions[1].length;
    auto field = std::make_shared<Field>(
        Field{gridded::HorizontalGrid(path, file.read_axis(*file.find(variable.dimensions[1].name)),
                                      file.read_axis(*file.find(variable.dimensions[0].name))),
              {},
              columns});
    const bool down = file.text(variable, "positive") == "down" ||
                      file.text(variable, "standard_name").find("depth") != std::string::npos;
    const double sign = down ? 1.0 : -1.0;
    const netcdf::Packing packing(file, variable);
    field->depth.reserve(rows * columns);
    std::vector<double> row(columns);
    for (std::size_t j = 0; j < rows; ++j) {
        file.read(variable, {j, 0}, {1, columns}, row.data());
        for (const double stored : row)
            field->depth.push_back(static_cast<float>(sign * packing.value(stored)));
    }
    return [field](double longitude, double latitude) { return field->at(longitude, latitude); };
}

}  // namespace groundswell::cli
