#include "groundswell/quake/plasticity/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
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
