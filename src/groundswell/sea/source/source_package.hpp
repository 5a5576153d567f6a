#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "groundswell/sea/source/cell_step.hpp"
#include "groundswell/sea/source/ocean_exchange.hpp"
#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"
#include "groundswell/sea/source/source_workspace.hpp"

namespace groundswell::sea {

struct SourceForm;

/// All source terms of a run, and the step of one cell. Immutable once built; one workspace for each thread. Whoever
/// wants speed has it made by kernel_set(): its functions are virtual, so that they are those that were compiled for the
/// processor at hand, whoever calls them.
class SourcePackage {
public:
    SourcePackage(const SpectralGrid& grid, const PhysicsOptions& options);
    virtual ~SourcePackage() = default;

    /// Appends a term that is not in the list; a Defect for a second wind input. Workspaces must be made afterwards.
    virtual void append(std::unique_ptr<SourceTerm> term);

    virtual SourceWorkspace make_workspace() const;

    /// Advances the action density of one cell, `action[f·directions + θ]` (m² s rad⁻¹ / (rad s⁻¹)), by
    /// `step` seconds in place, once through all terms, or in equal sub-steps where the sea is young (see
    /// SourceIntegration::parts); updates `state`. Allocates nothing. Returns false, with action and state as
    /// they were, if the outcome is not sane: not finite, or above largest_variance.
    virtual bool integrate_cell(Real* action, const CellConditions& conditions, Real step, SourceState& state,
                                SourceWorkspace& workspace) const;

    /// Names what made the cell insane: "action" (already on entry), the first term that is not finite, or else the one
    /// that adds most, or "integration". Empty if all is well. For use after integrate_cell returned false.
    virtual std::string_view blame(const Real* action, const CellConditions& conditions, Real step,
                                   const SourceState& state, SourceWorkspace& workspace) const;

    /// Evaluates the terms whose partner is air or water as the first part of integrate_cell does; changes nothing but the workspace.
    virtual OceanExchange find_exchange(const Real* action, const CellConditions& conditions, Real step,
                                        SourceState state, SourceWorkspace& workspace) const;

    // The parts of integrate_cell, for timing each by itself: load, what the wind input finds of the air, each term, then finish.
    virtual int terms() const { return static_cast<int>(terms_.size()); }
    virtual std::string_view term_name(int term) const { return terms_[term]->name(); }
    virtual Partner partner(int term) const { return terms_[term]->partner(); }
    virtual void load(const Real* action, const CellConditions& conditions, Real step, SourceState& state,
                      SourceWorkspace& workspace) const;
    /// Index of the wind input, -1 without one: then the friction velocity is that of the state and the whole spectrum prognostic.
    int wind_term() const { return wind_term_; }
    virtual void meet_air(SourceWorkspace& workspace) const;
    virtual void evaluate(int term, SourceWorkspace& workspace) const;
    /// Integrates and stores; false, with action untouched, if not sane.
    virtual bool finish(Real* action, SourceWorkspace& workspace) const;

    const LaneGrid& grid() const { return *grid_; }

    /// The step of a cell as a device needs it; a Refusal names a term that devices do not have.
    virtual SourceForm device_form() const;

private:
    void evaluate_all(SourceWorkspace& workspace) const;
    bool integrate_part(Real* action, const CellConditions& conditions, Real step, SourceState& state,
                        SourceWorkspace& workspace) const;
    std::string_view blame_part(const Real* action, const CellConditions& conditions, Real step,
                                const SourceState& state, SourceWorkspace& workspace) const;

    std::shared_ptr<const LaneGrid> grid_;
    std::vector<std::unique_ptr<SourceTerm>> terms_;
    const WindTerm* wind_ = nullptr;  // of terms_
    int wind_term_ = -1;
    CellStep step_;
    Densities density_;
};

}  // namespace groundswell::sea
