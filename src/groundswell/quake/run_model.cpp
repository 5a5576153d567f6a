#include "groundswell/quake/run_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/case.hpp"
#include "groundswell/quake/case_parts.hpp"
#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/fault/case/options.hpp"
#include "groundswell/quake/fault/end/rupture_end.hpp"
#include "groundswell/quake/fault/saved_fault.hpp"
#include "groundswell/quake/initial/initial.hpp"
#include "groundswell/quake/mesh/resolution.hpp"
#include "groundswell/quake/plasticity/options.hpp"
#include "groundswell/quake/run_report.hpp"
#include "groundswell/quake/sanity/sanity.hpp"
#include "groundswell/quake/saved_waves.hpp"
#include "groundswell/quake/source/all_sources.hpp"
#include "groundswell/quake/streams/faults/streams.hpp"
#include "groundswell/quake/wavefield.hpp"

namespace groundswell::quake {

namespace {

/// The earthquake model as a run sees it. One of its steps leads from one time that all clusters meet at to the next.
template <class Real>
class RunModel : public simulation::Model {
public:
    RunModel(MPI_Comm comm, const Case& run)
        : comm_(comm),
          case_(run),
          domain_(domain_of(comm, run)),
          fault_(fault_input_of(comm, run, domain_.mesh)),
          device_(device_of(comm, run)),
          field_(comm, kernels_of<Real>(comm, run, domain_), domain_.mesh, domain_.material,
                 domain_.clusters.step, domain_.clusters.rate, run.halo, &profile_,
                 run.rock.attenuation.get(), fault_ ? &*fault_ : nullptr, domain_.gravity),
          rows_(comm, domain_.mesh.global_cells,
                {domain_.mesh.row.data(), static_cast<std::size_t>(domain_.mesh.owned)}),
          sanity_(comm, run.mesh.name(), run.solver.step, domain_),
          sources_(add_sources(
              comm, run.source, run.file, domain_,
              [this](std::int32_t cell, const tetra::Point& reference, std::span<const PointSource> sources) {
                  for (const PointSource& source : sources) field_.add_source(cell, reference, source);
              })) {
        if (fault_) judge_fault(comm, *run.fault, run.mesh.name(), *field_.fault());
        for (const SourceSection& point : run.source.points)
            sanity_.expect_sources({point.source.place, point.source.place});
        for (const SpreadRupture& rupture : sources_.ruptures) sanity_.expect_sources(rupture.extent);
        if (run.plasticity)
            field_.make_plastic(
                comm, domain_.mesh, domain_.material,
                plasticity_input(comm, *run.plasticity, run.fault ? &*run.fault : nullptr, domain_.mesh));
        if (run.layer) field_.add_layer(comm, domain_.mesh, domain_.material, *run.layer);
        if (auto* fault = field_.fault()) saved_fault_.emplace(comm, domain_.mesh, fault->places());
        if (run.fault && run.fault->end.after > 0.0)
            rupture_end_.emplace(comm, run.fault->end, field_.meeting_seconds());
        warn_of_short_waves(comm, run.source, run.file, domain_, run.solver.order, sources_.ruptures);
        if (parallel::rank_of(comm) == 0)
            warn_of_late_sources(run.source, run.file, sources_.ruptures,
                                 (run.time.end - run.time.start).seconds());
        for (const SurfaceSection& section : run.surfaces) {
            const auto mesh = std::make_shared<const SurfaceMesh>(comm, run, section, domain_.mesh);
            surfaces_.push_back({mesh, std::make_shared<Peaks>(section, mesh->triangles().size())});
        }
    }

    MPI_Comm comm() const override { return comm_; }
    Cells cells() const override { return {domain_.mesh.owned, domain_.mesh.global_cells}; }
    Work work() const override {
        return {"element-updates", domain_.clusters.updates_of_cell(field_.ticks_to_meet())};
    }
    parallel::Profile& profile() override { return profile_; }
    double even_cells(std::int64_t /*steps*/) const override {
        return static_cast<double>(field_.effort().corrected);
    }
    std::vector<Kernel> kernel_times(std::int64_t /*steps*/) override {
        return quake::kernel_times(field_, case_.plasticity.has_value(), fault_.has_value());
    }
    int number_bytes() const override { return sizeof(Real); }
    StateMemory state_memory() const override {
        const auto bytes = static_cast<std::int64_t>(field_.bytes());
        return {bytes, bytes};
    }
    simulation::StepRules step_rules() const override {
        simulation::StepRules rules;
        rules.own_step = field_.meeting_seconds();
        rules.what = "this mesh and material";
        return rules;
    }
    simulation::State state() override {
        simulation::State state;
        state.dimensions = {{"cell", domain_.mesh.global_cells,
                             fmt::format("{} cells as in {}", domain_.mesh.global_cells, case_.mesh.name())},
                            {"function", basis_size(case_.solver.order),
                             fmt::format("solver.order = {}", case_.solver.order)},
                            {"quantity", Elastic::quantities, "elastic waves"}};
        const output::Attribute identity("mesh_identity", static_cast<std::int64_t>(domain_.mesh.identity));
        state.marks = {{identity, fmt::format("{}, the mesh {}", identity.text(), case_.mesh.name())}};
        saved_waves_.add_to(state, field_, rows_, case_.rock.mechanisms(), domain_.has_sea);
        if (saved_fault_) saved_fault_->add_to(state, *field_.fault(), case_.fault->law);
        if (rupture_end_) rupture_end_->add_to(state);
        for (std::size_t s = 0; s < surfaces_.size(); ++s)
            surfaces_[s].peaks->add_to(state, static_cast<int>(s) + 1, *surfaces_[s].mesh);
        return state;
    }
    void start(const simulation::Schedule& schedule) override {
        schedule_ = schedule;
        set_initial(comm_, case_.initial, case_.rock.attenuation.get(), domain_, field_);
        begin();
    }
    void resume(const simulation::Schedule& schedule, std::int64_t step) override {
        schedule_ = schedule;
        saved_waves_.restore(field_);
        if (saved_fault_) saved_fault_->restore(*field_.fault());
        if (rupture_end_) rupture_end_->restore();
        field_.resume(step);
        begin();
    }
    void advance(std::int64_t step) override {
        saved_waves_.clear();
        if (saved_fault_) saved_fault_->clear();
        for (const auto& [every, recorder] : recorders_) {
            const std::int64_t first = schedule_.records_until(every, step);
            recorder->expect(first, schedule_.records_until(every, step + 1) - first);
        }
        field_.advance();
        sanity_.check(field_, step + 1);
        if (fault_ && fault_->given) fault_->given->tell();
    }
    bool has_ended(std::int64_t step) override {
        return rupture_end_ && rupture_end_->has_ended(*field_.fault(), step);
    }
    std::vector<std::unique_ptr<simulation::Stream>> streams() override {
        std::vector<std::unique_ptr<simulation::Stream>> all;
        const auto add = [&](base::Duration every, RecordedStream made) {
            all.push_back(std::move(made.stream));
            recorders_.emplace_back(every, std::move(made.recorder));
        };
        for (const simulation::MapSection& section : case_.output.maps)
            add(section.every, make_map(case_, section, domain_, rows_, field_));
        for (const ReceiversSection& section : case_.receivers)
            add(section.every, make_receivers(comm_, case_, section, domain_, field_));
        for (std::size_t s = 0; s < surfaces_.size(); ++s)
            add(case_.surfaces[s].every, make_surface(case_, case_.surfaces[s], surfaces_[s].mesh,
                                                      surfaces_[s].peaks, domain_, field_));
        for (const VolumeSection& section : case_.volumes)
            add(section.every, make_volume(comm_, case_, section, domain_, field_));
        for (const FaultMapSection& section : case_.fault_maps)
            add(section.every,
                make_fault_map(comm_, case_, section, domain_, *saved_fault_, *field_.fault()));
        for (const FaultReceiversSection& section : case_.fault_receivers)
            add(section.every,
                make_fault_receivers(comm_, case_, section, *fault_, *saved_fault_, *field_.fault()));
        if (case_.rupture_series)
            add(case_.rupture_series->every,
                make_rupture_series(comm_, case_, *case_.rupture_series, *field_.fault()));
        if (case_.energies)
            add(case_.energies->every,
                make_energies(comm_, case_, *case_.energies, case_.rock.attenuation.get(), domain_, field_));
        return all;
    }
    void announce(const simulation::Schedule& schedule) const override {
        base::log_info("mesh {}: {} tetrahedra; order {}, {}", case_.mesh.name(), domain_.mesh.global_cells,
                       case_.solver.order, case_.solver.precision);
        domain_.announce(field_.meeting_seconds());
        sources_.announce();
        if (case_.rock.attenuation) case_.rock.attenuation->announce();
        base::log_info("0 to {}", schedule.text(case_.time.end));
    }
    void report(const simulation::Schedule& schedule, std::int64_t steps,
                simulation::Report& report) override {
        report.set("order", std::int64_t{case_.solver.order});
        report.set("precision", case_.solver.precision);
        if (const auto& attenuation = case_.rock.attenuation) {
            report.set("attenuation.mechanisms", std::int64_t{attenuation->options().mechanisms});
            report.set("attenuation.error", attenuation->error());
        }
        domain_.add_to(report);
        report.set("resolution.edges_per_wavelength", edges_per_wavelength(case_.solver.order));
        const auto* const broken = field_.fault();
        const std::vector<std::int64_t> at_faults =
            broken ? faces_of_clusters(comm_, *broken, domain_.mesh)
                   : std::vector<std::int64_t>(domain_.clusters.cells.size());
        std::string list;
        double step = domain_.clusters.step;
        std::int64_t updates = 0;  // from one meeting of all clusters to the next
        for (std::size_t c = 0; c < domain_.clusters.cells.size(); ++c, step *= domain_.clusters.rate) {
            report.set(fmt::format("clusters.{}.step_seconds", c), step);
            report.set(fmt::format("clusters.{}.elements", c), domain_.clusters.cells[c]);
            report.set(fmt::format("clusters.{}.fault_faces", c), at_faults[c]);
            updates += domain_.clusters.cells[c] * std::llround(field_.meeting_seconds() / step);
            list += fmt::format("{}{}", c == 0 ? "" : ", ", domain_.clusters.cells[c]);
        }
        report.set("element_updates", steps * updates);
        sources_.report(report);
        if (steps == 0) return;
        field_.fetch_state();
        sanity_.check_energy(field_);
        report.set_reading(comm_, "mesh", domain_.cost);
        const double simulated = static_cast<double>(steps) * field_.meeting_seconds();
        const double measured =
            measured_gain(comm_, field_, domain_.mesh.owned, simulated / domain_.shortest.value);
        report.set("local_time_stepping.gain_measured", measured);
        report.add_line(fmt::format(
            "clusters           {} cells, from {:.4g} s: {:.2f} times fewer updates than one step "
            "for all (each cell its own: {:.2f}), {:.2f} times faster",
            list, domain_.clusters.step, domain_.gain_of_clusters, domain_.gain_of_own_steps, measured));
        report.add_line(fmt::format("ground             {}", domain_.ranges.extent()));
        report.add_line(fmt::format("rock               {}", domain_.ranges.rock()));
        report.add_line(fmt::format(
            "resolution         waves up to {:.4g} Hz in all cells, in uniform rock, at least {:.4g} m long",
            domain_.coarsest.value, domain_.shortest_wave()));
        report.set_over_ranks(comm_, "state_bytes", static_cast<double>(field_.bytes()));
        if (rupture_end_) rupture_end_->add_to(report, simulated, schedule.total_steps > steps);
        if (field_.fault()) report_rupture(comm_, field_, simulated, sources_.totals.moment > 0.0, report);
        if (case_.plasticity) report_plasticity(comm_, field_, report);
        if (const auto exchange = field_.exchange_report()) exchange->add_to(report);
    }

private:
    void begin() {
        sanity_.begin(field_);
        if (device_) field_.move_to(*device_);
    }
    MPI_Comm comm_;
    const Case& case_;
    parallel::Profile profile_;
    Domain domain_;
    std::optional<FaultInput> fault_;       // none can break
    std::unique_ptr<exec::Device> device_;  // none: processors compute
    Wavefield<Real> field_;
    output::Decomposition rows_;
    Sanity<Real> sanity_;
    AllSources sources_;
    struct Surface {
        std::shared_ptr<const SurfaceMesh> mesh;
        std::shared_ptr<Peaks> peaks;  // of which restarts know
    };
    std::vector<Surface> surfaces_;  // of the case
    simulation::Schedule schedule_;
    std::vector<std::pair<base::Duration, std::shared_ptr<Recorder>>> recorders_;
    std::optional<SavedFault> saved_fault_;
    std::optional<RuptureEndWatch> rupture_end_;
    SavedWaves<Real> saved_waves_;
};

std::unique_ptr<simulation::Model> make(MPI_Comm comm, const simulation::Case& run) {
    const auto& own = dynamic_cast<const Case&>(run);
    if (own.solver.precision == "float") return std::make_unique<RunModel<float>>(comm, own);
    return std::make_unique<RunModel<double>>(comm, own);
}

}  // namespace

simulation::ModelKind model_kind() {
    return {"quake",
            "waves of earthquakes, an ADER discontinuous Galerkin model on tetrahedra",
            read_case,
            make,
            {"mesh", "material", "attenuation", "plasticity", "absorbing_layer", "fault", "solver.order",
             "solver.precision"}};
}

}  // namespace groundswell::quake
