#include <algorithm>
#include <cmath>
#include <optional>

#include "groundswell/cli/proxy/proxy_model.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/clusters.hpp"
#include "groundswell/quake/wavefield.hpp"

namespace groundswell::cli {

namespace {

// Rock that differs from cell to cell, in a box that has no end, with one step for all.
template <class Real>
class QuakeKernels : public ProxyKernels {
public:
    QuakeKernels(MPI_Comm comm, int cells, int order, int mechanisms)
        : order_(order), mechanisms_(mechanisms) {
        tetra::BoxOptions box;
        const auto even = [](double n) { return std::max<std::int64_t>(4, 2 * std::llround(0.5 * n)); };
        const double cubes = std::max(1.0, cells / 5.0);
        box.cubes[0] = box.cubes[1] = even(std::cbrt(cubes));
        box.cubes[2] = even(cubes / static_cast<double>(box.cubes[0] * box.cubes[1]));
        for (int axis = 0; axis < 3; ++axis) box.length[axis] = 1000.0 * static_cast<double>(box.cubes[axis]);
        box.periodic = {true, true, true};
        box.jitter = 0.1;
        parallel::SparseExchange exchange(comm);
        const tetra::Slab slab = tetra::slab_of(comm, tetra::Box(box));
        const auto neighbours = tetra::find_neighbours(comm, exchange, slab, "box");
        const std::vector<std::int32_t> group(slab.cell.size(), 0);
        const std::vector<std::int64_t> weight(slab.cell.size(), 1);
        const auto mesh = tetra::deal_cells(comm, exchange, slab, neighbours, group, 1, weight);
        std::vector<quake::Material> material;
        for (const auto& cell : mesh.cell) {
            const double stiffer = 1.0 + 0.1 * std::sin(1e-3 * (cell.place[0][0] + 2.0 * cell.place[0][1]));
            material.push_back({2700.0, 3.24e10 * stiffer, 3.24e10 * stiffer});
        }
        const quake::Material fastest{2700.0, 3.6e10, 3.6e10};
        // Two decades of frequencies that steps of these cells resolve.
        std::optional<quake::Attenuation> attenuation;
        if (mechanisms > 0) {
            attenuation.emplace(quake::AttenuationOptions{mechanisms, 0.01, 1.0, 0.1});
            for (quake::Material& rock : material) {
                rock.loss_p = 1.0 / 80.0;
                rock.loss_s = 1.0 / 40.0;
                rock = attenuation->unrelaxed(rock);
            }
        }
        double step = 1e300;
        for (std::int32_t cell = 0; cell < mesh.total; ++cell)
            step = std::min(
                step, quake::longest_step(tetra::geometry_of(mesh.cell[cell].place), fastest, order, 0.5));
        field_ = std::make_unique<quake::Wavefield<Real>>(
            comm, quake::wave_kernels<Real>(order, mechanisms), mesh, material, parallel::min(comm, step), 1,
            halo::ExchangeOptions{}, nullptr, attenuation ? &*attenuation : nullptr);
        for (std::int32_t cell = 0; cell < field_->cells(); ++cell) {
            for (int q = 0; q < 9; ++q)
                field_->coefficient(cell, 1, q) =
                    static_cast<Real>((q < 6 ? 1e6 : 0.1) * std::sin(0.1 * cell + q));
        }
        field_->tick();  // warms caches and pages
    }

    std::int64_t cells() const override { return field_->cells(); }
    nlohmann::json about() const override {
        return {{"order", order_},
                {"precision", sizeof(Real) == sizeof(double) ? "double" : "float"},
                {"mechanisms", mechanisms_}};
    }

    std::vector<TimedKernel> time(int, const Repeat& repeat) override {
        auto& elements = field_->elements();
        const auto seconds = static_cast<Real>(field_->step());
        const auto predict = [&] {
            for (const int block : {quake::interior, quake::rim}) elements.predict(block, seconds);
        };
        const auto correct = [&] {
            for (const int block : {quake::interior, quake::rim}) elements.correct(block);
        };
        const quake::KernelWork& work = elements.work();
        const auto& layout = elements.layout();
        // The least that has to come from memory and go there: the state twice, one's own sides, and those across.
        const double number = sizeof(Real), lanes = layout.lanes;
        const double state = number * static_cast<double>(layout.state + layout.memory) / lanes;
        const double sides = 4.0 * number * static_cast<double>(layout.trace);
        const double constant = number * static_cast<double>(layout.material + 4 * layout.face) / lanes;
        std::vector<TimedKernel> kernels;
        kernels.push_back({"predictor", repeat([&] {
                               for (const int block : {quake::interior, quake::rim})
                                   elements.differentiate(block);
                           }),
                           work.predictor, state});
        kernels.push_back({"local", repeat(predict), work.local, 2.0 * state + sides + constant});
        kernels.push_back(
            {"neighbour", repeat(correct), work.neighbour, 2.0 * state + 2.0 * sides + constant});
        kernels.push_back({"all", repeat([&] {
                               predict();
                               correct();
                           }),
                           work.all(), 4.0 * state + 3.0 * sides + 2.0 * constant});
        return kernels;
    }

private:
    int order_, mechanisms_;
    std::unique_ptr<quake::Wavefield<Real>> field_;
};

class QuakeProxy : public ProxyModel {
public:
    void add_options(simulation::Command& command) override {
        command.option("--order", orders_, "orders (quake)")
            .comma_separated()
            .within(quake::lowest_order, quake::highest_order);
        command.option("--precision", precision_, "precision (quake)").one_of({"float", "double"});
        command.option("--mechanisms", mechanisms_, "by which rock attenuates waves; 0: it does not (quake)")
            .within(0, 8);
    }
    ProxyUnits units() const override {
        return {"updates_per_second", "Mupdates/s", "bytes_per_element", "element", 1.0};
    }
    nlohmann::json about() const override { return nlohmann::json::object(); }
    int variants() const override { return static_cast<int>(orders_.size()); }
    std::unique_ptr<ProxyKernels> make(MPI_Comm comm, int cells, int variant) const override {
        const int order = orders_[variant];
        if (precision_ == "float")
            return std::make_unique<QuakeKernels<float>>(comm, cells, order, mechanisms_);
        return std::make_unique<QuakeKernels<double>>(comm, cells, order, mechanisms_);
    }
    exec::MachineLimits limits() const override {
        return precision_ == "float" ? exec::measure_machine_limits<float>()
                                     : exec::measure_machine_limits<double>();
    }

private:
    std::vector<int> orders_{4};
    std::string precision_ = "double";
    int mechanisms_ = 0;
};

}  // namespace

std::unique_ptr<ProxyModel> quake_proxy() {
    return std::make_unique<QuakeProxy>();
}

}  // namespace groundswell::cli
