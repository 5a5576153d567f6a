#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "groundswell/gridded/space/place.hpp"
#include "groundswell/netcdf/reader.hpp"

namespace groundswell::gridded {

/// Points of a file that lie anywhere, in variables x, y and z along the one dimension of its values: the places at which a mesh
/// asks for them, such as the middles of its elements or the points of a fault.
class Scattered {
public:
    /// Whether a variable's one dimension counts such points.
    static bool is_along_points(const netcdf::Reader& file, const netcdf::Reader::Variable& variable);

    /// Reads what lies in the region and a little around it. base::Refusal for coordinates that are no lengths.
    Scattered(const netcdf::Reader& file, const netcdf::Reader::Variable& along, const Region& region);

    /// Rows of the file whose points it has, in ascending order.
    const std::vector<std::size_t>& rows() const { return rows_; }
    /// The point at a place, by its number in rows(): of several the first. base::Refusal, of the file at `path`, where there is
    /// none but for rounding.
    std::size_t at(const Place& place, const std::string& path) const;

private:
    using Cell = std::array<std::int64_t, 3>;
    struct Hash {
        std::size_t operator()(const Cell& cell) const {
            std::size_t mixed = 0;
            for (const std::int64_t one : cell)
                mixed = (mixed ^ static_cast<std::size_t>(one)) * 0x9E3779B97F4A7C15U;
            return mixed ^ (mixed >> 29U);
        }
    };
    Cell cell_of(const Place& place) const;

    double tolerance_ = 0.0;  // m, below which two places are the same
    std::vector<std::size_t> rows_;
    std::vector<Place> place_;
    std::unordered_multimap<Cell, std::size_t, Hash> found_;  // by cells that are some tolerances wide
};

}  // namespace groundswell::gridded
