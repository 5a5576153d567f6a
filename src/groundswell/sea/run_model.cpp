#include "groundswell/sea/run_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/hash.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/graph/clusters.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/clusters/choice.hpp"
#include "groundswell/sea/kernels/kernel_work.hpp"
#include "groundswell/sea/mesh/load_mesh.hpp"
#include "groundswell/sea/model.hpp"
#include "groundswell/sea/model_state.hpp"
#include "groundswell/sea/step_rules.hpp"
#include "groundswell/sea/streams/streams.hpp"

namespace groundswell::sea {

namespace {

/// Interface of the sea to a run, implemented by the model of its cells, its mesh and its files.
class RunModel : public simulation::Model {
public:
    RunModel(MPI_Comm comm, const Case& run)
        : case_(run),
          loaded_(load_mesh(comm, run)),
          model_(loaded_.comm.get(), run, loaded_.mesh),
          situations_(model_),
          faces_(loaded_.comm.get(), mesh().global_cells, {mesh().face.data(), owned()}),
          statistics_(situations_, loaded_.mesh.owned) {
        for (const simulation::MapSection& map : run.output.maps)
            if (map.statistic != "point")
                for (const std::string& field : map.fields) statistics_.add(field, map.statistic, map.every);
        graph::Clusters clusters;
        clusters.rate = cluster_rate;
        clusters.cells = model_.cells_of_clusters();
        updates_of_cell_ = clusters.updates_of_cell(ticks_to_meet());
    }

    MPI_Comm comm() const override { return loaded_.comm.get(); }
    Cells cells() const override { return {mesh().owned, mesh().global_cells}; }
    Work work() const override {
        return {"bin-steps", static_cast<double>(model_.grid().bins()) * updates_of_cell_};
    }
    double even_cells(std::int64_t steps) const override {
        const ClusterSteps* const clusters = model_.clusters();
        return static_cast<double>(steps) *
               (clusters != nullptr ? clusters->updates() : static_cast<double>(mesh().owned));
    }
    parallel::Profile& profile() override { return model_.profile(); }
    std::vector<Kernel> kernel_times(std::int64_t steps) override {
        std::vector<Kernel> kernels = computing_phases(profile());
        const double bins = model_.grid().bins();
        const auto count = [&](std::string_view name, double cells, const KernelWork& work) {
            for (Kernel& kernel : kernels) {
                if (kernel.name != name) continue;
                kernel.flop = cells * bins * work.flop;
                kernel.bytes = cells * bins * work.bytes;
                kernel.lanes_filled = lanes_filled(model_.grid().directions);
            }
        };
        count("propagation", even_cells(steps), propagation_work(case_.propagation));
        count("source", static_cast<double>(model_.source_evaluations()),
              source_work(case_.physics, model_.grid().directions));
        return kernels;
    }
    int number_bytes() const override { return sizeof(Real); }
    StateMemory state_memory() const override { return model_.state_memory(); }
    simulation::StepRules step_rules() const override {
        return sea::step_rules(case_, model_.longest_step());
    }
    simulation::State state() override {
        situations_.forget();  // whoever asks may change it
        simulation::State state = model_state(case_, model_, faces_);
        statistics_.add_to(state, faces_);
        return state;
    }
    simulation::State surroundings() override { return sea::surroundings(model_, faces_); }
    void start(const simulation::Schedule& schedule) override {
        model_.start(schedule);
        statistics_.start(schedule);
    }
    void resume(const simulation::Schedule& schedule, std::int64_t step) override {
        parallel::agree(comm(), [&] { statistics_.resume(schedule, step, case_.file); });
        model_.restart(schedule, step);
    }
    void advance(std::int64_t step) override {
        model_.advance();
        const parallel::PhaseTimer timer(profile(), parallel::Phase::output);
        statistics_.take(step + 1);
    }
    std::vector<std::unique_ptr<simulation::Stream>> streams() override {
        std::vector<std::unique_ptr<simulation::Stream>> all;
        const Extent extent = find_extent(comm(), mesh());
        for (const simulation::MapSection& map : case_.output.maps)
            all.push_back(make_map(comm(), case_, map, model_, situations_, statistics_, extent, faces_));
        for (const PointsSection& points : case_.points)
            all.push_back(make_points(comm(), case_, points, model_, situations_));
        for (const GridSection& grid : case_.grids)
            all.push_back(make_grid(comm(), case_, grid, model_, situations_));
        return all;
    }
    void announce(const simulation::Schedule& schedule) const override {
        const GlobalStepLimit& limit = model_.step_limit();
        base::log_info("{} frequencies × {} directions, {} cells, transport {}{}", model_.grid().frequencies,
                       model_.grid().directions, mesh().global_cells, model_.exchange().transport(),
                       model_.exchange().selects() ? " (directions that the receiver needs)" : "");
        if (model_.clusters() != nullptr)
            base::log_info(
                "steps from {:.4g} to {:.4g} s, in {} clusters of {} cells: {:.2f} times fewer updates",
                first_step(schedule), schedule.step_seconds(), model_.cells_of_clusters().size(),
                fmt::join(model_.cells_of_clusters(), ", "), gain_of_clusters(schedule));
        base::log_info("step {:.4g} s, source terms every {:.4g} s", schedule.step_seconds(),
                       schedule.cycle_seconds());
        if (case_.propagates)
            base::log_info(
                "the longest stable step is {:.4g} s, set by cell {} at {:.3f} E {:.3f} N, frequency {} and "
                "direction {}",
                limit.seconds, limit.mesh_cell, limit.lon / base::degree, limit.lat / base::degree,
                limit.frequency, limit.direction);
        // Outputs at odd moments can force steps far below the stable one, and a run many times as long.
        if (!case_.time.step &&
            schedule.step_seconds() < 0.5 * case_.courant * std::min(limit.seconds, schedule.cycle_seconds()))
            base::log_warning(
                "{}: time.end and the outputs have no common interval longer than {}: it sets the step",
                case_.file, base::format_duration(schedule.interval));
        base::log_info("{} to {}", schedule.text(schedule.start), schedule.text(case_.time.end));
    }
    void report(const simulation::Schedule& schedule, std::int64_t steps,
                simulation::Report& report) override {
        const GlobalStepLimit& limit = model_.step_limit();
        report.set("source_step_seconds", schedule.cycle_seconds());
        report.set("swell_age_seconds", model_.swell_age());
        report.set("limiting.longest_step_seconds", limit.seconds);
        report.set("limiting.cell", limit.mesh_cell);
        report.set("limiting.lon", limit.lon / base::degree);
        report.set("limiting.lat", limit.lat / base::degree);
        report.set("limiting.frequency_bin", std::int64_t{limit.frequency});
        report.set("limiting.direction_bin", std::int64_t{limit.direction});
        report_clusters(schedule, report);
        if (steps == 0) return;
        report.set("bins", std::int64_t{model_.grid().bins()});
        // How often the source terms of a cell were evaluated in a source step, on average: more than once in young
        // seas.
        const auto evaluations = static_cast<double>(parallel::sum(comm(), model_.source_evaluations()));
        const double once = static_cast<double>(mesh().global_cells) * static_cast<double>(steps) /
                            static_cast<double>(schedule.steps_per_cycle);
        const double times = once > 0.0 ? evaluations / once : 0.0;
        report.set("source_evaluations_per_step", times);
        if (times >= 1.01)
            report.add_line(fmt::format(
                "source terms       {:.2f} evaluations a step: young seas are stepped in parts", times));
        report.set_reading(comm(), "mesh", loaded_.cost);
        report.set_reading(comm(), "wind", model_.forcing().cost());
        report.set("partition", graph::name(loaded_.report.partition.method));
        model_.exchange().report().add_to(report);
        report.set("exchange.directions", model_.exchange().selects() ? "needed" : "all");
        report.set("exchange.moved_ranks", std::int64_t{loaded_.report.moved_ranks});
    }

private:
    double first_step(const simulation::Schedule& schedule) const {
        return schedule.step_seconds() / static_cast<double>(ticks_to_meet());
    }
    // Gain over one step for all, which meets the source steps as well.
    double gain_of_clusters(const simulation::Schedule& schedule) const {
        const double stable = std::min(case_.courant * model_.step_limit().seconds, schedule.cycle_seconds());
        const double one_for_all = std::ceil(schedule.cycle_seconds() / stable * (1.0 - 1e-12));
        return one_for_all / (static_cast<double>(schedule.steps_per_cycle) * updates_of_cell_);
    }
    void report_clusters(const simulation::Schedule& schedule, simulation::Report& report) const {
        if (model_.clusters() == nullptr) return;
        double step = first_step(schedule);
        const auto& cells = model_.cells_of_clusters();
        for (std::size_t c = 0; c < cells.size(); ++c, step *= cluster_rate) {
            report.set(fmt::format("clusters.{}.step_seconds", c), step);
            report.set(fmt::format("clusters.{}.cells", c), cells[c]);
        }
        const double gain = gain_of_clusters(schedule);
        report.set("local_time_stepping.rate", std::int64_t{cluster_rate});
        report.set("local_time_stepping.gain_of_clusters", gain);
        report.add_line(fmt::format(
            "clusters           {} cells, from {:.4g} s: {:.2f} times fewer updates than one step for all",
            fmt::join(cells, ", "), first_step(schedule), gain));
    }
    const voronoi::LocalMesh& mesh() const { return loaded_.mesh; }
    std::int64_t ticks_to_meet() const {
        return model_.clusters() != nullptr ? model_.clusters()->ticks_to_meet() : 1;
    }
    std::size_t owned() const { return static_cast<std::size_t>(loaded_.mesh.owned); }

    const Case& case_;
    voronoi::LoadedMesh loaded_;
    sea::Model model_;
    Situations situations_;
    output::Decomposition faces_;
    Statistics statistics_;
    double updates_of_cell_ = 1.0;  // in a step, on average over the whole mesh
};

// Each rank has asked the disk which files a pattern names, while more of them may come in.
void require_same_files(MPI_Comm comm, const simulation::Case& run) {
    base::Hash hash;
    for (const std::string& file : run.input_files())
        for (const char letter : file + '\n') hash << std::int64_t{letter};
    const auto mine = static_cast<std::int64_t>(hash.value());
    const bool same = parallel::min(comm, mine) == parallel::max(comm, mine);
    parallel::agree(comm, [&] {
        base::require(same, run.file, "", "",
                      "the same input files for all ranks: some came or went while the run "
                      "began; begin it again");
    });
}

std::unique_ptr<simulation::Model> make(MPI_Comm comm, const simulation::Case& run) {
    require_same_files(comm, run);
    return std::make_unique<RunModel>(comm, dynamic_cast<const Case&>(run));
}

}  // namespace

simulation::ModelKind model_kind() {
    return {"sea",
            "waves of the sea, a third-generation spectral model on Voronoi cells",
            read_case,
            make,
            {"mesh", "spectrum"}};
}

}  // namespace groundswell::sea
