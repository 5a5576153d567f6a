#include "groundswell/sea/source/budget.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/lanes.hpp"

namespace groundswell::sea {

namespace {

// Sums over bins of what the terms that were evaluated last do together.
class RateSums {
public:
    // Adds a row's energy and momentum, each by its weight.
    void add(const LaneTables& g, const SourceWorkspace& w, int i, Real of_energy, Real of_momentum) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real *const source = w.source.data() + row, *const energy = w.energy.data() + row;
        const auto energy_weight = lanes::broadcast(of_energy),
                   momentum_weight = lanes::broadcast(of_momentum);
        const int used = round_up(g.directions, lanes::width);
        lanes::with_count(used, [&]<class Count>(Count) {
            for (int n = 0; n < Count::of(used); ++n) {
                const int j = n * lanes::width;
                const auto rate = lanes::within(
                    j, g.directions,
                    lanes::multiply_subtract(w.decay[i], lanes::load(energy + j), lanes::load(source + j)));
                energy_.add_product(j, rate, energy_weight);
                const auto momentum = rate * momentum_weight;
                east_.add_product(j, momentum, lanes::load(g.cosine.data() + j));
                north_.add_product(j, momentum, lanes::load(g.sine.data() + j));
            }
        });
    }
    TermRate total() const { return {energy_.total(), east_.total(), north_.total()}; }

private:
    lanes::RowSum energy_, east_, north_;
};

// The terms from here on add up from 0.
void begin(const LaneTables& g, SourceWorkspace& w) {
    std::fill_n(w.source.data(), g.padded_bins(), Real(0));
    std::fill_n(w.decay.data(), g.frequencies, Real(0));
}

}  // namespace

SourceBudget find_budget(const SourcePackage& package, const Real* action, const CellConditions& conditions,
                         Real step, SourceState state, SourceWorkspace& workspace) {
    const LaneTables& g = package.grid();
    SourceBudget budget;
    budget.rates.reserve(static_cast<std::size_t>(package.terms()) * g.frequencies);
    package.load(action, conditions, step, state, workspace);
    package.meet_air(workspace);
    for (int term = 0; term < package.terms(); ++term) {
        begin(g, workspace);
        package.evaluate(term, workspace);
        for (int i = 0; i < g.frequencies; ++i) {
            RateSums row;
            row.add(g, workspace, i, g.direction_width, g.direction_width);
            budget.rates.push_back(row.total());
        }
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
    const LaneTables& g = package.grid();
    package.load(action, conditions, step, state, workspace);
    package.meet_air(workspace);
    const double air = density.air * std::pow(static_cast<double>(state.friction_velocity), 2);
    OceanExchange found{air * static_cast<double>(conditions.wind_x),
                        air * static_cast<double>(conditions.wind_y)};
    for (const Partner partner : {Partner::air, Partner::water}) {
        begin(g, workspace);
        for (int term = 0; term < package.terms(); ++term)
            if (package.partner(term) == partner) package.evaluate(term, workspace);
        RateSums sums;
        for (int i = 0; i < g.frequencies; ++i) {
            const Real width = g.direction_width * g.width[i];
            sums.add(g, workspace, i, width, width * workspace.inverse_phase_speed[i]);
        }
        const TermRate rate = sums.total();
        const double weight = density.water * base::gravity;
        found.eastward_stress -= weight * rate.east;
        found.northward_stress -= weight * rate.north;
        if (partner == Partner::water) found.breaking_energy -= weight * rate.energy;
    }
    return found;
}

}  // namespace groundswell::sea
