#include "groundswell/quake/rock/rock.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/gridded/units.hpp"
#include "groundswell/gridded/words.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/quadrature.hpp"

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

constexpr const char* group_key = "material.rock[].group";

// Corners in an order that their places alone give.
std::array<tetra::Point, 4> ordered(const tetra::Tetrahedron& cell) {
    std::array<tetra::Point, 4> corners = cell.place;
    std::ranges::sort(corners);
    return corners;
}

// The entry for a group: the one that names it, else the one without names.
template <class Entry>
const Entry* find_entry(const std::vector<Entry>& entries, std::int64_t group) {
    const Entry* other = nullptr;
    for (const Entry& entry : entries) {
        if (std::ranges::find(entry.groups, group) != entry.groups.end()) return &entry;
        if (entry.groups.empty()) other = &entry;
    }
    return other;
}

// Some groups of the mesh, for people. Collective.
std::string describe_groups(MPI_Comm comm, const std::vector<std::int64_t>& mine) {
    std::vector<std::string> names;
    std::int64_t group = INT64_MIN;
    while (names.size() < 10) {
        const auto next = std::ranges::upper_bound(mine, group);
        group = parallel::min(comm, next == mine.end() ? INT64_MAX : *next);
        if (group == INT64_MAX) return fmt::format("{}", fmt::join(names, ", "));
        names.push_back(std::to_string(group));
    }
    return fmt::format("{}, …", fmt::join(names, ", "));
}

// base::Refusal on all ranks.
void check_groups(MPI_Comm comm, const RockOptions& options, std::span<const std::int64_t> group) {
    std::vector<std::int64_t> mine(group.begin(), group.end());
    base::make_unique(mine);
    for (const RockEntry& entry : options.rock) {
        for (const std::int64_t named : entry.groups) {
            const std::int64_t here = std::ranges::binary_search(mine, named) ? 1 : 0;
            if (parallel::max(comm, here) == 1) continue;
            const std::string groups = describe_groups(comm, mine);
            parallel::agree(comm, [&] {
                base::refuse(entry.place, group_key, std::to_string(named),
                             fmt::format("a group of the mesh: {}", groups));
            });
        }
    }
    const auto uncovered = [&](std::int64_t g) { return find_entry(options.rock, g) == nullptr; };
    const auto first = std::ranges::find_if(mine, uncovered);
    const std::int64_t bare = parallel::min(comm, first == mine.end() ? INT64_MAX : *first);
    if (bare == INT64_MAX) return;
    const std::int64_t cells =
        parallel::sum(comm, static_cast<std::int64_t>(std::ranges::count(group, bare)));
    parallel::agree(comm, [&] {
        base::refuse(options.place, group_key, "",
                     fmt::format("an entry also for group {} of the mesh, to which {} of its elements "
                                 "belong, or one without a group",
                                 bare, cells));
    });
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

Rock::Rock(MPI_Comm comm, const RockOptions& options, std::span<const tetra::Tetrahedron> cells,
           std::span<const std::int64_t> group)
    : place_(options.place), average_(options.average) {
    GS_ASSERT(cells.size() == group.size());
    check_groups(comm, options, group);
    parallel::agree(comm, [&] {
        for (const RockEntry& entry : options.rock) {
            if (const auto* constant = std::get_if<StatedRock>(&entry.what))
                entries_.push_back({entry.groups, constant->material()});
            if (const auto* profile = std::get_if<RockProfile>(&entry.what))
                entries_.push_back({entry.groups, *profile});
            if (const auto* grid = std::get_if<RockGridOptions>(&entry.what)) {
                gridded::Region region;
                for (std::size_t c = 0; c < cells.size(); ++c) {
                    if (find_entry(options.rock, group[c]) != &entry) continue;
                    for (const tetra::Point& corner : cells[c].place) region.add(corner);
                }
                entries_.push_back({entry.groups, RockGrid(*grid, region)});
            }
        }
    });
}

const Rock::Entry& Rock::entry_of(std::int64_t group) const {
    const Entry* entry = find_entry(entries_, group);
    GS_ASSERT(entry != nullptr);
    return *entry;
}

StatedRock Rock::stated_at(const Entry& entry, const tetra::Point& place) const {
    if (const auto* profile = std::get_if<RockProfile>(&entry.what)) return profile->at(place[2]);
    return std::get<RockGrid>(entry.what).at(place);
}

Material Rock::at(const tetra::Point& place, std::int64_t group) const {
    const Entry& entry = entry_of(group);
    if (const auto* constant = std::get_if<Material>(&entry.what)) return *constant;
    return stated_at(entry, place).material();
}

Material Rock::of(const tetra::Tetrahedron& cell, std::int64_t group) const {
    const Entry& entry = entry_of(group);
    const auto& what = entry.what;
    if (const auto* constant = std::get_if<Material>(&what)) return *constant;
    if (!average_) return at(tetra::place_in(ordered(cell), {0.25, 0.25, 0.25}), group);
    const auto* profile = std::get_if<RockProfile>(&what);
    const Mean mean =
        profile != nullptr && !profile->gradient
            ? mean_of_layers(profile->rows, ordered(cell))
            : mean_over(cell, [&](const tetra::Point& place) { return stated_at(entry, place).sample(); });
    if (mean.is_mixture()) {
        const tetra::Point centre = tetra::centre_of(cell);
        base::refuse(place_, "material.rock[]",
                     fmt::format("water above rock within an element, about {:.6g}, {:.6g}, {:.6g} m",
                                 centre[0], centre[1], centre[2]),
                     "a mesh with faces all along the sea floor, and a group of its own for the water");
    }
    return mean.value();
}

void warn_of_quality(const RockOptions& options) {
    for (const RockEntry& entry : options.rock) {
        const auto* grid = std::get_if<RockGridOptions>(&entry.what);
        if (grid != nullptr && RockGrid(*grid, {}).ignores_quality())
            base::log_warning(
                "{} has qp or qs, but the case has no section [attenuation]: waves lose nothing", grid->file);
    }
}

std::vector<Material> materials_of(MPI_Comm comm, const RockOptions& options,
                                   std::span<const tetra::Tetrahedron> cells,
                                   std::span<const std::int64_t> group) {
    const Rock rock(comm, options, cells, group);
    return parallel::agree(comm, [&] {
        std::vector<Material> materials(cells.size());
        const auto size = static_cast<std::int32_t>(cells.size());
        std::atomic<std::int32_t> refused = size;  // the first of those that are
        exec::for_each_cell(0, size, [&](std::int32_t c) {
            try {
                materials[c] = rock.of(cells[c], group[c]);
                if (options.attenuation) materials[c] = options.attenuation->unrelaxed(materials[c]);
            } catch (...) {
                std::int32_t first = refused;
                while (c < first && !refused.compare_exchange_weak(first, c)) continue;
            }
        });
        if (refused < size) rock.of(cells[refused], group[refused]);
        return materials;
    });
}

Mean mean_over(const tetra::Tetrahedron& cell, const std::function<Material(const tetra::Point&)>& at) {
    static const Quadrature<Point3> rule = tetrahedron_rule(5);
    const std::array<tetra::Point, 4> corners = ordered(cell);
    Mean mean;
    for (std::size_t p = 0; p < rule.size(); ++p)
        mean.add(rule.weight[p], at(tetra::place_in(corners, rule.point[p])));
    return mean;
}

}  // namespace groundswell::quake
