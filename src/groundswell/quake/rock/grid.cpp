#include "groundswell/quake/rock/grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>

#include "groundswell/base/errors.hpp"

namespace groundswell::quake {

namespace {

using netcdf::Reader;

struct Unit {
    const char* name;
    double factor;
};

struct UnitKind {
    std::vector<Unit> units;  // names without blanks, points, ^ and *, in lower case
    const char* expected;
};

const UnitKind density_units{{{"kgm-3", 1.0}, {"kg/m3", 1.0}, {"gcm-3", 1000.0}, {"g/cm3", 1000.0}},
                             "kg m-3 or g cm-3"};
const UnitKind speed_units{{{"ms-1", 1.0}, {"m/s", 1.0}, {"kms-1", 1000.0}, {"km/s", 1000.0}},
                           "m s-1 or km s-1"};
const UnitKind modulus_units{{{"pa", 1.0}, {"mpa", 1e6}, {"gpa", 1e9}}, "Pa, MPa or GPa"};

std::string plain(std::string_view text) {
    std::string word;
    for (const char c : text)
        if (std::string_view(" ._*^").find(c) == std::string_view::npos)
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return word;
}

double unit_of(const Reader& file, const Reader::Variable& variable, const UnitKind& kind) {
    const std::string units = file.text(variable, "units"), word = plain(units);
    for (const Unit& unit : kind.units)
        if (word == unit.name) return unit.factor;
    base::refuse(file.path(), variable.name + ":units", units.empty() ? "(none)" : units, kind.expected);
}

const Reader::Variable* find_named(const Reader& file, std::initializer_list<const char*> names) {
    for (const char* name : names)
        for (const auto& variable : file.variables())
            if (plain(variable.name) == name) return &variable;
    return nullptr;
}

std::string dimensions_of(const Reader::Variable& variable) {
    std::vector<std::string> names;
    for (const auto& dimension : variable.dimensions) names.push_back(dimension.name);
    return fmt::format("({})", fmt::join(names, ", "));
}

std::string show(const tetra::Point& place) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", place[0], place[1], place[2]);
}

}  // namespace

void Region::add(const tetra::Point& place) {
    for (int j = 0; j < 3; ++j) {
        lowest[j] = std::min(lowest[j], place[j]);
        highest[j] = std::max(highest[j], place[j]);
    }
}

RockGrid::RockGrid(const RockGridOptions& options, const Region& region) : options_(options) {
    const Reader file(options.file);
    const auto variables = find_variables(file);
    read_axes(file, variables);
    if (region.empty()) return;
    choose_windows(region);
    read_values(file, variables);
}

std::array<const Reader::Variable*, 3> RockGrid::find_variables(const Reader& file) {
    const auto* density = find_named(file, {"density", "rho"});
    const auto *vp = find_named(file, {"vp"}), *vs = find_named(file, {"vs"});
    const auto *lambda = find_named(file, {"lambda"}), *mu = find_named(file, {"mu"});
    const bool speeds = vp != nullptr && vs != nullptr;
    moduli_ = lambda != nullptr && mu != nullptr;
    if (density == nullptr || speeds == moduli_) {
        std::vector<std::string> names;
        for (const auto& variable : file.variables()) names.push_back(variable.name);
        base::refuse(file.path(), "variables", fmt::format("{}", fmt::join(names, ", ")),
                     "density (or rho), and either vp and vs or lambda and mu");
    }
    return {density, moduli_ ? lambda : vp, moduli_ ? mu : vs};
}

void RockGrid::read_axes(const Reader& file, const std::array<const Variable*, 3>& variables) {
    const Variable& density = *variables[0];
    for (int v = 0; v < 3; ++v) {
        name_[v] = variables[v]->name;
        base::require(dimensions_of(*variables[v]) == dimensions_of(density), file.path(), name_[v],
                      dimensions_of(*variables[v]),
                      fmt::format("{}, as {} has", dimensions_of(density), name_[0]));
    }
    bool sound = density.dimensions.size() == 3 || density.dimensions.size() == 1;
    for (const auto& dimension : density.dimensions) {
        const Variable* coordinate = file.find(dimension.name);
        if (coordinate == nullptr || coordinate->dimensions.size() != 1) {
            sound = false;
            break;
        }
        const auto direction = Axis::direction_of(file, *coordinate);
        sound = sound && direction && std::ranges::find(order_, *direction) == order_.end();
        if (!sound) break;
        order_.push_back(*direction);
        axis_[*direction] = Axis(file, *coordinate);
    }
    sound = sound && std::ranges::find(order_, Axis::z) != order_.end();
    base::require(
        sound, file.path(), density.name, dimensions_of(density),
        "dimensions x, y and z in any order, or z alone, each with a coordinate variable of its name");
}

void RockGrid::choose_windows(const Region& region) {
    double points = 1.0;
    for (auto direction = order_.rbegin(); direction != order_.rend(); ++direction) {
        const auto from = axis_[*direction].find_nearest(region.lowest[*direction]);
        const auto to = axis_[*direction].find_nearest(region.highest[*direction]);
        const auto [first, last] = std::minmax({from.point[0], from.point[1], to.point[0], to.point[1]});
        window_[*direction] = {first, last - first + 1, static_cast<std::size_t>(points)};
        points *= static_cast<double>(last - first + 1);
        base::require(points < 1e9, options_.file, name_[0], fmt::format("{:.3g} points", points),
                      "at most 1e9 in the part of the grid that a rank's elements lie in");
    }
}

void RockGrid::read_values(const Reader& file, const std::array<const Variable*, 3>& variables) {
    std::vector<std::size_t> first, count;
    std::size_t points = 1;
    for (const Axis::Direction direction : order_) {
        first.push_back(window_[direction].first);
        count.push_back(window_[direction].count);
        points *= count.back();
    }
    for (const Variable* variable : variables) file.require_whole(*variable);
    const UnitKind& kind = moduli_ ? modulus_units : speed_units;
    value_.resize(points);
    std::vector<double> stored(points);
    for (int v = 0; v < 3; ++v) {
        const double unit = unit_of(file, *variables[v], v == 0 ? density_units : kind);
        const double scale = unit * file.number(*variables[v], "scale_factor").value_or(1.0);
        const double offset = unit * file.number(*variables[v], "add_offset").value_or(0.0);
        const auto fill = file.number(*variables[v], "_FillValue");
        const auto missing = file.number(*variables[v], "missing_value");
        file.read(*variables[v], first, count, stored.data());
        for (std::size_t i = 0; i < points; ++i) {
            // Beyond 1e30 lie the values by which the library marks what was never written.
            const bool empty = (fill && stored[i] == *fill) || (missing && stored[i] == *missing) ||
                               !(std::abs(stored[i]) < 1e30);
            value_[i][v] = empty ? std::numeric_limits<double>::quiet_NaN() : stored[i] * scale + offset;
        }
    }
}

std::array<Axis::Between, 3> RockGrid::around(const tetra::Point& place) const {
    std::array<Axis::Between, 3> all;
    for (int j = 0; j < 3; ++j) {
        const auto found = axis_[j].find(place[j]);
        if (!found && !options_.nearest)
            base::refuse(options_.file, fmt::format("grid along {}", "xyz"[j]),
                         fmt::format("{:.6g} … {:.6g} m", axis_[j].lowest(), axis_[j].highest()),
                         fmt::format("one that reaches all elements, such as the one at {}; with outside = "
                                     "\"nearest\" in the case, the values at the edges continue beyond them",
                                     show(place)));
        all[j] = found ? *found : axis_[j].find_nearest(place[j]);
    }
    return all;
}

StatedRock RockGrid::point(const std::array<std::size_t, 3>& index, const tetra::Point& place) const {
    std::size_t at = 0;
    for (const Axis::Direction direction : order_) {
        const Window& window = window_[direction];
        GS_ASSERT(index[direction] >= window.first && index[direction] - window.first < window.count);
        at += (index[direction] - window.first) * window.stride;
    }
    const StatedRock rock{value_[at][0], value_[at][1], value_[at][2], moduli_};
    const auto flaw = flaw_of(rock);
    if (!flaw) return rock;
    std::vector<std::size_t> indices;
    for (const Axis::Direction direction : order_) indices.push_back(index[direction]);
    const int v = flaw->key == "density" ? 0 : flaw->key == "vp" || flaw->key == "lambda" ? 1 : 2;
    base::refuse(options_.file, fmt::format("{}({})", name_[v], fmt::join(indices, ", ")),
                 std::isnan(flaw->value) ? "(missing)" : fmt::format("{:.6g}", flaw->value),
                 fmt::format("{}; an element needs it at {}", flaw->expected, show(place)));
}

StatedRock RockGrid::at(const tetra::Point& place) const {
    const std::array<Axis::Between, 3> where = around(place);
    const auto along_x = [&](int y, int z) {
        const auto end = [&](int x) {
            return point({where[0].point[x], where[1].point[y], where[2].point[z]}, place);
        };
        return between(end(0), end(1), where[0].weight);
    };
    const auto along_y = [&](int z) { return between(along_x(0, z), along_x(1, z), where[1].weight); };
    return between(along_y(0), along_y(1), where[2].weight);
}

}  // namespace groundswell::quake
