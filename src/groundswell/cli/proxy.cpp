#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/exec/machine_limits.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/failure.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/source/initial_spectrum.hpp"
#include "groundswell/sea/source/source_package.hpp"
#include "groundswell/simulation/report/json_report.hpp"

namespace groundswell::cli {

namespace {

using sea::Real;

struct ProxyOptions {
    std::vector<int> cells{20000};
    std::vector<int> threads{1};
    int directions = 36, frequencies = 35, repeats = 20;
    std::string scheme = "upwind", json;
};

// Seconds of one repetition, over all of them.
struct Timing {
    double p10 = 0.0, median = 0.0;
};

Timing time_of(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const auto at = [&](double share) {
        return seconds[static_cast<std::size_t>(
            std::lround(share * static_cast<double>(seconds.size() - 1)))];
    };
    return {at(0.1), at(0.5)};
}

// The kernels of the wave model on a patch of deep ocean under a wind that turns from cell to cell, with the
// very functions that a run calls.
class ProxySea {
public:
    ProxySea(MPI_Comm comm, int cells, const ProxyOptions& options)
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
            package_.integrate_cell(block(cell), conditions(cell), static_cast<Real>(step_),
                                    states_[static_cast<std::size_t>(cell)], workspace());
        });
    }

    // Seconds in each term, all cells, this rank's threads together: each term timed by itself inside each
    // cell.
    std::vector<double> time_terms() {
        std::vector<std::vector<double>> by_thread(
            static_cast<std::size_t>(exec::threads()),
            std::vector<double>(static_cast<std::size_t>(package_.terms())));
        exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) {
            sea::SourceWorkspace& space = workspace();
            std::vector<double>& mine = by_thread[static_cast<std::size_t>(exec::thread_index())];
            package_.load(block(cell), conditions(cell), static_cast<Real>(step_),
                          states_[static_cast<std::size_t>(cell)], space);
            for (int term = 0; term < package_.terms(); ++term) {
                const double begin = parallel::now();
                package_.evaluate(term, space);
                mine[static_cast<std::size_t>(term)] += parallel::now() - begin;
            }
            package_.finish(block(cell), space);
        });
        std::vector<double> longest(static_cast<std::size_t>(package_.terms()));
        for (const std::vector<double>& mine : by_thread)
            for (std::size_t t = 0; t < longest.size(); ++t) longest[t] = std::max(longest[t], mine[t]);
        return longest;
    }

private:
    static voronoi::LocalMesh make_mesh(MPI_Comm comm, int cells, const ProxyOptions& options) {
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

    static sea::PropagationOptions propagation_options(const ProxyOptions& options) {
        sea::PropagationOptions propagation;
        propagation.scheme = options.scheme == "upwind" ? sea::PropagationScheme::upwind
                                                        : sea::PropagationScheme::second_order;
        return propagation;
    }

    double wind_speed(std::int32_t cell) const {
        return 12.0 + 4.0 * std::sin(40.0 * mesh_.lon[static_cast<std::size_t>(cell)]);
    }
    double wind_direction(std::int32_t cell) const {
        return 20.0 * mesh_.lat[static_cast<std::size_t>(cell)];
    }

    sea::CellConditions conditions(std::int32_t cell) const {
        sea::CellConditions conditions;
        conditions.wind_speed = static_cast<Real>(wind_speed(cell));
        conditions.wind_direction = static_cast<Real>(wind_direction(cell));
        conditions.depth = static_cast<Real>(mesh_.depth[static_cast<std::size_t>(cell)]);
        conditions.wave_number = propagator_.wave_number(cell).data();
        conditions.group_speed = propagator_.group_speed(cell).data();
        return conditions;
    }

    Real* block(std::int32_t cell) {
        return action_.data() + static_cast<std::size_t>(cell) * grid_.stride();
    }
    sea::SourceWorkspace& workspace() { return *workspaces_[static_cast<std::size_t>(exec::thread_index())]; }

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

class ProxyReport {
public:
    explicit ProxyReport(MPI_Comm comm) : comm_(comm) {}

    // All ranks work at the same time; the slowest counts.
    void add(const std::string& name, std::int64_t cells, int bins, int threads,
             std::vector<double> seconds) {
        for (double& one : seconds) one = parallel::max(comm_, one);
        const Timing timing = time_of(std::move(seconds));
        nlohmann::json row = {{"name", name},
                              {"cells", cells},
                              {"bins", bins},
                              {"threads", threads},
                              {"p10_seconds", timing.p10},
                              {"median_seconds", timing.median},
                              {"bin_steps_per_second", static_cast<double>(cells) * bins / timing.p10}};
        for (const char* key : {"gflops", "gigabytes_per_second", "share_of_peak", "share_of_stream"})
            row[key] = nullptr;
        rows_.push_back(row);
    }

    // The rows, with the shares of the limits where the least work is known.
    nlohmann::json rows(const exec::MachineLimits& limits) const {
        nlohmann::json rows = rows_;
        for (nlohmann::json& row : rows) {
            const std::string name = row["name"];
            if (name != "propagation" && name != "source" && name != "both") continue;
            const Work work = work_of(name);
            const double rate = row["bin_steps_per_second"];
            row["gflops"] = 1e-9 * rate * work.flop;
            row["gigabytes_per_second"] = 1e-9 * rate * work.bytes;
            row["share_of_peak"] = 1e-9 * rate * work.flop / limits.peak_gflops;
            row["share_of_stream"] = 1e-9 * rate * work.bytes / limits.stream_gigabytes_per_second;
        }
        return rows;
    }

private:
    MPI_Comm comm_;
    nlohmann::json rows_ = nlohmann::json::array();
};

void measure(MPI_Comm comm, int cells, const ProxyOptions& options, ProxyReport& report) {
    ProxySea sea(comm, cells, options);
    const std::int64_t all = parallel::sum(comm, std::int64_t{sea.cells()});
    const int bins = sea.grid().bins(), threads = exec::threads();
    const auto repeat = [&](const std::function<void()>& body) {
        std::vector<double> seconds;
        for (int i = 0; i < options.repeats; ++i) {
            MPI_Barrier(comm);
            const double begin = parallel::now();
            body();
            seconds.push_back(parallel::now() - begin);
        }
        return seconds;
    };
    report.add("propagation", all, bins, threads, repeat([&] { sea.propagate(); }));
    report.add("source", all, bins, threads, repeat([&] { sea.sources(); }));
    report.add("both", all, bins, threads, repeat([&] {
                   sea.propagate();
                   sea.sources();
               }));
    std::vector<std::vector<double>> terms(static_cast<std::size_t>(sea.package().terms()));
    // Clock reads inside every cell are steadier than whole steps: fewer of them will do.
    for (int i = 0; i < std::max(5, options.repeats / 4); ++i) {
        const std::vector<double> seconds = sea.time_terms();
        for (std::size_t t = 0; t < terms.size(); ++t) terms[t].push_back(seconds[t]);
    }
    for (std::size_t t = 0; t < terms.size(); ++t)
        report.add(std::string(sea.package().term_name(static_cast<int>(t))), all, bins, threads, terms[t]);
}

void print_table(const nlohmann::json& result) {
    std::cout << fmt::format("{:<18}{:>9}{:>7}{:>9}{:>12}{:>14}{:>10}{:>10}\n", "kernel", "cells", "bins",
                             "threads", "p10 ms", "Mbin-steps/s", "% peak", "% STREAM");
    for (const nlohmann::json& row : result["kernels"]) {
        const auto share = [&](const char* key) {
            return row[key].is_null() ? std::string("-")
                                      : fmt::format("{:.1f}", 100.0 * row[key].get<double>());
        };
        std::cout << fmt::format(
            "{:<18}{:>9}{:>7}{:>9}{:>12.3f}{:>14.1f}{:>10}{:>10}\n", row["name"].get<std::string>(),
            row["cells"].get<int>(), row["bins"].get<int>(), row["threads"].get<int>(),
            1e3 * row["p10_seconds"].get<double>(), 1e-6 * row["bin_steps_per_second"].get<double>(),
            share("share_of_peak"), share("share_of_stream"));
    }
    std::cout << fmt::format(
        "STREAM triad {:.1f} GB/s, peak {:.0f} GFLOP/s (fused multiply-add, this type), ",
        result["stream_gigabytes_per_second"].get<double>(), result["peak_gflops"].get<double>());
    const nlohmann::json& memory = result["bytes_per_bin"];
    std::cout << (memory.is_null() ? std::string("memory: give two numbers of cells to see bytes per bin\n")
                                   : fmt::format("{:.2f} bytes of memory a bin\n", memory.get<double>()));
}

int proxy(const parallel::Environment& environment, const ProxyOptions& options) {
    const MPI_Comm comm = environment.comm();
    parallel::agree(comm, [&] {
        if (environment.rank() == 0) simulation::check_json_target(options.json);
    });
    // Ascending, so that the growth of the peak from one to the next is what the additional cells take.
    std::vector<int> cells = options.cells;
    std::sort(cells.begin(), cells.end());
    nlohmann::json rows = nlohmann::json::array(), all_limits = nlohmann::json::array();
    nlohmann::json bytes_per_bin;
    exec::MachineLimits limits;
    for (const int threads : options.threads) {
        exec::set_threads(threads);
        ProxyReport report(comm);
        std::vector<double> peaks;
        for (const int count : cells) {
            measure(comm, count, options, report);
            peaks.push_back(static_cast<double>(parallel::sum(comm, parallel::peak_memory_bytes())));
        }
        const int bins = options.directions * options.frequencies;
        if (cells.size() > 1 && cells.back() > cells.front() && bytes_per_bin.is_null())
            bytes_per_bin =
                (peaks.back() - peaks.front()) / (static_cast<double>(cells.back() - cells.front()) * bins);
        // After the kernels: the arrays of STREAM would hide the memory that the smaller sea takes.
        limits = exec::measure_machine_limits<Real>();
        limits.stream_gigabytes_per_second =
            parallel::sum(comm, std::vector{limits.stream_gigabytes_per_second});
        limits.peak_gflops = parallel::sum(comm, std::vector{limits.peak_gflops});
        all_limits.push_back({{"threads", threads},
                              {"stream_gigabytes_per_second", limits.stream_gigabytes_per_second},
                              {"peak_gflops", limits.peak_gflops}});
        for (const nlohmann::json& row : report.rows(limits)) rows.push_back(row);
    }
    const nlohmann::json result = {{"kernels", rows},
                                   {"scheme", options.scheme},
                                   {"limits", all_limits},
                                   {"stream_gigabytes_per_second", limits.stream_gigabytes_per_second},
                                   {"peak_gflops", limits.peak_gflops},
                                   {"bytes_per_bin", bytes_per_bin}};
    const nlohmann::json report = simulation::json_report("proxy", comm, options.threads.back(), result);
    if (environment.rank() == 0) {
        if (options.json != "-") print_table(result);  // on standard output a report stands alone
        if (!options.json.empty()) simulation::write_json(options.json, report);
    }
    return 0;
}

}  // namespace

Action add_proxy(simulation::Command& program) {
    auto options = std::make_shared<ProxyOptions>();
    simulation::Command command =
        program.add_command("proxy", "time the model's kernels alone, compared with the machine's limits");
    command.footer(
        "Example: groundswell proxy --cells 20000,40000 --threads 1,2 --json proxy.json\n"
        "Kernels: propagation, source, both, and each source term (timed inside every cell). Times are of "
        "all cells,\n"
        "p10 the 10th percentile of the repeats; with several ranks the slowest counts.");
    command.option("--cells", options->cells, "numbers of cells, all ranks together")
        .comma_separated()
        .within(1, 20'000'000);
    command.option("--threads", options->threads, "threads of each rank").comma_separated().within(1, 1024);
    command.option("--directions", options->directions, "directions").within(4, 720);
    command.option("--frequencies", options->frequencies, "frequencies").within(3, 200);
    command.option("--repeats", options->repeats, "steps timed").within(5, 100000);
    command.option("--scheme", options->scheme, "propagation scheme").one_of({"upwind", "second-order"});
    simulation::add_json_option(command, options->json);
    return [options] {
        const parallel::Environment environment;
        return parallel::run_to_exit_code(environment.comm(), [&] { return proxy(environment, *options); });
    };
}

}  // namespace groundswell::cli
