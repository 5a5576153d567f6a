#include "groundswell/quake/initial/initial_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/grid/units.hpp"

namespace groundswell::quake {

InitialGrid::InitialGrid(const std::string& path, const Region& region)
    : grid_(read(netcdf::Reader(path), region)) {}

Grid InitialGrid::read(const netcdf::Reader& file, const Region& region) {
    std::vector<Grid::Column> columns;
    std::vector<std::string_view> known;
    for (std::size_t q = 0; q < wave_unknowns; ++q) {
        known.push_back(all_fields()[q].names.name);
        const auto* variable = file.find(known.back());
        if (variable == nullptr) continue;
        const bool is_stress = q < Elastic::vx;
        columns.push_back({variable, unit_of(file, *variable, is_stress ? pressure_units : speed_units)});
        quantity_.push_back(q);
    }
    if (columns.empty()) {
        std::vector<std::string> names;
        for (const auto& variable : file.variables()) names.push_back(variable.name);
        base::refuse(file.path(), "variables", fmt::format("{}", fmt::join(names, ", ")),
                     fmt::format("one or more of {}", fmt::join(known, ", ")));
    }
    return {file, columns, region};
}

std::array<double, 9> InitialGrid::at(const tetra::Point& place) const {
    using Unknowns = std::array<double, 9>;
    const auto where = grid_.around(place, false, "");
    return Grid::interpolate(
        where,
        [&](const Grid::Index& index) {
            Unknowns unknowns{};
            const auto values = grid_.values(index);
            for (std::size_t v = 0; v < values.size(); ++v) {
                if (std::isnan(values[v]))
                    base::refuse(grid_.path(), grid_.name(v, index), "(missing)",
                                 fmt::format("a number; an element needs it at {}", show(place)));
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
