#include "groundswell/sea/source/budget.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {

namespace {

// What the terms that were evaluated last do together.
TermRate rate_of_row(const LaneGrid& g, const SourceWorkspace& w, int i) {
    const Real* const source = w.source.data() + static_cast<std::ptrdiff_t>(i) * g.lanes;
    const Real* const energy = w.energy.data() + static_cast<std::ptrdiff_t>(i) * g.lanes;
    const Real *const cosine = g.cosine.data(), *const sine = g.sine.data();
    const double decay = static_cast<double>(w.decay[i]);
    double all = 0.0, east = 0.0, north = 0.0;
#pragma omp simd reduction(+ : all, east, north)
    for (int j = 0; j < g.directions; ++j) {
        const double s = static_cast<double>(source[j]) - decay * static_cast<double>(energy[j]);
        all += s;
        east += s * static_cast<double>(cosine[j]);
        north += s * static_cast<double>(sine[j]);
    }
    const double width = g.direction_width;
    return {width * all, width * east, width * north};
}

// The terms from here on add up from 0.
void begin(const LaneGrid& g, SourceWorkspace& w) {
    std::fill_n(w.source.data(), g.padded_bins(), Real(0));
    std::fill_n(w.decay.data(), g.frequencies, Real(0));
}

}  // namespace

SourceBudget find_budget(const SourcePackage& package, const Real* action, const CellConditions& conditions,
                         Real step, SourceState state, SourceWorkspace& workspace) {
    const LaneGrid& g = package.grid();
    SourceBudget budget;
    budget.rates.reserve(static_cast<std::size_t>(package.terms()) * g.frequencies);
    package.load(action, conditions, step, state, workspace);
    package.meet_air(workspace);
    for (int term = 0; term < package.terms(); ++term) {
        begin(g, workspace);
        package.evaluate(term, workspace);
        for (int i = 0; i < g.frequencies; ++i) budget.rates.push_back(rate_of_row(g, workspace, i));
    }
    return budget;
}

void SourceBudget::scale(double share) {
    for (TermRate& rate : rates)
        for (double* value : {&rate.energy, &rate.east, &rate.north}) *value *= share;
}

OceanExchange find_exchange(const SourcePackage& package, const Real* action,
                            const CellConditions& conditions, Real step, SourceState state,
                            SourceWorkspace& workspace, const Densities& density) {
    const LaneGrid& g = package.grid();
    package.load(action, conditions, step, state, workspace);
    package.meet_air(workspace);
    const auto wind = static_cast<double>(conditions.wind_direction);
    const double air = density.air * std::pow(static_cast<double>(state.friction_velocity), 2);
    OceanExchange found{air * std::cos(wind), air * std::sin(wind)};
    for (const Partner partner : {Partner::air, Partner::water}) {
        begin(g, workspace);
        for (int term = 0; term < package.terms(); ++term)
            if (package.partner(term) == partner) package.evaluate(term, workspace);
        for (int i = 0; i < g.frequencies; ++i) {
            const TermRate rate = rate_of_row(g, workspace, i);
            const double width = density.water * base::gravity * static_cast<double>(g.width[i]);
            const double slowness = width * static_cast<double>(workspace.inverse_phase_speed[i]);
            found.eastward_stress -= slowness * rate.east;
            found.northward_stress -= slowness * rate.north;
            if (partner == Partner::water) found.breaking_energy -= width * rate.energy;
        }
    }
    return found;
}

}  // namespace groundswell::sea
