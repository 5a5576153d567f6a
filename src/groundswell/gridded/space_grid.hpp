#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "groundswell/gridded/axis/axis.hpp"
#include "groundswell/gridded/space/place.hpp"
#include "groundswell/netcdf/reader.hpp"

namespace groundswell::gridded {

/// Refuses a file for the variables that it has, or has not.
[[noreturn]] void refuse_variables(const netcdf::Reader& file, std::string expected);

class Scattered;

/// Variables on a rectilinear grid of a NetCDF file, packed or not, on axes x, y and z in any order, or on z alone, in m or
/// km. Between points each goes straight along each axis. Or variables at points that lie anywhere, see Scattered: then it knows
/// those points alone.
class SpaceGrid {
public:
    using Variable = netcdf::Reader::Variable;
    struct Column {
        const Variable* variable;
        double unit;  ///< in SI
    };
    using Index = std::array<std::size_t, 3>;  ///< of a point along x, y and z, as the file counts
    using Around = std::array<Axis::Between, 3>;

    /// Reads what the region needs, by this rank alone; nothing but axes for an empty one. base::Refusal for what is not of
    /// that form.
    SpaceGrid(const netcdf::Reader& file, std::span<const Column> columns, const Region& region);

    /// The points around a place in the region. Beyond the edges the nearest ones, or else base::Refusal; `cure`: what may be
    /// done, after a semicolon.
    Around around(const Place& place, bool nearest, std::string_view cure) const;
    /// The values at a point, by column; SI, holes are NaN.
    std::span<const double> values(const Index& index) const;
    /// "vp(2, 0, 1)": of what stands there in the file.
    std::string name(std::size_t column, const Index& index) const;
    const std::string& path() const { return path_; }

    /// Interpolates between the values `at(index)` of the points around a place: `between(a, b, weight)` is a for weight 0 and b
    /// for 1.
    template <class At, class Between>
    static auto interpolate(const Around& where, const At& at, const Between& between) {
        const auto along_x = [&](int y, int z) {
            const auto end = [&](int x) {
                return at(Index{where[0].point[x], where[1].point[y], where[2].point[z]});
            };
            return between(end(0), end(1), where[0].weight);
        };
        const auto along_y = [&](int z) { return between(along_x(0, z), along_x(1, z), where[1].weight); };
        return between(along_y(0), along_y(1), where[2].weight);
    }

private:
    struct Window {
        std::size_t first = 0, count = 1;  // points of the file
        std::size_t stride = 0;            // from one to the next, in the values read
    };
    void require_alike(std::span<const Column> columns) const;
    void read_axes(const netcdf::Reader& file, std::span<const Column> columns);
    void read_points(const netcdf::Reader& file, std::span<const Column> columns, const Region& region);
    void choose_windows(const Region& region);
    void read_values(const netcdf::Reader& file, std::span<const Column> columns);

    std::string path_;
    std::vector<std::string> name_;  // of the variables
    std::array<Axis, 3> axis_;
    std::vector<int> order_;  // axes as the file's dimensions follow each other
    std::array<Window, 3> window_;
    std::vector<double> value_;                   // [point of the windows][column]
    std::shared_ptr<const Scattered> scattered_;  // null: a grid
};

}  // namespace groundswell::gridded
