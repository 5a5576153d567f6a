
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/percentile.hpp"
#include "groundswell/cli/proxy/kernels_on_device.hpp"
#include "groundswell/cli/proxy/phase_clock.hpp"
#include "groundswell/cli/proxy/proxy_model.hpp"
#include "groundswell/cli/proxy/sea_sample.hpp"
#include "groundswell/cli/proxy/sizes.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/checks/kernel_checks.hpp"
#include "groundswell/sea/kernels/kernel_work.hpp"
#include "groundswell/sea/model.hpp"
#include "groundswell/sea/model_state.hpp"
#include "groundswell/sea/spectrum/parametric_sea.hpp"
#include "groundswell/sea/step_rules.hpp"
#include "groundswell/simulation/streams/restart.hpp"

namespace groundswell::cli {

namespace {

using sea::Real;

struct SeaProxyOptions {
    int directions = 36, frequencies = 35;
    std::vector<std::string> spectra;
    std::string scheme = "both";
};

// The kernels of the wave model where they stand in a step of a run: the model is a run's own, with its state, mesh, order of
// cells, wind and exchanges, and steps as in a run; its profile tells the seconds of each phase. Then each of them alone.
class SeaKernels : public ProxyKernels {
public:
    SeaKernels(MPI_Comm comm, const ProxyTask& task, std::shared_ptr<const sea::Case> run)
        : run_(std::move(run)),
          loaded_(load_sea(comm, *run_, task.cells)),
          model_(loaded_.comm.get(), *run_, loaded_.mesh),
          of_case_(task.run != nullptr) {
        const MPI_Comm ranks = loaded_.comm.get();
        const auto rules = sea::step_rules(*run_, model_.step_limit().seconds);
        schedule_ = parallel::agree(ranks, [&] { return simulation::make_schedule(*run_, rules); });
        if (!run_->initial_restart.empty()) {
            const output::Decomposition faces(
                ranks, loaded_.mesh.global_cells,
                {loaded_.mesh.face.data(), static_cast<std::size_t>(loaded_.mesh.owned)});
            const auto state = sea::model_state(*run_, model_, faces);
            parallel::agree(ranks, [&] { simulation::check_initial_restart(*run_, state); });
            simulation::read_restart_state(ranks, run_->initial_restart, state);
        }
        model_.start(schedule_);
        if (!of_case_) mix();
        const std::int64_t cycles = schedule_.total_steps / schedule_.steps_per_cycle;
        spin_up_ = std::min<std::int64_t>(task.spin_up, std::max<std::int64_t>(0, cycles - 5));
        most_cycles_ = cycles - spin_up_;
        for (std::int64_t step = 0; step < spin_up_ * schedule_.steps_per_cycle; ++step) model_.advance();
    }

    MPI_Comm comm() const override { return loaded_.comm.get(); }
    std::int64_t cells() const override { return loaded_.mesh.owned; }
    nlohmann::json about() const override {
        return {{"bins", model_.grid().bins()},
                {"directions", model_.grid().directions},
                {"frequencies", model_.grid().frequencies},
                {"scheme", name_of(run_->propagation.scheme)},
                {"steps_in_source_step", schedule_.steps_per_cycle}};
    }
    nlohmann::json identity() const override {
        return {{"cells", loaded_.mesh.global_cells},
                {"bins", model_.grid().bins()},
                {"step_seconds", schedule_.step_seconds()},
                {"source_step_seconds", schedule_.cycle_seconds()}};
    }
    std::vector<exec::KernelCheck> check() override {
        return sea::check_kernels(model_, *run_, schedule_.step_seconds(), schedule_.cycle_seconds());
    }

    std::vector<TimedKernel> time(int repeats, const Repeat& repeat) override {
        std::vector<TimedKernel> kernels;
        const double bins = model_.grid().bins(), steps = static_cast<double>(schedule_.steps_per_cycle);
        const auto add = [&](const std::string& name, const sea::KernelWork& work,
                             std::vector<double> seconds, std::vector<double> alone = {}) {
            kernels.push_back({name, std::move(seconds), work.flop * bins, work.bytes * bins});
            kernels.back().alone = std::move(alone);
            kernels.back().lanes_filled = sea::lanes_filled(model_.grid().directions);
        };
        const int directions = model_.grid().directions;
        const sea::KernelWork propagated = sea::propagation_work(run_->propagation);
        const InSteps in_steps = time_steps(repeats);
        if (run_->propagates) {
            add("propagation", propagated, in_steps.propagation, repeat([&] { model_.propagate_alone(); }));
            kernels.back().phase = "propagation";
            kernels.back().in_a_step = 1.0;
            time_without_poles(base::percentile(kernels.back().alone, 0.5), repeat);
        }
        if (model_.package() == nullptr) return kernels;
        // Cells with a young sea evaluate all terms more than once.
        sea::KernelWork source = sea::source_work(run_->physics, directions);
        source.flop *= evaluations_;
        add("source", source, in_steps.source, repeat([&] { model_.integrate_sources(); }));
        kernels.back().phase = "source";
        kernels.back().in_a_step = 1.0 / steps;
        if (run_->propagates) add("both", propagated + source, in_steps.both);
        const auto& package = *model_.package();
        std::vector<std::vector<double>> terms(package.terms());
        // Clock reads inside every cell are steadier than whole steps: fewer of them will do.
        for (int i = 0; i < std::max(5, repeats / 4); ++i) {
            const std::vector<double> seconds = time_terms();
            for (std::size_t t = 0; t < terms.size(); ++t) terms[t].push_back(seconds[t]);
        }
        for (std::size_t t = 0; t < terms.size(); ++t) {
            const std::string name(package.term_name(static_cast<int>(t)));
            add(name, sea::term_work(name, run_->physics, directions), terms[t]);
        }
        return kernels;
    }

    std::vector<Difference> differences() const override {
        std::vector<Difference> all;
        if (evaluations_ >= 1.01)
            all.push_back({"source", "young seas",
                           "cells with a young sea take their source step in parts; a source term's own row "
                           "is one evaluation",
                           evaluations_});
        if (near_poles_ > 1.05)
            all.push_back({"propagation", "cells near the poles",
                           "all cells over as many of the longest stretch without frames that turn: near the "
                           "poles spectra are turned on their way from cell to cell",
                           near_poles_});
        return all;
    }

private:
    struct InSteps {
        std::vector<double> propagation, source, both;
    };

    // Seas of many ages and directions, as after weeks of weather: the wind of each place has been another.
    void mix() {
        exec::for_each_cell(0, loaded_.mesh.owned, [&](std::int32_t cell) {
            const double lon = loaded_.mesh.lon[cell], lat = loaded_.mesh.lat[cell];
            const double speed = 11.0 + 4.0 * std::sin(5.0 * lon) * std::cos(4.0 * lat);
            Real* const block = model_.action() + static_cast<std::size_t>(cell) * model_.grid().stride();
            sea::fill_wind_sea(model_.grid(), {500e3}, speed, 3.0 * lat + 2.0 * std::sin(2.0 * lon), block);
        });
    }

    // How much slower all cells are than they would be without those near the poles, `alone` seconds of all cells of this rank.
    void time_without_poles(double alone, const Repeat& repeat) {
        std::int32_t from = 0, begin = 0, end = 0;
        const auto turning = model_.propagator().turning_frames();
        for (std::size_t i = 0; i <= turning.size(); ++i) {
            const std::int32_t to = i < turning.size() ? turning[i] : loaded_.mesh.owned;
            if (to - from > end - begin) {
                begin = from;
                end = to;
            }
            from = to + 1;
        }
        const auto seconds = repeat([&] {
            model_.propagator().propagate_cells(begin, end, model_.next_action(), model_.action(),
                                                schedule_.step_seconds());
        });
        const bool tells = !turning.empty() && 4 * (end - begin) > loaded_.mesh.owned;
        const double without =
            tells ? base::percentile(seconds, 0.5) * loaded_.mesh.owned / (end - begin) : alone;
        near_poles_ = parallel::sum(comm(), std::vector{alone}) / parallel::sum(comm(), std::vector{without});
    }

    InSteps time_steps(int repeats) {
        InSteps found;
        parallel::Profile& profile = model_.profile();
        const std::int64_t before = model_.source_evaluations();
        const auto cycles = static_cast<int>(std::min<std::int64_t>(repeats, most_cycles_));
        const auto steps = static_cast<int>(schedule_.steps_per_cycle);
        profile.start();
        PhaseClock clock(profile);
        for (int cycle = 0; cycle < cycles; ++cycle) {
            clock.restart();
            MPI_Barrier(comm());
            for (int step = 0; step < steps; ++step) model_.advance();
            found.propagation.push_back(clock.seconds("propagation") / steps);
            found.source.push_back(clock.seconds("source"));
            found.both.push_back(found.propagation.back() + found.source.back());
        }
        profile.stop();
        const double evaluations =
            static_cast<double>(parallel::sum(comm(), model_.source_evaluations() - before));
        evaluations_ = evaluations / (static_cast<double>(loaded_.mesh.global_cells) * cycles);
        return found;
    }

    // Seconds in each term, all cells, this rank's threads together: each term timed by itself inside each
    // cell.
    std::vector<double> time_terms() {
        const sea::SourcePackage& package = *model_.package();
        const auto seconds = static_cast<Real>(schedule_.cycle_seconds());
        std::vector<std::vector<double>> by_thread(exec::threads(), std::vector<double>(package.terms()));
        exec::for_each_cell(0, loaded_.mesh.owned, [&](std::int32_t cell) {
            sea::SourceWorkspace& space = model_.workspace(exec::thread_index());
            std::vector<double>& mine = by_thread[exec::thread_index()];
            Real* const block = model_.action() + static_cast<std::size_t>(cell) * model_.grid().stride();
            package.load(block, model_.conditions(cell), seconds, model_.source_states()[cell], space);
            const double start = parallel::now();
            package.meet_air(space);
            if (package.wind_term() >= 0) mine[package.wind_term()] += parallel::now() - start;
            for (int term = 0; term < package.terms(); ++term) {
                const double begin = parallel::now();
                package.evaluate(term, space);
                mine[term] += parallel::now() - begin;
            }
            package.finish(block, space);
        });
        std::vector<double> longest(package.terms());
        for (const std::vector<double>& mine : by_thread)
            for (std::size_t t = 0; t < longest.size(); ++t) longest[t] = std::max(longest[t], mine[t]);
        return longest;
    }

    std::shared_ptr<const sea::Case> run_;
    voronoi::LoadedMesh loaded_;
    sea::Model model_;
    bool of_case_;
    simulation::Schedule schedule_;
    std::int64_t spin_up_ = 0, most_cycles_ = 0;
    double near_poles_ = 1.0;
    double evaluations_ = 1.0;  // of all terms of a cell in a source step, on average
};

class SeaProxy : public ProxyModel {
public:
    void add_options(simulation::Command& command) override {
        command.option("--directions", options_.directions, "directions (sea)").within(4, 720);
        command.option("--frequencies", options_.frequencies, "frequencies (sea)").within(3, 200);
        command
            .option("--spectra", options_.spectra,
                    "several spectra, DIRECTIONSxFREQUENCIES, in place of these (sea)")
            .comma_separated();
        command.option("--scheme", options_.scheme, "propagation scheme (sea)")
            .one_of({"upwind", "second-order", "both"});
    }
    void check_options() override {
        variants_.clear();
        auto spectra = read_spectra(options_.spectra);
        if (spectra.empty()) spectra.emplace_back(options_.directions, options_.frequencies);
        for (const auto& [directions, frequencies] : spectra) {
            if (options_.scheme != "second-order")
                variants_.push_back({directions, frequencies, sea::PropagationScheme::upwind});
            if (options_.scheme != "upwind")
                variants_.push_back({directions, frequencies, sea::PropagationScheme::second_order});
        }
    }
    ProxyUnits units() const override {
        return {"bin_steps_per_second", "Mbin-steps/s", "bytes_per_bin", "bin"};
    }
    nlohmann::json about() const override { return {{"scheme", options_.scheme}}; }
    int variants() const override { return static_cast<int>(variants_.size()); }
    double bytes_of_cell(int variant) const override {
        // Two copies of the state, wave numbers and speeds of every frequency, mesh.
        const SeaVariant& v = variants_[variant];
        return v.frequencies * (2.0 * v.directions + 8.0) * sizeof(Real) + 1500.0;
    }
    double units_in_cell(const ProxyTask& task) const override {
        if (const auto* run = dynamic_cast<const sea::Case*>(task.run.get()))
            return static_cast<double>(run->spectrum.directions) * run->spectrum.frequencies;
        return static_cast<double>(variants_[task.variant].directions) * variants_[task.variant].frequencies;
    }
    std::unique_ptr<ProxyKernels> make(MPI_Comm comm, const ProxyTask& task) const override {
        if (task.device) return sea_kernels_on_device(*task.device, variants_[task.variant], task.cells);
        auto run = task.run ? std::dynamic_pointer_cast<const sea::Case>(task.run)
                            : usual_case(variants_[task.variant], task.mesh);
        return std::make_unique<SeaKernels>(comm, task, std::move(run));
    }
    int number_bytes(const ProxyTask&) const override { return sizeof(Real); }

private:
    SeaProxyOptions options_;
    std::vector<SeaVariant> variants_;
};

}  // namespace

std::unique_ptr<ProxyModel> sea_proxy() {
    return std::make_unique<SeaProxy>();
}

}  // namespace groundswell::cli
