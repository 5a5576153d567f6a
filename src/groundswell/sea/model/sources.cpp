// The source step of the model: what each cell feels, and the end of a run whose sea has blown up.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/model.hpp"

namespace groundswell::sea {

namespace {

std::string place(const voronoi::LocalMesh& mesh, std::int32_t cell) {
    const auto c = static_cast<std::size_t>(cell);
    return fmt::format("cell {} at {:.4f} E {:.4f} N", mesh.mesh_cell[c], mesh.lon[c] / base::degree,
                       mesh.lat[c] / base::degree);
}

// Below, no wind or wave breaking acts on a cell.
constexpr Real least_open_water = Real(1e-3);

}  // namespace

CellConditions Model::conditions(std::int32_t cell) const {
    const auto c = static_cast<std::size_t>(cell);
    const CellForcing& felt = forcing_->cells()[c];
    const bool relative = case_.physics.relative_wind;
    const FeltWind wind =
        FeltWind::of(felt.eastward_wind, felt.northward_wind, relative ? felt.eastward_current : Real(0),
                     relative ? felt.northward_current : Real(0));
    CellConditions conditions;
    conditions.wind_speed = wind.speed;
    conditions.wind_x = wind.x;
    conditions.wind_y = wind.y;
    conditions.depth = static_cast<Real>(depth_felt(cell));
    conditions.wave_number = propagator_.wave_number(cell).data();
    conditions.group_speed = propagator_.group_speed(cell).data();
    return conditions;
}

double Model::acting_share(std::int32_t cell) const {
    const Real open = open_water(cell);
    return propagator_.is_dry(cell) || !(open > least_open_water) ? 0.0 : static_cast<double>(open);
}

SourceBudget Model::budget(std::int32_t cell) const {
    if (!package_) return {};
    SourceBudget budget = find_budget(*package_, spectrum(cell).action, conditions(cell),
                                      static_cast<Real>(time_.cycle_seconds()), source_states_[cell],
                                      *workspaces_[exec::thread_index()]);
    budget.scale(acting_share(cell));
    return budget;
}

OceanExchange Model::to_ocean(std::int32_t cell) const {
    const double share = acting_share(cell);
    if (!package_ || share == 0.0) return {};
    OceanExchange found = package_->find_exchange(spectrum(cell).action, conditions(cell),
                                                  static_cast<Real>(time_.cycle_seconds()),
                                                  source_states_[cell], *workspaces_[exec::thread_index()]);
    found.scale(share);
    return found;
}

void Model::integrate_sources() {
    const parallel::PhaseTimer timer(profile_, source_);
    const Real step = static_cast<Real>(time_.cycle_seconds());
    // The lowest cell that went wrong, whatever the threads.
    std::atomic<std::int32_t> bad{mesh_.owned};
    const auto report = [&](std::int32_t cell) {
        std::int32_t known = bad.load();
        while (cell < known && !bad.compare_exchange_weak(known, cell)) {
        }
    };
    if (package_ && device_) {
        if (const std::int32_t cell = integrate_sources_on_device(); cell >= 0) report(cell);
        damp_under_ice_on_device();
        hold_wave_makers();
    } else if (package_) {
        exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) {
            if (propagator_.is_dry(cell)) return;
            SourceWorkspace& workspace = *workspaces_[exec::thread_index()];
            SourceState& state = source_states_[cell];
            // The terms of a sea of which a share is open act as long as that share of the step.
            const Real open = open_water(cell);
            if (open > least_open_water &&
                (!package_->integrate_cell(block(cell), conditions(cell), open * step, state, workspace) ||
                 !(static_cast<double>(workspace.sea.variance) < largest_variance)))
                report(cell);
            damp_under_ice(cell);
        });
        hold_wave_makers();
    } else {
        std::span<const SpectrumMoments> moments;
        if (device_) moments = device_->moments(host_state());
        exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) {
            const double variance =
                (device_ ? moments[static_cast<std::size_t>(cell)] : sum_spectrum(grid_, block(cell))).zero;
            if (!(variance >= 0.0 && variance < largest_variance)) report(cell);
            if (!device_) damp_under_ice(cell);
        });
        if (device_) damp_under_ice_on_device();
    }
    if (bad.load() < mesh_.owned) stop_on_bad_cell(bad.load());
}

void Model::hold_wave_makers() {
    for (const HeldCells& held : held_)
        for (const std::int32_t cell : held.cells)
            if (device_)
                device_->set_cell(cell, host_state(), held.action, clusters_ ? clusters_->copy_of(cell) : -1);
            else
                std::copy(held.action.begin(), held.action.end(), block(cell));
}

void Model::stop_on_bad_cell(std::int32_t cell) {
    bring_back();
    std::string_view term = "propagation";
    if (package_) {
        term = package_->blame(block(cell), conditions(cell), static_cast<Real>(time_.cycle_seconds()),
                               source_states_[cell], *workspaces_.front());
        if (term.empty() || term == "action") term = "propagation";
    }
    throw base::RunFailure(fmt::format(
        "{}: the sea blew up in {} at {} in the term {} (step {}): expected finite action and a significant "
        "height below 100 m",
        case_.file, place(mesh_, cell), base::format_instant(time_.instant_at(step_)), term, step_));
}

}  // namespace groundswell::sea
