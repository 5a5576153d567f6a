#include "groundswell/sea/source/budget.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {

namespace {

TermRate rate_of_row(const LaneGrid& g, const SourceWorkspace& w, int i) {
    const Real* const source = w.source.data() + static_cast<std::ptrdiff_t>(i) * g.lanes;
    const Real* const energy = w.energy.data() + static_cast<std::ptrdiff_t>(i) * g.lanes;
    TermRate rate;
    for (int j = 0; j < g.directions; ++j) {
        const double s = static_cast<double>(source[j]) - static_cast<double>(w.decay[i]) * energy[j];
        rate.energy += s;
        rate.east += s * g.cosine[j];
        rate.north += s * g.sine[j];
    }
    for (double* value : {&rate.energy, &rate.east, &rate.north}) *value *= g.direction_width;
    return rate;
}

}  // namespace

SourceBudget find_budget(const SourcePackage& package, const Real* action, const CellConditions& conditions,
                         Real step, SourceState state, SourceWorkspace& workspace) {
    const LaneGrid& g = package.grid();
    SourceBudget budget;
    budget.rates.reserve(static_cast<std::size_t>(package.terms()) * g.frequencies);
    package.load(action, conditions, step, state, workspace);
    package.meet_air(workspace);
    const auto wind = static_cast<double>(conditions.wind_direction);
    const double air = std::pow(static_cast<double>(state.friction_velocity), 2);
    budget.eastward_air_stress = air * std::cos(wind);
    budget.northward_air_stress = air * std::sin(wind);
    for (int term = 0; term < package.terms(); ++term) {
        std::fill_n(workspace.source.data(), g.padded_bins(), Real(0));
        std::fill_n(workspace.derivative.data(), g.padded_bins(), Real(0));
        std::fill_n(workspace.decay.data(), g.frequencies, Real(0));
        package.evaluate(term, workspace);
        for (int i = 0; i < g.frequencies; ++i) budget.rates.push_back(rate_of_row(g, workspace, i));
    }
    return budget;
}

void SourceBudget::scale(double share) {
    for (TermRate& rate : rates)
        for (double* value : {&rate.energy, &rate.east, &rate.north}) *value *= share;
    eastward_air_stress *= share;
    northward_air_stress *= share;
}

OceanExchange find_exchange(const SourcePackage& package, const SourceBudget& budget, const Real* wave_number,
                            double water_density, double air_density) {
    const LaneGrid& g = package.grid();
    OceanExchange found{air_density * budget.eastward_air_stress, air_density * budget.northward_air_stress};
    for (int term = 0; term < package.terms(); ++term) {
        const Partner partner = package.partner(term);
        if (partner != Partner::air && partner != Partner::water) continue;
        const TermRate* const rates = budget.rates.data() + static_cast<std::ptrdiff_t>(term) * g.frequencies;
        for (int i = 0; i < g.frequencies; ++i) {
            const double width = water_density * base::gravity * static_cast<double>(g.width[i]);
            const double slowness = width * static_cast<double>(wave_number[i]) / g.sigma[i];
            found.eastward_stress -= slowness * rates[i].east;
            found.northward_stress -= slowness * rates[i].north;
            if (partner == Partner::water) found.breaking_energy -= width * rates[i].energy;
        }
    }
    return found;
}

}  // namespace groundswell::sea
