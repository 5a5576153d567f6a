#include "groundswell/quake/rock/grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/units.hpp"
#include "groundswell/gridded/words.hpp"

namespace groundswell::quake {

namespace {

// A variable of one of these names, written in any case; null where there is none.
const netcdf::Reader::Variable* find_named(const netcdf::Reader& file,
                                           std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names)
        for (const auto& variable : file.variables())
            if (gridded::plain_word(variable.name) == name) return &variable;
    return nullptr;
}

}  // namespace

RockGrid::RockGrid(const RockGridOptions& options, const gridded::Region& region)
    : options_(options), grid_(read(netcdf::Reader(options.file), region)) {}

gridded::SpaceGrid RockGrid::read(const netcdf::Reader& file, const gridded::Region& region) {
    const auto* density = find_named(file, {"density", "rho"});
    const auto *vp = find_named(file, {"vp"}), *vs = find_named(file, {"vs"});
    const auto *lambda = find_named(file, {"lambda"}), *mu = find_named(file, {"mu"});
    const bool speeds = vp != nullptr && vs != nullptr;
    moduli_ = lambda != nullptr && mu != nullptr;
    std::vector<const netcdf::Reader::Variable*> given{moduli_ ? lambda : vp, moduli_ ? mu : vs};
    if (anisotropic_ = find_named(file, {"c11"}) != nullptr; anisotropic_) {
        given.clear();
        for (int i = 0; i < elastic_constants; ++i) given.push_back(find_named(file, {name_of_constant(i)}));
        if (const auto none = std::ranges::find(given, nullptr); none != given.end())
            gridded::refuse_variables(file,
                                      fmt::format("all of c11, c12 … c66, of which {} is missing",
                                                  name_of_constant(static_cast<int>(none - given.begin()))));
        if (options_.attenuating)
            base::refuse(file.path(), "variables", "c11",
                         "vp and vs, or lambda and mu, in a case with the section [attenuation]: anisotropic "
                         "rock loses nothing");
    }
    if (density == nullptr || (speeds ? 1 : 0) + (moduli_ ? 1 : 0) + (anisotropic_ ? 1 : 0) != 1)
        gridded::refuse_variables(
            file, "density (or rho), and one of: vp and vs, lambda and mu, c11 to c66 of anisotropic rock");
    const gridded::UnitKind& kind = speeds ? gridded::speeds : gridded::pressures;
    std::vector<gridded::SpaceGrid::Column> columns{
        {density, gridded::unit_of(file, *density, gridded::densities)}};
    for (const auto* variable : given) columns.push_back({variable, gridded::unit_of(file, *variable, kind)});
    const auto *qp = find_named(file, {"qp"}), *qs = find_named(file, {"qs"});
    if (options_.attenuating && (qp == nullptr) != (qs == nullptr))
        base::refuse(file.path(), "variables", qp != nullptr ? "qp" : "qs", "both of qp and qs, or neither");
    attenuating_ = options_.attenuating && qp != nullptr;
    ignores_quality_ = !options_.attenuating && (qp != nullptr || qs != nullptr);
    if (attenuating_) columns.insert(columns.end(), {{qp, 1.0}, {qs, 1.0}});
    return {file, columns, region};
}

StatedRock RockGrid::point(const gridded::SpaceGrid::Index& index, const tetra::Point& place) const {
    const auto values = grid_.values(index);
    StatedRock rock{values[0], values[1], values[2], moduli_};
    if (anisotropic_) rock = {.density = values[0], .constants = {values.begin() + 1, values.end()}};
    if (attenuating_) {
        rock.loss_p = loss_of(values[3]);
        rock.loss_s = loss_of(values[4]);
    }
    const auto flaw = flaw_of(rock);
    if (!flaw) return rock;
    std::size_t constant = 0;
    while (anisotropic_ && flaw->key[0] == 'c' && name_of_constant(static_cast<int>(constant)) != flaw->key)
        ++constant;
    const std::size_t v = flaw->key[0] == 'c'                          ? 1 + constant
                          : flaw->key == "density"                     ? 0
                          : flaw->key == "vp" || flaw->key == "lambda" ? 1
                          : flaw->key == "qp"                          ? 3
                          : flaw->key == "qs"                          ? 4
                                                                       : 2;
    base::refuse(options_.file, grid_.name(v, index),
                 std::isnan(flaw->value) ? "(missing)" : fmt::format("{:.6g}", flaw->value),
                 fmt::format("{}; an element needs it at {}", flaw->expected, gridded::show(place)));
}

StatedRock RockGrid::at(const tetra::Point& place) const {
    const auto where = grid_.around(
        place, options_.nearest,
        "; with outside = \"nearest\" in the case, the values at the edges continue beyond them");
    return gridded::SpaceGrid::interpolate(
        where, [&](const gridded::SpaceGrid::Index& index) { return point(index, place); }, between);
}

}  // namespace groundswell::quake
