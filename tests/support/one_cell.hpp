#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "groundswell/sea/kernels/kernel_set.hpp"
#include "groundswell/sea/spectrum/dispersion.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"
#include "groundswell/sea/spectrum/parametric_sea.hpp"

namespace groundswell::test {

/// A sea of one cell under its own wind: what the tests of the source terms work on.
struct OneCell {
    OneCell(const sea::SpectralGrid& spectral_grid, const sea::PhysicsOptions& options, double water_depth)
        : grid(spectral_grid),
          package(sea::kernel_set().make_source_package(grid, options)),
          workspace(package->make_workspace()),
          action(grid.stride(), 0),
          wave_number(static_cast<std::size_t>(grid.frequencies)),
          group_speed(wave_number) {
        for (int i = 0; i < grid.frequencies; ++i) {
            const auto n = static_cast<std::size_t>(i);
            const double k = sea::wave_number(grid.sigma[n], water_depth);
            wave_number[n] = static_cast<sea::Real>(k);
            group_speed[n] = static_cast<sea::Real>(sea::group_speed(grid.sigma[n], k, water_depth));
        }
        conditions = {0, 1, 0, static_cast<sea::Real>(water_depth), wave_number.data(), group_speed.data()};
    }

    void set_wind(double speed, double direction) {
        conditions.wind_speed = static_cast<sea::Real>(speed);
        conditions.wind_x = static_cast<sea::Real>(std::cos(direction));
        conditions.wind_y = static_cast<sea::Real>(std::sin(direction));
    }
    bool step(double seconds) {
        return package->integrate_cell(action.data(), conditions, static_cast<sea::Real>(seconds), state,
                                       workspace);
    }
    /// True if every step went well.
    bool run(double seconds, double step_seconds) {
        for (double t = 0; t < seconds - 0.5 * step_seconds; t += step_seconds) {
            if (!step(step_seconds)) return false;
        }
        return true;
    }
    /// Evaluates one term by itself; its sums then stand in the workspace.
    void evaluate(const std::string& name, double seconds = 300) {
        package->load(action.data(), conditions, static_cast<sea::Real>(seconds), state, workspace);
        package->meet_air(workspace);
        for (int term = 0; term < package->terms(); ++term) {
            if (package->term_name(term) == name) package->evaluate(term, workspace);
        }
    }
    double source(int i, int j) const {
        return workspace.source[static_cast<std::size_t>(i * package->grid().lanes + j)];
    }
    double derivative(int i, int j) const {
        return workspace.derivative[static_cast<std::size_t>(i * package->grid().lanes + j)];
    }
    double energy(int i, int j) const {
        return action[static_cast<std::size_t>(grid.index(i, j))] * grid.sigma[static_cast<std::size_t>(i)];
    }
    void set_energy(int i, int j, double value) {
        action[static_cast<std::size_t>(grid.index(i, j))] =
            static_cast<sea::Real>(value / grid.sigma[static_cast<std::size_t>(i)]);
    }
    sea::SeaParameters parameters() const { return sea::integrate_spectrum(grid, action.data()); }
    double height() const { return parameters().significant_height; }

    sea::SpectralGrid grid;
    std::unique_ptr<sea::SourcePackage> package;
    sea::SourceWorkspace workspace;
    std::vector<sea::Real> action, wave_number, group_speed;
    sea::CellConditions conditions;
    sea::SourceState state;
};

/// The grid of the published comparisons: 36 directions, 35 frequencies from 0.04177 Hz.
inline sea::SpectralGrid usual_grid() {
    return {35, 36, 0.04177, 1.1};
}

/// Default physics with these terms alone.
inline sea::PhysicsOptions only(std::vector<std::string> terms) {
    sea::PhysicsOptions options;
    options.terms = std::move(terms);
    return options;
}

}  // namespace groundswell::test
