#include "groundswell/quake/plasticity/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/gridded/space_grid.hpp"
#include "groundswell/gridded/units.hpp"
#include "groundswell/parallel/agree.hpp"

namespace groundswell::quake {

namespace {

// Numbers of a place: stress, cohesion, the tangent of the angle of internal friction.
constexpr std::array names{"stress_xx", "stress_yy", "stress_zz", "stress_xy",
                           "stress_yz", "stress_xz", "cohesion",  "bulk_friction"};
constexpr std::size_t of_cohesion = 6, of_friction = 7;
using Numbers = std::array<double, names.size()>;

// Those of them that stand in a file.
class PlasticGrid {
public:
    PlasticGrid(const PlasticityOptions& options, const tetra::LocalMesh& mesh) {
        const netcdf::Reader file(options.grid);
        gridded::Region region;
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell)
            for (const tetra::Point& corner : mesh.cell[cell].place) region.add(corner);
        std::vector<gridded::SpaceGrid::Column> read;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto* variable = file.find(names[i]);
            if (variable != nullptr) {
                read.push_back({variable, i == of_friction
                                              ? 1.0
                                              : gridded::unit_of(file, *variable, gridded::pressures)});
                number_.push_back(i);
            }
            const bool stated = i == of_cohesion   ? options.cohesion.has_value()
                                : i == of_friction ? options.friction.has_value()
                                                   : true;
            base::require(stated || variable != nullptr, options.stated_at,
                          fmt::format("plasticity.{}", names[i]), "",
                          fmt::format("a number, or a variable of this name in {}", options.grid));
        }
        if (read.empty()) gridded::refuse_variables(file, "cohesion, bulk_friction, stress_xx …");
        grid_.emplace(file, read, region);
    }

    // Puts what the file says in the place of what was said before.
    void take(const tetra::Point& place, Numbers& numbers) const {
        const auto where = grid_->around(place, false, "");
        const auto found = gridded::SpaceGrid::interpolate(
            where,
            [&](const gridded::SpaceGrid::Index& index) {
                Numbers at{};
                for (std::size_t c = 0; c < number_.size(); ++c) {
                    at[c] = grid_->values(index)[c];
                    const bool sound = number_[c] < of_cohesion ? std::isfinite(at[c]) : at[c] >= 0.0;
                    if (!sound)
                        base::refuse(grid_->path(), grid_->name(c, index), fmt::format("{:.6g}", at[c]),
                                     fmt::format("a number{}; an element needs it at {}",
                                                 number_[c] < of_cohesion ? "" : " that is 0 or more",
                                                 gridded::show(place)));
                }
                return at;
            },
            [](const Numbers& a, const Numbers& b, double weight) {
                Numbers between{};
                for (std::size_t i = 0; i < a.size(); ++i) between[i] = a[i] + weight * (b[i] - a[i]);
                return between;
            });
        for (std::size_t c = 0; c < number_.size(); ++c) numbers[number_[c]] = found[c];
    }

private:
    std::vector<std::size_t> number_;  // [column] in `names`
    std::optional<gridded::SpaceGrid> grid_;
};

}  // namespace

bool PlasticityOptions::has_stress() const {
    return !grid.empty() || std::ranges::any_of(stress, [](const auto& value) { return value.has_value(); });
}

std::optional<PlasticityOptions> read_plasticity(const simulation::Section& section, bool has_fault) {
    constexpr const char* source = "Wollherr, Gabriel & Uphoff 2018, doi:10.1093/gji/ggy213";
    const bool all = section.describing();
    PlasticityOptions options;
    options.stated_at = section.place("");
    options.cohesion =
        read_value(section, "cohesion", {0.0, 1e30}, "cohesion of the rock; positive", "Pa", source);
    options.friction = read_value(section, "bulk_friction", {0.0, 10.0},
                                  "tangent of the angle of internal friction", "1", source);
    read_components(
        section.section("stress"), stress_keys,
        "initial stress of the rock in the mesh's axes, tension positive; if none is given, that of "
        "[[fault.set]]",
        options.stress);
    if (section.has("grid") || all)
        options.grid = section.path(
            "grid", {},
            {"NetCDF file with any of cohesion, bulk_friction and stress_xx … stress_xz, which stand in "
             "place "
             "of the keys, on axes x, y and z or at points with their x, y and z; stress is not the fault's "
             "then",
             "", "", "none"});
    const bool given =
        options.cohesion || options.friction || options.has_stress() || section.has("relaxation_time");
    if (!given && !all) return std::nullopt;
    options.relaxation_time =
        section.number("relaxation_time", std::nullopt, {1e-9, 1e9},
                       {"in which stress beyond the strength falls to 1/e", "s", source});
    options.by_element =
        section.choice("rock_at", "places", {"places", "centres"},
                       {"where initial stress and strength are asked for: at each place at which rock may "
                        "yield, or only at the centre of its element"}) == "centres";
    if (all) return std::nullopt;
    if (!options.cohesion && options.grid.empty())
        section.refuse("cohesion", "a number in Pa, or cohesion_by_depth");
    if (!options.friction && options.grid.empty())
        section.refuse("bulk_friction", "a number, or bulk_friction_by_depth");
    if (!options.has_stress() && !has_fault)
        section.refuse("stress",
                       "initial stress, such as { xx = -60e6, yy = -120e6, zz = -60e6 }, or that of a fault");
    return options;
}

PlasticityInput plasticity_input(MPI_Comm comm, const PlasticityOptions& options, const FaultOptions* fault,
                                 const tetra::LocalMesh& mesh) {
    std::shared_ptr<const PlasticGrid> grid;
    if (!options.grid.empty())
        grid = parallel::agree(comm, [&] { return std::make_shared<const PlasticGrid>(options, mesh); });
    const bool own = options.has_stress();
    return {options.relaxation_time,
            [&options, fault, own, grid](const tetra::Point& place, double mu) {
                const double z = place[2];
                const auto stated = [&](const auto& value) { return value ? value->at(z) : 0.0; };
                Numbers numbers{};
                std::array<double, 6> stress{};
                if (!own) stress = fault->stress_at(place, mu);
                for (std::size_t i = 0; i < stress.size(); ++i)
                    numbers[i] = own ? stated(options.stress[i]) : stress[i];
                numbers[of_cohesion] = stated(options.cohesion);
                numbers[of_friction] = stated(options.friction);
                if (grid) grid->take(place, numbers);
                const double angle = std::atan(numbers[of_friction]);
                YieldingRock<double> rock{};
                std::copy_n(numbers.begin(), 6, rock.stress);
                rock.cohesion = numbers[of_cohesion] * std::cos(angle);
                rock.friction = std::sin(angle);
                return rock;
            },
            options.by_element, options.stated_at};
}

}  // namespace groundswell::quake
