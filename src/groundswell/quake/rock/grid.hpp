#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/netcdf/reader.hpp"
#include "groundswell/quake/rock/axis.hpp"
#include "groundswell/quake/rock/options.hpp"

namespace groundswell::quake {

/// A box around places; of none at first.
struct Region {
    tetra::Point lowest, highest;

    Region() {
        lowest.fill(std::numeric_limits<double>::infinity());
        highest.fill(-std::numeric_limits<double>::infinity());
    }
    bool empty() const { return lowest[0] > highest[0]; }
    void add(const tetra::Point& place);
};

/// Rock on a rectilinear grid of a NetCDF file: variables density (or rho), and vp and vs or lambda and mu, packed or not, on
/// axes x, y and z in any order, or on z alone. Between points each variable goes straight along each axis.
class RockGrid {
public:
    /// Reads what the region needs, by this rank alone; nothing but axes and units for an empty one. base::Refusal for what is
    /// not of that form.
    RockGrid(const RockGridOptions& options, const Region& region);

    /// The rock at a place in the region. base::Refusal where the grid does not reach it, or has a hole or what is no rock
    /// beside it.
    StatedRock at(const tetra::Point& place) const;

private:
    using Variable = netcdf::Reader::Variable;
    struct Window {
        std::size_t first = 0, count = 1;  // points of the file
        std::size_t stride = 0;            // from one to the next, in the values read
    };

    std::array<const Variable*, 3> find_variables(const netcdf::Reader& file);
    void read_axes(const netcdf::Reader& file, const std::array<const Variable*, 3>& variables);
    void choose_windows(const Region& region);
    void read_values(const netcdf::Reader& file, const std::array<const Variable*, 3>& variables);
    StatedRock point(const std::array<std::size_t, 3>& index, const tetra::Point& place) const;
    std::array<Axis::Between, 3> around(const tetra::Point& place) const;

    RockGridOptions options_;
    bool moduli_ = false;
    std::array<std::string, 3> name_;  // of the variables, for people
    std::array<Axis, 3> axis_;
    std::vector<Axis::Direction> order_;  // of the file's dimensions
    std::array<Window, 3> window_;
    std::vector<std::array<double, 3>> value_;  // [point of the windows]; SI, holes are NaN
};

}  // namespace groundswell::quake
