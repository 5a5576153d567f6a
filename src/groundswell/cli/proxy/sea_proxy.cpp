#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/cli/proxy/proxy_model.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/source/initial_spectrum.hpp"
#include "groundswell/sea/source/source_package.hpp"

namespace groundswell::cli {

namespace {

using sea::Real;

struct SeaProxyOptions {
    int directions = 36, frequencies = 35;
    std::string scheme = "upwind";
};

// The kernels of the wave model on a patch of deep ocean under a wind that turns from cell to cell, with the
// very functions that a run calls.
class ProxySea {
public:
    ProxySea(MPI_Comm comm, int cells, const SeaProxyOptions& options)
        : grid_(options.frequencies, options.directions, 0.04177, 1.1),
          mesh_(make_mesh(comm, cells, options)),
          propagator_(mesh_, grid_, propagation_options(options)),
          package_(grid_, sea::PhysicsOptions{}),
          action_(exec::make_cell_array<Real>(mesh_.total, grid_.stride())),
          next_(exec::make_cell_array<Real>(mesh_.total, grid_.stride())),
          states_(exec::make_cell_array<sea::SourceState>(mesh_.owned, 1)) {
        for (int thread = 0; thread < exec::threads(); ++thread)
            workspaces_.push_back(std::make_unique<sea::SourceWorkspace>(package_.make_workspace()));
        exec::for_each_cell(0, mesh_.total, [&](std::int32_t cell) {
            sea::fill_wind_sea(grid_, {}, wind_speed(cell), wind_direction(cell), block(cell));
        });
        step_ = std::min(60.0, 0.9 * propagator_.longest_step().seconds);
        // From the starting sea to one that all terms have shaped; also warms caches and pages.
        for (int i = 0; i < 3; ++i) sources();
        propagate();
    }

    std::int32_t cells() const { return mesh_.owned; }
    const sea::SpectralGrid& grid() const { return grid_; }
    const sea::SourcePackage& package() const { return package_; }

    void propagate() {
        propagator_.propagate_cells(0, mesh_.owned, next_.data(), action_.data(), step_);
        std::swap(action_, next_);
    }

    void sources() {
        exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) {
            package_.integrate_cell(block(cell), conditions(cell), static_cast<Real>(step_), states_[cell],
                                    workspace());
        });
    }

    // Seconds in each term, all cells, this rank's threads together: each term timed by itself inside each
    // cell.
    std::vector<double> time_terms() {
        std::vector<std::vector<double>> by_thread(exec::threads(), std::vector<double>(package_.terms()));
        exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) {
            sea::SourceWorkspace& space = workspace();
            std::vector<double>& mine = by_thread[exec::thread_index()];
            package_.load(block(cell), conditions(cell), static_cast<Real>(step_), states_[cell], space);
            for (int term = 0; term < package_.terms(); ++term) {
                const double begin = parallel::now();
                package_.evaluate(term, space);
                mine[term] += parallel::now() - begin;
            }
            package_.finish(block(cell), space);
        });
        std::vector<double> longest(package_.terms());
        for (const std::vector<double>& mine : by_thread)
            for (std::size_t t = 0; t < longest.size(); ++t) longest[t] = std::max(longest[t], mine[t]);
        return longest;
    }

private:
    static voronoi::LocalMesh make_mesh(MPI_Comm comm, int cells, const SeaProxyOptions& options) {
        voronoi::LoadOptions load;
        load.layers = sea::Propagator::layers(propagation_options(options).scheme);
        const int nx = std::max(1, static_cast<int>(std::lround(std::sqrt(cells))));
        const int ny = std::max(1, (cells + nx - 1) / nx);
        return voronoi::load_mesh(
                   comm,
                   [&] {
                       return voronoi::hexagonal_patch(nx, ny, 10e3, 0.0, 0.5,
                                                       [](double, double) { return 4000.0; });
                   },
                   load)
            .mesh;
    }

    static sea::PropagationOptions propagation_options(const SeaProxyOptions& options) {
        sea::PropagationOptions propagation;
        propagation.scheme = options.scheme == "upwind" ? sea::PropagationScheme::upwind
                                                        : sea::PropagationScheme::second_order;
        return propagation;
    }

    double wind_speed(std::int32_t cell) const { return 12.0 + 4.0 * std::sin(40.0 * mesh_.lon[cell]); }
    double wind_direction(std::int32_t cell) const { return 20.0 * mesh_.lat[cell]; }

    sea::CellConditions conditions(std::int32_t cell) const {
        sea::CellConditions conditions;
        conditions.wind_speed = static_cast<Real>(wind_speed(cell));
        conditions.wind_direction = static_cast<Real>(wind_direction(cell));
        conditions.depth = static_cast<Real>(mesh_.depth[cell]);
        conditions.wave_number = propagator_.wave_number(cell).data();
        conditions.group_speed = propagator_.group_speed(cell).data();
        return conditions;
    }

    Real* block(std::int32_t cell) {
        return action_.data() + static_cast<std::size_t>(cell) * grid_.stride();
    }
    sea::SourceWorkspace& workspace() { return *workspaces_[exec::thread_index()]; }

    sea::SpectralGrid grid_;
    voronoi::LocalMesh mesh_;
    sea::Propagator propagator_;
    sea::SourcePackage package_;
    exec::Array<Real> action_, next_;
    exec::Array<sea::SourceState> states_;
    std::vector<std::unique_ptr<sea::SourceWorkspace>> workspaces_;
    double step_ = 0.0;
};

// Least floating-point operations and bytes of a bin and step, from which the shares of the machine's limits
// follow. Propagation: six faces of a multiply and an add each, and the update; it must read and write the
// bin and read it once more as a neighbour. Source terms: no fewer than 300 operations, counted in the
// four-wave term's eight products of interpolated bins (both mirror images), the wind input and the
// dissipation.
struct Work {
    double flop, bytes;
};
Work work_of(const std::string& kernel) {
    if (kernel == "propagation") return {14.0, 3.0 * sizeof(Real)};
    if (kernel == "source") return {300.0, 2.0 * sizeof(Real)};
    return {314.0, 5.0 * sizeof(Real)};
}

class SeaKernels : public ProxyKernels {
public:
    SeaKernels(MPI_Comm comm, int cells, const SeaProxyOptions& options) : sea_(comm, cells, options) {}

    std::int64_t cells() const override { return sea_.cells(); }
    nlohmann::json about() const override { return {{"bins", sea_.grid().bins()}}; }

    std::vector<TimedKernel> time(int repeats, const Repeat& repeat) override {
        std::vector<TimedKernel> kernels;
        const auto add = [&](const char* name, const std::function<void()>& body) {
            const Work work = work_of(name);
            const int bins = sea_.grid().bins();
            kernels.push_back({name, repeat(body), work.flop * bins, work.bytes * bins});
        };
        add("propagation", [&] { sea_.propagate(); });
        add("source", [&] { sea_.sources(); });
        add("both", [&] {
            sea_.propagate();
            sea_.sources();
        });
        std::vector<std::vector<double>> terms(sea_.package().terms());
        // Clock reads inside every cell are steadier than whole steps: fewer of them will do.
        for (int i = 0; i < std::max(5, repeats / 4); ++i) {
            const std::vector<double> seconds = sea_.time_terms();
            for (std::size_t t = 0; t < terms.size(); ++t) terms[t].push_back(seconds[t]);
        }
        for (std::size_t t = 0; t < terms.size(); ++t)
            kernels.push_back({std::string(sea_.package().term_name(static_cast<int>(t))), terms[t]});
        return kernels;
    }

private:
    ProxySea sea_;
};

class SeaProxy : public ProxyModel {
public:
    void add_options(simulation::Command& command) override {
        command.option("--directions", options_.directions, "directions (sea)").within(4, 720);
        command.option("--frequencies", options_.frequencies, "frequencies (sea)").within(3, 200);
        command.option("--scheme", options_.scheme, "propagation scheme (sea)")
            .one_of({"upwind", "second-order"});
    }
    ProxyUnits units() const override {
        return {"bin_steps_per_second", "Mbin-steps/s", "bytes_per_bin", "bin",
                static_cast<double>(options_.directions * options_.frequencies)};
    }
    nlohmann::json about() const override { return {{"scheme", options_.scheme}}; }
    std::unique_ptr<ProxyKernels> make(MPI_Comm comm, int cells, int /*variant*/) const override {
        return std::make_unique<SeaKernels>(comm, cells, options_);
    }
    exec::MachineLimits limits() const override { return exec::measure_machine_limits<Real>(); }

private:
    SeaProxyOptions options_;
};

}  // namespace

std::unique_ptr<ProxyModel> sea_proxy() {
    return std::make_unique<SeaProxy>();
}

}  // namespace groundswell::cli
