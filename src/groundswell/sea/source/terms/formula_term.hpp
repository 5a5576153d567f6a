#pragma once

#include <memory>
#include <utility>

#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/team.hpp"
#include "groundswell/sea/source/terms/formulas.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

/// A term that a device can compute too: what it does is its formula (FormulaList).
template <class Formula, class Base = SourceTerm>
class FormulaTerm : public Base {
public:
    Partner partner() const final { return Formula::partner; }
    std::size_t scratch_size() const final {
        if constexpr (requires { formula_.template scratch_size<RegisterTeam>(*grid_); })
            return static_cast<std::size_t>(formula_.template scratch_size<RegisterTeam>(*grid_));
        return 0;
    }
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const final {
        formula_.add(RegisterTeam{}, *grid_, sea, sum, workspace.work());
    }
    bool give_formula(TermFormulas& formulas) const final {
        formulas.append(formula_);
        return true;
    }

protected:
    FormulaTerm(std::shared_ptr<const LaneGrid> grid, const Formula& formula)
        : grid_(std::move(grid)), formula_(formula) {}

    const std::shared_ptr<const LaneGrid> grid_;
    Formula formula_;
};

/// The same of a wind input.
template <class Formula>
class WindFormulaTerm : public FormulaTerm<Formula, WindTerm> {
public:
    void meet_air(SeaCell& sea, SourceState& state, SourceWorkspace& workspace) const final {
        this->formula_.meet_air(RegisterTeam{}, *this->grid_, sea, state, workspace.work());
    }

protected:
    using FormulaTerm<Formula, WindTerm>::FormulaTerm;
};

}  // namespace groundswell::sea::terms
