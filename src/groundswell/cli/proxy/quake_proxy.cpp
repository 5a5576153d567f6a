#include <algorithm>
#include <cmath>

#include "groundswell/cli/proxy/kernels_on_device.hpp"
#include "groundswell/cli/proxy/phase_clock.hpp"
#include "groundswell/cli/proxy/proxy_model.hpp"
#include "groundswell/cli/proxy/quake_ground.hpp"
#include "groundswell/quake/kernels/kernel_bytes.hpp"

namespace groundswell::cli {

namespace {

struct QuakeProxyOptions {
    std::vector<int> orders{4};
    std::string precision = "double";
    int mechanisms = 0;
    bool water = false;
    std::string law = "linear-slip-weakening";  // of faults
};

// Kernels where they stand in a step of a run, told by the profile of the wave field's own steps, and each of them alone.
template <class Real>
class QuakeKernels : public ProxyKernels {
public:
    QuakeKernels(MPI_Comm comm, const ProxyTask& task, int order, const QuakeProxyOptions& options)
        : comm_(comm), run_(std::dynamic_pointer_cast<const quake::Case>(task.run)), spin_up_(task.spin_up) {
        if (run_) {
            order_ = run_->solver.order;
            mechanisms_ = run_->rock.mechanisms();
            law_ = run_->fault ? run_->fault->law : "";
            ground_ = ground_of<Real>(comm, *run_);
        } else {
            order_ = order;
            mechanisms_ = options.mechanisms;
            law_ = options.law;
            cells_ = task.cells;
            water_ = options.water;
            ground_ = box_of_rock<Real>(comm, cells_, order, mechanisms_, "", water_);
        }
    }

    MPI_Comm comm() const override { return comm_; }
    std::int64_t cells() const override { return field().cells(); }
    nlohmann::json about() const override {
        return {{"order", order_},
                {"precision", sizeof(Real) == sizeof(double) ? "double" : "float"},
                {"mechanisms", mechanisms_},
                {"medium", water_ ? "water" : "rock"},
                {"friction", law_}};
    }
    nlohmann::json identity() const override {
        return {{"elements", ground_->domain.mesh.global_cells},
                {"order", order_},
                {"precision", sizeof(Real) == sizeof(double) ? "double" : "float"},
                {"step_seconds", field().meeting_seconds()}};
    }
    std::vector<exec::KernelCheck> check() override {
        std::vector<exec::KernelCheck> checks = ground_->check();
        if (!run_ && !water_) {
            broken_ = box_of_rock<Real>(comm_, cells_, order_, mechanisms_, law_);
            // Elements next to faults are looked at as such.
            for (exec::KernelCheck& check : broken_->check())
                if (check.kernel.starts_with("fault")) checks.push_back(std::move(check));
        }
        set_initial();
        return checks;
    }

    std::vector<TimedKernel> time(int repeats, const Repeat& repeat) override {
        auto& elements = field().elements();
        const InSteps in_steps = time_steps(repeats);
        const int blocks = ground_->clusters() * quake::blocks_of_cluster,
                  rate = ground_->domain.clusters.rate;
        // Each element once, as in its own step: those next to a finer cluster keep pieces for it.
        const auto predict = [&] {
            for (int block = 0; block < blocks; ++block) {
                const auto seconds =
                    static_cast<Real>(field().step() * std::pow(rate, block / quake::blocks_of_cluster));
                if (rate > 1 && block % 2 == 1)
                    elements.predict_pieces(block, seconds, rate);
                else
                    elements.predict(block, seconds);
            }
        };
        const auto correct = [&] {
            for (int block = 0; block < blocks; ++block) elements.correct(block);
        };
        const auto& kinds = quake::wave_kernels<Real>(order_, mechanisms_);
        const quake::Kernels<Real>& of_kind = water_ ? *kinds.of_water : kinds;
        const quake::KernelWork& work = of_kind.work;
        const quake::KernelBytes bytes = quake::kernel_bytes<Real>(of_kind.layout);
        const double updates = ground_->domain.clusters.updates_of_cell(field().ticks_to_meet());
        std::vector<TimedKernel> kernels;
        const auto add = [&](const char* name, std::vector<double> seconds, double flop, double least_bytes,
                             double times, std::vector<double> alone = {}) -> TimedKernel& {
            for (double& one : alone) one *= times;  // to as many updates
            kernels.push_back(
                {name, std::move(seconds), flop * times, least_bytes * times, {}, times, std::move(alone)});
            return kernels.back();
        };
        const double local = bytes.local(), neighbour = bytes.neighbour();
        // Series in time are those of rock, in water too.
        add("predictor", repeat([&] {
                for (int block = 0; block < blocks; ++block) elements.differentiate(block);
            }),
            kinds.work.derivatives, quake::kernel_bytes<Real>(kinds.layout).state, 1.0);
        // A run's own pass, which alone keeps a wave field sound; alone each changes it as it likes.
        TimedKernel& predicted = add("local", in_steps.local, work.local, local, updates, repeat(predict));
        predicted.phase = "local";
        predicted.in_a_step = 1.0;
        TimedKernel& corrected =
            add("neighbour", in_steps.neighbour, work.neighbour, neighbour, updates, repeat(correct));
        corrected.phase = "neighbour";
        corrected.in_a_step = 1.0;
        add("all", in_steps.all, work.all(), local + neighbour, updates);
        set_initial();
        if (broken_ || field().fault() != nullptr) time_fault(in_steps, repeat, kernels);
        return kernels;
    }

private:
    struct InSteps {
        std::vector<double> local, neighbour, all, rupture;
    };
    quake::Wavefield<Real>& field() const { return *ground_->field; }

    // Waves of MPa in every cell: kernels need as long for any, but for numbers that are all but none.
    void set_initial() {
        for (ProxyGround<Real>* ground : {ground_.get(), broken_.get()}) {
            if (ground == nullptr) continue;
            auto& field = *ground->field;
            for (std::int32_t cell = 0; cell < field.cells(); ++cell) {
                for (int q = 0; q < 9; ++q)
                    field.coefficient(cell, 1, q) =
                        static_cast<Real>((q < 6 ? 1e6 : 0.1) * std::sin(0.1 * cell + q));
                if (ground->domain.material[cell].is_liquid()) quake::bear_no_shear(field, cell, 1);
            }
        }
    }

    InSteps time_steps(int repeats) {
        InSteps found;
        parallel::Profile& profile = ground_->profile;
        for (int i = 0; i < std::max(1, spin_up_); ++i) field().advance();  // warms caches and pages
        profile.start();
        PhaseClock clock(profile);
        for (int i = 0; i < repeats; ++i) {
            clock.restart();
            MPI_Barrier(comm_);
            field().advance();
            found.local.push_back(clock.seconds("local"));
            found.neighbour.push_back(clock.seconds("neighbour"));
            found.all.push_back(found.local.back() + found.neighbour.back());
            found.rupture.push_back(clock.seconds("rupture"));
        }
        profile.stop();
        return found;
    }

    // By the face: what its sides are, and friction with what both feel of it.
    void time_fault(const InSteps& in_steps, const Repeat& repeat, std::vector<TimedKernel>& kernels) {
        ProxyGround<Real>& ground = broken_ ? *broken_ : *ground_;
        auto& field = *ground.field;
        auto& elements = field.elements();
        auto& fault = *field.fault();
        field.advance();
        const auto look = [&] {
            for (int block = 0; block < ground.clusters() * quake::blocks_of_cluster; ++block)
                fault.look(elements, block);
        };
        const auto solve = [&] {
            for (int c = 0; c < ground.clusters(); ++c) {
                for (const bool crossing : {false, true})
                    fault.solve(elements, c, crossing, field.time(), field.step());
            }
        };
        const auto faces = std::ranges::count_if(fault.places(), &quake::FaultPlace::mine);
        kernels.push_back({"fault sides", repeat(look), 0.0, 0.0, faces});
        kernels.push_back({"fault friction", repeat(solve), 0.0, 0.0, faces});
        kernels.push_back({"fault", repeat([&] {
                               look();
                               solve();
                           }),
                           0.0, 0.0, faces});
        if (broken_) return;
        // In a run: a meeting of all clusters, with so many steps of a face.
        const std::int64_t solved = fault.solved();
        field.advance();
        // Both ranks solve a face that lies between them.
        const auto here = static_cast<std::int64_t>(fault.places().size());
        const double times = static_cast<double>(parallel::sum(comm_, fault.solved() - solved)) /
                             static_cast<double>(std::max<std::int64_t>(parallel::sum(comm_, here), 1));
        TimedKernel& whole = kernels.back();
        for (double& one : whole.seconds) one *= times;
        whole.alone = std::move(whole.seconds);
        whole.seconds = in_steps.rupture;
        whole.times = times;
        whole.phase = "rupture";
        whole.in_a_step = 1.0;
    }

    MPI_Comm comm_;
    std::shared_ptr<const quake::Case> run_;
    int spin_up_, cells_ = 0, order_ = 0, mechanisms_ = 0;
    bool water_ = false;
    std::string law_;
    std::unique_ptr<ProxyGround<Real>> ground_, broken_;  // the second with faults, where there is no case
};

class QuakeProxy : public ProxyModel {
public:
    void add_options(simulation::Command& command) override {
        command.option("--order", options_.orders, "orders (quake)")
            .comma_separated()
            .within(quake::lowest_order, quake::highest_order);
        command.option("--precision", options_.precision, "precision (quake)").one_of({"float", "double"});
        command
            .option("--mechanisms", options_.mechanisms,
                    "by which rock attenuates waves; 0: it does not (quake)")
            .within(0, 8);
        command.flag("--water", options_.water, "the sea above the ground in place of rock (quake)");
        std::vector<std::string> laws;
        for (const quake::LawDescription& law : quake::friction_laws()) laws.emplace_back(law.name);
        command.option("--fault", options_.law, "law of friction of faces of faults (quake)").one_of(laws);
    }
    ProxyUnits units() const override {
        return {"updates_per_second", "Mupdates/s", "bytes_per_element", "element"};
    }
    nlohmann::json about() const override { return nlohmann::json::object(); }
    int variants() const override { return static_cast<int>(options_.orders.size()); }
    double bytes_of_cell(int variant) const override {
        return options_.precision == "float" ? bytes_of<float>(options_.orders[variant])
                                             : bytes_of<double>(options_.orders[variant]);
    }
    double units_in_cell(const ProxyTask&) const override { return 1.0; }
    std::unique_ptr<ProxyKernels> make(MPI_Comm comm, const ProxyTask& task) const override {
        const int order = options_.orders[task.variant];
        if (task.device && precision(task) == "float")
            return quake_kernels_on_device<float>(*task.device, task.cells, order, options_.mechanisms);
        if (task.device)
            return quake_kernels_on_device<double>(*task.device, task.cells, order, options_.mechanisms);
        if (precision(task) == "float")
            return std::make_unique<QuakeKernels<float>>(comm, task, order, options_);
        return std::make_unique<QuakeKernels<double>>(comm, task, order, options_);
    }
    int number_bytes(const ProxyTask& task) const override {
        return precision(task) == "float" ? sizeof(float) : sizeof(double);
    }

private:
    const std::string& precision(const ProxyTask& task) const {
        const auto* run = dynamic_cast<const quake::Case*>(task.run.get());
        return run != nullptr ? run->solver.precision : options_.precision;
    }
    // Bytes of an element in both boxes, without and with faults: what kernels read, and the mesh.
    template <class Real>
    double bytes_of(int order) const {
        const auto& l = quake::wave_kernels<Real>(order, options_.mechanisms).layout;
        const double numbers = static_cast<double>(l.state + l.memory + l.material + 4 * l.face) / l.lanes +
                               4.0 * static_cast<double>(l.trace);
        return 2.0 * (sizeof(Real) * numbers + 800.0);
    }

    QuakeProxyOptions options_;
};

}  // namespace

std::unique_ptr<ProxyModel> quake_proxy() {
    return std::make_unique<QuakeProxy>();
}

}  // namespace groundswell::cli
