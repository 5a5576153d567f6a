#include "groundswell/quake/initial/initial_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/units.hpp"
#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/fields.hpp"

namespace groundswell::quake {

InitialGrid::InitialGrid(const std::string& path, const gridded::Region& region)
    : grid_(read(netcdf::Reader(path), region)) {}

gridded::SpaceGrid InitialGrid::read(const netcdf::Reader& file, const gridded::Region& region) {
    std::vector<gridded::SpaceGrid::Column> columns;
    std::vector<std::string_view> known;
    for (std::size_t q = 0; q < wave_unknowns; ++q) {
        known.push_back(all_fields()[q].names.name);
        const auto* variable = file.find(known.back());
        if (variable == nullptr) continue;
        const bool is_stress = q < Elastic::vx;
        columns.push_back(
            {variable, gridded::unit_of(file, *variable, is_stress ? gridded::pressures : gridded::speeds)});
        quantity_.push_back(q);
    }
    if (columns.empty())
        gridded::refuse_variables(file, fmt::format("one or more of {}", fmt::join(known, ", ")));
    return {file, columns, region};
}

std::array<double, 9> InitialGrid::at(const tetra::Point& place) const {
    using Unknowns = std::array<double, 9>;
    const auto where = grid_.around(place, false, "");
    return gridded::SpaceGrid::interpolate(
        where,
        [&](const gridded::SpaceGrid::Index& index) {
            Unknowns unknowns{};
            const auto values = grid_.values(index);
            for (std::size_t v = 0; v < values.size(); ++v) {
                if (std::isnan(values[v]))
                    base::refuse(grid_.path(), grid_.name(v, index), "(missing)",
                                 fmt::format("a number; an element needs it at {}", gridded::show(place)));
                unknowns[quantity_[v]] = values[v];
            }
            return unknowns;
        },
        [](Unknowns a, const Unknowns& b, double weight) {
            for (int q = 0; q < 9; ++q) a[q] = std::lerp(a[q], b[q], weight);
            return a;
        });
}

}  // namespace groundswell::quake
