#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "groundswell/sea/source/source_term.hpp"
#include "groundswell/sea/source/terms/formulas/bottom_friction.hpp"
#include "groundswell/sea/source/terms/formulas/bottom_friction_madsen.hpp"
#include "groundswell/sea/source/terms/formulas/breaking.hpp"
#include "groundswell/sea/source/terms/formulas/breaking_thornton.hpp"
#include "groundswell/sea/source/terms/formulas/four_wave.hpp"
#include "groundswell/sea/source/terms/formulas/linear_growth.hpp"
#include "groundswell/sea/source/terms/formulas/swell_turbulence.hpp"
#include "groundswell/sea/source/terms/formulas/triads.hpp"
#include "groundswell/sea/source/terms/formulas/whitecapping.hpp"
#include "groundswell/sea/source/terms/formulas/whitecapping_steepness.hpp"
#include "groundswell/sea/source/terms/formulas/whitecapping_threshold.hpp"
#include "groundswell/sea/source/terms/formulas/wind_donelan.hpp"
#include "groundswell/sea/source/terms/formulas/wind_input.hpp"
#include "groundswell/sea/source/terms/formulas/wind_snyder.hpp"

namespace groundswell::sea::terms {

/// Those of some formulas that a run has, in the order in which they add. The formula of a term is a trivially copyable struct of
/// numbers and spans, with
///
///     static constexpr Partner partner;
///     template <class Team>  // team.hpp
///     constexpr void add(const Team&, const LaneTables&, const SeaCell&, const SourceSum&, const CellWork&) const;
///     static constexpr void arrays(auto& formula, const auto& visit);             // where it has spans: visits each
///     template <class Team> constexpr int scratch_size(const LaneTables&) const;  // where it uses CellWork::scratch
template <class... Formulas>
struct FormulaList : Formulas... {
    std::array<int, sizeof...(Formulas)> order{};
    int count = 0;

    template <class Formula>
    void append(const Formula& formula) {
        static_cast<Formula&>(*this) = formula;
        for_each([&]<class Known>(int kind) {
            if constexpr (std::is_same_v<Known, Formula>) order[static_cast<std::size_t>(count)] = kind;
        });
        ++count;
    }

    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        for_each_in_order([&](const auto& formula) { formula.add(team, g, sea, sum, work); });
    }
    /// The same of those with this partner.
    template <Partner partner, class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& work) const {
        for_each_in_order([&]<class Formula>(const Formula& formula) {
            if constexpr (Formula::partner == partner) formula.add(team, g, sea, sum, work);
        });
    }
    /// As WindTerm::meet_air, of the formula that has it.
    template <class Team>
    constexpr void meet_air(const Team& team, const LaneTables& g, SeaCell& sea, SourceState& state,
                            const CellWork& work) const {
        for_each_in_order([&](const auto& formula) {
            if constexpr (requires { formula.meet_air(team, g, sea, state, work); })
                formula.meet_air(team, g, sea, state, work);
        });
    }
    /// The largest of those in the list.
    template <class Team>
    constexpr int scratch_size(const LaneTables& g) const {
        int most = 0;
        for_each_in_order([&](const auto& formula) {
            if constexpr (requires { formula.template scratch_size<Team>(g); })
                most = std::max(most, formula.template scratch_size<Team>(g));
        });
        return most;
    }
    static constexpr void arrays(auto& list, const auto& visit) {
        for_each([&]<class Formula>(int /*kind*/) {
            auto& formula =
                static_cast<std::conditional_t<std::is_const_v<std::remove_reference_t<decltype(list)>>,
                                               const Formula, Formula>&>(list);
            if constexpr (requires { Formula::arrays(formula, visit); }) Formula::arrays(formula, visit);
        });
    }

private:
    constexpr void for_each_in_order(const auto& body) const {
        for (int n = 0; n < count; ++n)
            for_each([&]<class Formula>(int kind) {
                if (order[static_cast<std::size_t>(n)] == kind) body(static_cast<const Formula&>(*this));
            });
    }
    static constexpr void for_each(const auto& body) {
        int kind = 0;
        (body.template operator()<Formulas>(kind++), ...);
    }
};

}  // namespace groundswell::sea::terms

namespace groundswell::sea {

/// Terms that devices can compute.
struct TermFormulas
    : terms::FormulaList<terms::WindInputFormula, terms::LinearGrowthFormula, terms::WhitecappingFormula,
                         terms::FourWaveFormula, terms::BottomFrictionFormula, terms::DepthBreakingFormula,
                         terms::WhitecappingSteepnessFormula, terms::SwellTurbulenceFormula,
                         terms::BottomFrictionMadsenFormula, terms::BreakingThorntonFormula,
                         terms::WindSnyderFormula, terms::WindDonelanFormula,
                         terms::WhitecappingThresholdFormula, terms::TriadsFormula> {};

}  // namespace groundswell::sea
