#include "groundswell/quake/fault/grid_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/units.hpp"
#include "groundswell/gridded/words.hpp"

namespace groundswell::quake {

namespace {

constexpr std::array tensor{"xx", "yy", "zz", "xy", "yz", "xz"};
constexpr std::array directions{"normal", "strike", "dip"};

// A number of a law without a unit may lack the attribute.
double unit_of_parameter(const netcdf::Reader& file, const netcdf::Reader::Variable& variable,
                         std::string_view unit) {
    if (unit == "Pa") return gridded::unit_of(file, variable, gridded::pressures);
    const std::string given = gridded::plain_word(file.text(variable, "units"));
    const bool same = given == gridded::plain_word(unit) || (unit == "1" && given.empty());
    base::require(same, file.path(), variable.name + ":units", given.empty() ? "(none)" : given,
                  std::string(unit));
    return 1.0;
}

}  // namespace

bool FaultGrid::nucleates() const {
    return std::ranges::any_of(columns_, [](const Column& column) {
        return column.what == Column::nucleation_stress || column.what == Column::nucleation_traction;
    });
}

void FaultGrid::load(const LawDescription& law, const gridded::Region& region) {
    const netcdf::Reader file(file_);
    law_ = &law;
    std::vector<gridded::SpaceGrid::Column> read;
    columns_.clear();
    const auto add_numbers = [&](std::span<const LawParameter> numbers, Column::What what) {
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto* variable = numbers[i].name.empty() ? nullptr : file.find(numbers[i].name);
            if (variable == nullptr) continue;
            read.push_back({variable, unit_of_parameter(file, *variable, numbers[i].unit)});
            columns_.push_back({what, i});
        }
    };
    add_numbers(law.at_places, Column::parameter);
    add_numbers(thermal_keys, Column::thermal);
    const auto add = [&](const std::string& before, const auto& names, Column::What what) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto* variable = file.find(before + names[i]);
            if (variable == nullptr) continue;
            read.push_back({variable, gridded::unit_of(file, *variable, gridded::pressures)});
            columns_.push_back({what, i});
        }
    };
    add("stress_", tensor, Column::stress);
    add("traction_", directions, Column::traction);
    add("nucleation_stress_", tensor, Column::nucleation_stress);
    add("nucleation_traction_", directions, Column::nucleation_traction);
    if (read.empty())
        gridded::refuse_variables(
            file,
            fmt::format("numbers of the law {}, such as {}, or stress_xx …, traction_strike …, nucleation_…",
                        law.name, law.at_places.front().name));
    grid_.emplace(file, read, region);
}

FaultGrid::Values FaultGrid::at(const tetra::Point& place, std::optional<Column::What> only) const {
    const auto where = grid_->around(
        place, nearest_,
        "; with outside_grid = \"nearest\" in the case, the values at the edges continue beyond them");
    const auto point = [&](const gridded::SpaceGrid::Index& index) {
        const auto values = grid_->values(index);
        Values found{};
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (only && columns_[c].what != *only) continue;
            found[c] = values[c];
            const auto [what, number] = columns_[c];
            const LawParameter* const limits = what == Column::parameter ? &law_->at_places[number]
                                               : what == Column::thermal ? &thermal_keys[number]
                                                                         : nullptr;
            const double least = limits != nullptr ? limits->least : -1e30;
            const double most_of_it = limits != nullptr ? limits->most : 1e30;
            if (found[c] >= least && found[c] <= most_of_it) continue;
            base::refuse(file_, grid_->name(c, index),
                         std::isnan(found[c]) ? "(missing)" : fmt::format("{:.6g}", found[c]),
                         fmt::format("a number from {:.4g} to {:.4g}; the fault needs it at {}", least,
                                     most_of_it, gridded::show(place)));
        }
        return found;
    };
    return gridded::SpaceGrid::interpolate(
        where, point, [&](const Values& a, const Values& b, double weight) {
            Values between{};
            // An end with no limit is not mixed with.
            for (std::size_t c = 0; c < columns_.size(); ++c)
                between[c] = weight == 0.0 ? a[c] : weight == 1.0 ? b[c] : a[c] + weight * (b[c] - a[c]);
            return between;
        });
}

}  // namespace groundswell::quake
