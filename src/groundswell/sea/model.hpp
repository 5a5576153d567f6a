#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/halo/exchange.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/halo/plan.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/sea/boundary/boundary.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/clusters/images.hpp"
#include "groundswell/sea/clusters/steps.hpp"
#include "groundswell/sea/device/model_on_device.hpp"
#include "groundswell/sea/fields.hpp"
#include "groundswell/sea/forcing/forcing.hpp"
#include "groundswell/sea/ice/damping.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/source/budget.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"
#include "groundswell/simulation/model.hpp"
#include "groundswell/simulation/schedule.hpp"

namespace groundswell::sea {

/// The longest stable propagation step of the whole mesh, and what sets it. The same on every rank.
struct GlobalStepLimit {
    double seconds = 0.0;
    std::int64_t mesh_cell = 0;   ///< index from 1 in the mesh file
    double lon = 0.0, lat = 0.0;  ///< rad
    int frequency = 0, direction = 0;
};

/// The spectral wave model on one rank's part of the mesh: its state and one step of it. Knows no files.
///
/// One step, where all cells take the same: start the halo exchange → propagate interior cells → finish the exchange → propagate the cells
/// at the rim → source terms at the end of a source step. All functions marked so are collective over `comm`.
class Model {
public:
    /// Builds tables, halo plan and exchange. Collective. `run` and `mesh` must outlive the model.
    Model(MPI_Comm comm, const Case& run, const voronoi::LocalMesh& mesh);

    /// Evaluations of all source terms of a cell by this rank so far, over cells and source steps.
    std::int64_t source_evaluations() const;
    double swell_age() const { return propagator_.swell_age(); }  ///< s, that acts; 0: bins spread nowhere
    const GlobalStepLimit& step_limit() const { return step_limit_; }
    const SpectralGrid& grid() const { return grid_; }
    const voronoi::LocalMesh& mesh() const { return mesh_; }
    const halo::Exchanges& exchange() const { return clusters_ ? clusters_->exchanges() : *exchange_; }
    /// Null where all cells take the same steps.
    const ClusterSteps* clusters() const { return clusters_ ? &*clusters_ : nullptr; }
    /// Cells in each cluster, of the whole mesh: one of all cells where all take the same steps.
    const std::vector<std::int64_t>& cells_of_clusters() const { return cells_of_clusters_; }
    /// The longest step that all cells can take, s, in parts where they need that (ClusterSteps). Collective.
    double longest_step() const {
        return clustered_ ? longest_meeting(comm_, mesh_, propagator_.longest_steps()) : step_limit_.seconds;
    }

    /// Opens the forcings for the whole period and sets the sea at its start; where the case starts from a
    /// restart file, the caller has filled action() and source_states(). Collective.
    void start(const simulation::Schedule& schedule);
    /// Opens the forcings for the rest of the period; the caller has filled action() and source_states(), as
    /// stored after `step` steps. Collective.
    void restart(const simulation::Schedule& schedule, std::int64_t step);

    /// One propagation step, and the source terms if a source step ends with it. Then, after its last message,
    /// it may throw on one rank alone: base::RunFailure when a cell's action is no longer a sane number, naming
    /// cell, place, time and term, or what a forcing's files gave cause to. Collective.
    void advance();
    std::int64_t step() const { return step_; }

    /// The sea, wind and air of an owned cell now, with all that is read but the force of waves.
    CellSituation situation(std::int32_t cell, Reads reads = Reads::parameters) const;
    /// The same of all owned cells, [owned]. Of what a device computed, no more than is wanted for it comes to the host. Not collective.
    void find_situations(Reads reads, std::vector<CellSituation>& all) const;
    SpectrumInPlace spectrum(std::int32_t cell) const;
    /// Rates of the source terms of an owned cell now, for the share of it that no ice covers; none without source terms.
    SourceBudget budget(std::int32_t cell) const;
    /// Bringer of the halo's cells, without images.
    const std::shared_ptr<const halo::Plan>& plan() const { return plan_; }

    /// Brings what a device computed to the host: before the functions that tell of cells, once after each step. Not collective.
    void bring_back() const;
    /// Brings these owned cells alone, and the forcing of all.
    void bring_back(std::span<const std::int32_t> cells) const;
    /// State of the host, which its caller may change: [total][stride], [owned].
    Real* action();
    std::span<SourceState> source_states();
    const Real* action() const {
        bring_back();
        return current_->data();
    }
    std::span<const SourceState> source_states() const {
        bring_back();
        return source_states_.span();
    }

    /// Both copies of the action, and what source terms remember.
    simulation::Model::StateMemory state_memory() const;

    parallel::Profile& profile() { return profile_; }
    const parallel::Profile& profile() const { return profile_; }
    /// [total] m, of the still water now.
    std::span<const double> depths() const { return propagator_.depths(); }
    /// After start() or restart(). Not while other threads ask for it.
    const Forcing& forcing() const {
        forcing_->settle();
        return *forcing_;
    }

    // The functions below are for timing kernels alone, and for checking them against their plain forms.
    /// All owned cells propagated by a step with the halo as it is; no step is counted.
    void propagate_alone();
    /// The source terms of all owned cells for a source step, under the forcings that were read last.
    void integrate_sources();
    Propagator& propagator() { return propagator_; }
    const SourcePackage* package() const { return package_.get(); }
    CellConditions conditions(std::int32_t cell) const;
    SourceWorkspace& workspace(int thread) { return *workspaces_[thread]; }
    Real* next_action() { return next_->data(); }  ///< [total][stride] of the step that is computed next

private:
    void open_forcing(base::Instant from);
    /// `shift`: the action is that of the water before, and is to follow the change of its depth.
    void read_forcing(base::Instant time, bool shift);
    void set_water(bool shift);
    base::Instant middle_of_cycle(base::Instant begin) const {
        return begin + base::Duration{std::llround(0.5e6 * time_.cycle_seconds())};
    }
    void warn_of_dry_mesh();
    // `is_last`: of the parts of a propagation step.
    void propagate_once(double seconds, bool is_last);
    void propagate_on_device(double seconds, bool is_last);
    void use_forcing_on_device();
    ModelOnDevice::Surroundings surroundings() const;
    std::int32_t integrate_sources_on_device();
    ModelOnDevice::Host host_state() const { return {current_->data(), source_states_.span()}; }
    void make_device();
    void let_through_ice();
    // Share of an owned cell's surface.
    Real open_water(std::int32_t cell) const {
        return Real(1) - std::clamp(forcing_->cells()[cell].ice_concentration, Real(0), Real(1));
    }
    // Depth that source terms and ice see.
    double depth_felt(std::int32_t cell) const {
        return std::max(propagator_.depth(cell), case_.physics[common::minimum_depth]);
    }
    // Share of the source terms that acts: that of open water; 0 where it is dry or frozen over.
    double acting_share(std::int32_t cell) const;
    OceanExchange to_ocean(std::int32_t cell) const;
    IceDamping::Cell ice_over(std::int32_t cell) const;
    void damp_under_ice(std::int32_t cell) { ice_.apply(block(cell), ice_over(cell), time_.cycle_seconds()); }
    void damp_under_ice_on_device();
    void fill_initial_state();
    void hold_wave_makers();
    void propagate();
    void apply_sources();
    [[noreturn]] void stop_on_bad_cell(std::int32_t cell);
    CellSituation surroundings_of(std::int32_t cell) const;
    Real* block(std::int32_t cell);

    MPI_Comm comm_;
    const Case& case_;
    const voronoi::LocalMesh& mesh_;
    SpectralGrid grid_;
    std::unique_ptr<ClusteredMesh> clustered_;  // where clusters step at rates of their own
    Propagator propagator_;
    std::shared_ptr<const halo::Plan> plan_;
    halo::Field<Real> first_, second_;
    halo::Field<Real>*current_, *next_;
    parallel::Profile profile_;
    std::unique_ptr<ModelOnDevice> device_;    // null: processors compute; outlives exchanges there
    std::optional<halo::Exchanges> exchange_;  // where cells do not step in clusters
    GlobalStepLimit step_limit_;

    std::unique_ptr<SourcePackage> package_;                    // none: no source terms
    std::vector<std::unique_ptr<SourceWorkspace>> workspaces_;  // one per thread
    mutable exec::Array<SourceState> source_states_;  // [owned]; bring_back() renews it, as the action
    IceDamping ice_;
    std::unique_ptr<Forcing> forcing_;
    std::unique_ptr<Boundary> boundary_;  // null: nothing enters
    int step_parts_ = 1;                  // that the water of now wants of a propagation step
    bool told_of_parts_ = false, warned_of_dry_ = false;
    std::vector<Real> through_ice_;  // [cells of the propagator's mesh]; empty without ice that blocks

    struct HeldCells {
        std::vector<std::int32_t> cells;
        std::vector<Real> action;  // one block
    };
    std::vector<HeldCells> held_;

    simulation::Schedule time_;
    std::int64_t step_ = 0;
    parallel::Phase propagation_, forcing_phase_, source_;
    std::optional<ClusterSteps> clusters_;
    mutable std::vector<Real> depths_felt_, acting_;  // [owned] that source terms on a device got last
    std::vector<std::int64_t> cells_of_clusters_;
};

}  // namespace groundswell::sea
