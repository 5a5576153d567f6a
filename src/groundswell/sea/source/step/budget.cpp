#include "groundswell/sea/source/budget.hpp"

#include <cstddef>

namespace groundswell::sea {

SourceBudget find_budget(const SourcePackage& package, const Real* action, const CellConditions& conditions,
                         Real step, SourceState state, SourceWorkspace& workspace) {
    const LaneTables& g = package.grid();
    SourceBudget budget;
    budget.rates.reserve(static_cast<std::size_t>(package.terms()) * g.frequencies);
    package.load(action, conditions, step, state, workspace);
    package.meet_air(workspace);
    const double width = g.direction_width;
    for (int term = 0; term < package.terms(); ++term) {
        begin_sum(RegisterTeam{}, g, workspace.sum());
        package.evaluate(term, workspace);
        for (int i = 0; i < g.frequencies; ++i) {
            const RowRate rate = row_rate(RegisterTeam{}, g, workspace.memory(), i);
            budget.rates.push_back({width * rate.energy, width * rate.east, width * rate.north});
        }
    }
    return budget;
}

void SourceBudget::scale(double share) {
    for (TermRate& rate : rates)
        for (double* value : {&rate.energy, &rate.east, &rate.north}) *value *= share;
}

}  // namespace groundswell::sea
