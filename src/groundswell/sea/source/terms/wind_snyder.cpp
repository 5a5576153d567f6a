#include <array>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/formulas/bulk_drag.hpp"
#include "groundswell/sea/source/formulas/by_row.hpp"
#include "groundswell/sea/source/formulas/cutoff.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/team.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

using lanes::Lane, lanes::load;

/// Growth of waves that are slower than the wind: S = C (ρa/ρw) max(0, 28 u*/c cos - 1) σ E (Snyder et al. 1981, J. Fluid
/// Mech. 102, 1-59, by friction velocity as in Komen et al. 1984, doi:10.1175/1520-0485(1984)014<1271:OTEOAF>2.0.CO;2; manual of
/// WAVEWATCH III 7.14, section on ST1), with the drag of Wu (1982).
class WindSnyder : public WindTerm {
public:
    static constexpr std::string_view komen =
        "Komen et al. 1984, doi:10.1175/1520-0485(1984)014<1271:OTEOAF>2.0.CO;2";
    static constexpr auto strength =
        Coefficient("snyder_growth", 0.25, 0, 10, "", "strength of the growth by wind", komen);
    static constexpr auto speed = Coefficient("snyder_speed", 28.0, 1, 100, "",
                                              "wind that the waves feel, over the friction velocity", komen);
    static constexpr std::array coefficients{strength, speed};

    WindSnyder(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : grid_(std::move(grid)),
          cutoff_(options),
          strength_(static_cast<Real>(options[strength] * options[common::air_density] /
                                      options[common::water_density])),
          speed_(static_cast<Real>(options[speed])),
          used_(round_up(grid_->directions, lanes::width)) {}
    std::string_view name() const override { return "wind_snyder"; }
    void meet_air(SeaCell& sea, SourceState& state, SourceWorkspace& workspace) const override;
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    std::shared_ptr<const LaneGrid> grid_;
    Cutoff cutoff_;
    Real strength_, speed_;
    int used_;  ///< directions rounded up to whole registers
};

void WindSnyder::meet_air(SeaCell& sea, SourceState& state, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    set_drag(drag_of_wu(sea.wind_speed), sea, state);
    Real* const fed = workspace.column_a.data();
    for (int i = 0; i < g.frequencies; ++i) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real felt = speed_ * sea.friction_velocity * sea.inverse_phase_speed[i];
        const Real scale = strength_ * g.sigma[i];
        lanes::RowSum sum;
        for (int j = 0; j < used_; j += lanes::width) {
            const Lane along = lanes::multiply_add(sea.wind_x, load(g.cosine.data() + j),
                                                   sea.wind_y * load(g.sine.data() + j));
            const Lane rate = scale * lanes::positive_part(felt * along - Real(1));
            lanes::store(workspace.growth.data() + row + j, rate);
            sum.add(j, rate > 0 ? load(sea.energy + row + j) : Lane{});
        }
        fed[i] = sum.total() * g.direction_width;
    }
    cutoff_.find(RegisterTeam{}, g, fed, sea);
}

void WindSnyder::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    for (int i = 0; i < g.frequencies; ++i) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        for (int j = 0; j < used_; j += lanes::width)
            add_rate(sea, row + j, load(workspace.growth.data() + row + j), sum);
    }
}

SourceTermKind wind_snyder() {
    return describe<WindSnyder>("wind_snyder", {WindSnyder::coefficients, Cutoff::coefficients}, 10);
}

}  // namespace groundswell::sea::terms
