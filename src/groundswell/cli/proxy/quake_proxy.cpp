#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "groundswell/cli/proxy/proxy_model.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/clusters.hpp"
#include "groundswell/quake/wavefield.hpp"

namespace groundswell::cli {

namespace {

struct QuakeProxyOptions {
    std::vector<int> orders{4};
    std::string precision = "double";
    int mechanisms = 0;
    std::string law = "linear-slip-weakening";  // of faults
};

// Cubes of the box are so wide, m.
constexpr double width = 1000.0;

// Faults in every other plane between cubes along y.
void break_planes(tetra::Slab& slab) {
    for (tetra::Tetrahedron& cell : slab.cell) {
        for (int f = 0; f < 4; ++f) {
            const auto y = [&](int corner) { return cell.place[tetra::face_corners[f][corner]][1]; };
            if (y(0) == y(1) && y(0) == y(2) && std::fmod(y(0), 2.0 * width) == width)
                cell.boundary[f] = tetra::Boundary::fault;
        }
    }
}

// All slips: that is what takes longest.
quake::FaultInput slipping(const std::string& law) {
    quake::FaultInput input;
    const quake::LawDescription& description = *quake::find_law(law);
    input.law = law;
    for (const quake::LawParameter& parameter : description.of_fault)
        input.of_fault.push_back(parameter.usual.value_or(1.0));
    input.is_plus = [](const tetra::Point&, const tetra::Point& outward) { return outward[1] < 0.0; };
    quake::FaultPoint point{{-120e6, 70e6, 10e6}, {}, {}};
    // Numbers of the community's problems TPV5 and TPV101.
    const std::map<std::string_view, double> numbers{{"static_friction", 0.55},
                                                     {"dynamic_friction", 0.525},
                                                     {"slip_distance", 0.4},
                                                     {"a", 0.008},
                                                     {"b", 0.012},
                                                     {"state_distance", 0.02},
                                                     {"initial_slip_rate", 1e-3}};
    for (const quake::LawParameter& parameter : description.at_places) {
        const auto known = numbers.find(parameter.name);
        point.parameter.push_back(known != numbers.end() ? known->second : *parameter.usual);
    }
    input.at = [point](const quake::FaultSpot&) { return point; };
    return input;
}

// Rock that differs from cell to cell, in a box that has no end, with one step for all.
template <class Real>
class QuakeKernels : public ProxyKernels {
public:
    QuakeKernels(MPI_Comm comm, int cells, int order, const QuakeProxyOptions& options)
        : order_(order),
          mechanisms_(options.mechanisms),
          law_(options.law),
          field_(make_field(comm, cells, false)),
          broken_(make_field(comm, cells, true)) {}

    std::int64_t cells() const override { return field_->cells(); }
    nlohmann::json about() const override {
        return {{"order", order_},
                {"precision", sizeof(Real) == sizeof(double) ? "double" : "float"},
                {"mechanisms", mechanisms_},
                {"friction", law_}};
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
                           work.derivatives, state});
        kernels.push_back({"local", repeat(predict), work.local, 2.0 * state + sides + constant});
        kernels.push_back(
            {"neighbour", repeat(correct), work.neighbour, 2.0 * state + 2.0 * sides + constant});
        kernels.push_back({"all", repeat([&] {
                               predict();
                               correct();
                           }),
                           work.all(), 4.0 * state + 3.0 * sides + 2.0 * constant});
        time_fault(repeat, kernels);
        return kernels;
    }

private:
    std::unique_ptr<quake::Wavefield<Real>> make_field(MPI_Comm comm, int cells, bool with_faults) const {
        tetra::BoxOptions box;
        const auto even = [](double n) { return std::max<std::int64_t>(4, 2 * std::llround(0.5 * n)); };
        const double cubes = std::max(1.0, cells / 5.0);
        box.cubes[0] = box.cubes[1] = even(std::cbrt(cubes));
        box.cubes[2] = even(cubes / static_cast<double>(box.cubes[0] * box.cubes[1]));
        for (int axis = 0; axis < 3; ++axis) box.length[axis] = width * static_cast<double>(box.cubes[axis]);
        box.periodic = {true, true, true};
        box.jitter = with_faults ? 0.0 : 0.1;
        parallel::SparseExchange exchange(comm);
        tetra::Slab slab = tetra::slab_of(comm, tetra::Box(box));
        if (with_faults) break_planes(slab);
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
        if (mechanisms_ > 0) {
            attenuation.emplace(quake::AttenuationOptions{mechanisms_, 0.01, 1.0, 0.1});
            for (quake::Material& rock : material) {
                rock.loss_p = 1.0 / 80.0;
                rock.loss_s = 1.0 / 40.0;
                rock = attenuation->unrelaxed(rock);
            }
        }
        double step = 1e300;
        for (std::int32_t cell = 0; cell < mesh.total; ++cell)
            step = std::min(step, quake::StepLimit{}.longest_step(tetra::geometry_of(mesh.cell[cell].place),
                                                                  fastest, order_));
        std::optional<quake::FaultInput> fault;
        if (with_faults) fault = slipping(law_);
        auto field = std::make_unique<quake::Wavefield<Real>>(
            comm, quake::wave_kernels<Real>(order_, mechanisms_), mesh, material, parallel::min(comm, step),
            1, halo::ExchangeOptions{}, nullptr, attenuation ? &*attenuation : nullptr,
            fault ? &*fault : nullptr);
        for (std::int32_t cell = 0; cell < field->cells(); ++cell) {
            for (int q = 0; q < 9; ++q)
                field->coefficient(cell, 1, q) =
                    static_cast<Real>((q < 6 ? 1e6 : 0.1) * std::sin(0.1 * cell + q));
        }
        field->tick();  // warms caches and pages
        return field;
    }

    // By the face: what its sides are, and friction with what both feel of it.
    void time_fault(const Repeat& repeat, std::vector<TimedKernel>& kernels) {
        auto& elements = broken_->elements();
        auto& fault = *broken_->fault();
        const auto look = [&] {
            for (const int block : {quake::interior, quake::rim}) fault.look(elements, block);
        };
        const auto solve = [&] {
            for (const bool crossing : {false, true})
                fault.solve(elements, 0, crossing, broken_->time(), broken_->step());
        };
        const auto faces = std::ranges::count_if(fault.places(), &quake::FaultPlace::mine);
        kernels.push_back({"fault sides", repeat(look), 0.0, 0.0, faces});
        kernels.push_back({"fault friction", repeat(solve), 0.0, 0.0, faces});
        kernels.push_back({"fault", repeat([&] {
                               look();
                               solve();
                           }),
                           0.0, 0.0, faces});
    }

    int order_, mechanisms_;
    std::string law_;
    std::unique_ptr<quake::Wavefield<Real>> field_, broken_;  // the second with faults
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
        std::vector<std::string> laws;
        for (const quake::LawDescription& law : quake::friction_laws()) laws.emplace_back(law.name);
        command.option("--fault", options_.law, "law of friction of faces of faults (quake)").one_of(laws);
    }
    ProxyUnits units() const override {
        return {"updates_per_second", "Mupdates/s", "bytes_per_element", "element", 1.0};
    }
    nlohmann::json about() const override { return nlohmann::json::object(); }
    int variants() const override { return static_cast<int>(options_.orders.size()); }
    std::unique_ptr<ProxyKernels> make(MPI_Comm comm, int cells, int variant) const override {
        const int order = options_.orders[variant];
        if (options_.precision == "float")
            return std::make_unique<QuakeKernels<float>>(comm, cells, order, options_);
        return std::make_unique<QuakeKernels<double>>(comm, cells, order, options_);
    }
    exec::MachineLimits limits() const override {
        return options_.precision == "float" ? exec::measure_machine_limits<float>()
                                             : exec::measure_machine_limits<double>();
    }

private:
    QuakeProxyOptions options_;
};

}  // namespace

std::unique_ptr<ProxyModel> quake_proxy() {
    return std::make_unique<QuakeProxy>();
}

}  // namespace groundswell::cli
