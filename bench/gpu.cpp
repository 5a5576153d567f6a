// Rates of the kernels on a GPU, with its measured limits in the same table: rows of JSON, one a line, for bench/gpu.py.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/cli/proxy/quake_ground.hpp"
#include "groundswell/exec/device/cuda/cuda_device.hpp"
#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/limits/measure.hpp"
#include "groundswell/exec/subnormals.hpp"
#include "groundswell/mesh/voronoi/culling.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/parts/extractor.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/quake/device/elements_on_device.hpp"
#include "groundswell/quake/kernels/kernel_bytes.hpp"
#include "groundswell/sea/kernels/kernel_set.hpp"
#include "groundswell/sea/kernels/kernel_work.hpp"
#include "groundswell/sea/propagation/on_device.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/propagation/tables.hpp"
#include "groundswell/sea/source/device/on_device.hpp"
#include "groundswell/sea/source/initial_spectrum.hpp"
#include "groundswell/sea/source/source_package.hpp"
#include "groundswell/sea/spectrum/dispersion.hpp"

using namespace groundswell;

namespace {

struct Row {
    std::string kernel, size, real, unit;
    std::vector<double> seconds = {};
    double work = 0, bytes = 0, flops = 0;  // of one repetition
};

void print(const Row& row) {
    std::vector<double> s = row.seconds;
    std::sort(s.begin(), s.end());
    const double n = static_cast<double>(s.size()), mean = std::accumulate(s.begin(), s.end(), 0.0) / n;
    double square = 0;
    for (const double x : s) square += (x - mean) * (x - mean);
    const double median = s[s.size() / 2];
    fmt::print(
        R"({{"kernel": "{}", "size": "{}", "real": "{}", "runs": {}, "best_s": {:.6g}, "median_s": {:.6g}, "mean_s": {:.6g}, "deviation_s": {:.3g}, "worst_s": {:.6g}, "rate": {:.6g}, "unit": "{}", "gigabytes_per_second": {:.5g}, "gflops": {:.5g}}})"
        "\n",
        row.kernel, row.size, row.real, s.size(), s.front(), median, mean, std::sqrt(square / n), s.back(),
        row.work / median, row.unit, 1e-9 * row.bytes / median, 1e-9 * row.flops / median);
    std::fflush(stdout);
}

void limits(exec::Device& device) {
    const exec::MeasuredDevice m = exec::measure_device(device, std::size_t{1} << 30);
    fmt::print(
        R"({{"device": "{}", "memory_bytes": {}, "scratch_bytes": {}, "copy_gigabytes_per_second": {:.5g}, "stream_gigabytes_per_second": {:.5g}, "float_gflops": {:.5g}, "double_gflops": {:.5g}}})"
        "\n",
        device.limits().name, device.limits().memory_bytes, device.limits().scratch_bytes,
        m.copy_gigabytes_per_second, m.stream_gigabytes_per_second, m.float_gflops, m.double_gflops);
    std::fflush(stdout);
}

voronoi::LocalMesh patch(int cells_along) {
    voronoi::CullReport culled;
    const auto depth = [](double lon, double lat) {
        return 2005.0 + 1995.0 * std::sin(3.0 * lon + 1.0) * std::cos(5.0 * lat + 2.0 * lon);
    };
    const auto mesh = voronoi::hexagonal_patch(cells_along, cells_along, 5e3, 0.0, 0.0, depth);
    const auto sea = voronoi::order_along_curve(voronoi::cull(mesh, {}, culled));
    return voronoi::Extractor(sea, std::vector<int>(sea.lon.size(), 0), 1, 2).local_mesh(0);
}

// Prints how far the results of a device are from those of the processor.
template <class Real>
void print_difference(const std::string& kernel, const std::vector<Real>& found,
                      const std::vector<Real>& expected) {
    double apart = 0, largest = 0;
    std::size_t other_bits = 0;
    bool finite = true;
    for (std::size_t i = 0; i < found.size(); ++i) {
        apart = std::max(apart, std::abs(double(found[i]) - double(expected[i])));
        largest = std::max(largest, std::abs(double(expected[i])));
        other_bits += std::memcmp(&found[i], &expected[i], sizeof(Real)) != 0;
        finite = finite && std::isfinite(found[i]);
    }
    fmt::print(
        R"({{"kernel": "{}", "numbers": {}, "with_other_bits": {}, "apart": {:.3g}, "largest": {:.3g}, "finite": {}}})"
        "\n",
        kernel, found.size(), other_bits, apart, largest, finite);
    std::fflush(stdout);
}

std::vector<sea::Real> some_state(std::size_t size) {
    std::vector<sea::Real> state(size);
    std::uint32_t noise = 12345;
    for (sea::Real& x : state) {
        noise = noise * 1664525u + 1013904223u;
        x = static_cast<sea::Real>(noise >> 8) / sea::Real(1 << 20);
    }
    return state;
}

const char* name_of(sea::PropagationScheme scheme) {
    return scheme == sea::PropagationScheme::upwind ? "upwind" : "second order";
}

// A square of the sea with a state, which a scheme propagates on a device.
struct PropagatedSea {
    PropagatedSea(exec::Device& on, sea::PropagationScheme scheme, int cells_along)
        : device(on),
          stream(on.make_stream()),
          mesh(patch(cells_along)),
          grid(35, 36, 0.035, 1.1),
          options{.scheme = scheme},
          tables(mesh, grid, options),
          kernel(sea::make_propagation_on_device(tables, device, stream)),
          state(some_state(static_cast<std::size_t>(mesh.total) * grid.stride())),
          a(device, "state", stream, state),
          b(device, "next", stream, state),
          old(a.span()),
          next(b.span()) {}
    void propagate(int steps) {
        for (int step = 0; step < steps; ++step) {
            kernel->propagate(stream, 0, mesh.owned, next, old, 30.0);
            std::swap(old, next);
        }
    }

    exec::Device& device;
    exec::Stream stream;
    voronoi::LocalMesh mesh;
    sea::SpectralGrid grid;
    sea::PropagationOptions options;
    sea::PropagationTables tables;
    std::unique_ptr<sea::PropagationOnDevice> kernel;
    std::vector<sea::Real> state;
    exec::DeviceArray<sea::Real> a, b;
    std::span<sea::Real> old, next;
};

std::vector<sea::Real> sea_steps(exec::Device& device, sea::PropagationScheme scheme, int steps) {
    PropagatedSea sea(device, scheme, 20);
    sea.propagate(steps);
    device.copy_out(sea.stream, sea.state.data(), sea.old.data(), sea.old.size_bytes());
    device.synchronise(sea.stream);
    return sea.state;
}

void sea_propagation(exec::Device& device, sea::PropagationScheme scheme, int cells_along, int repeats) {
    PropagatedSea sea(device, scheme, cells_along);
    constexpr int steps = 5;
    Row row{name_of(scheme), fmt::format("{} cells", sea.mesh.owned), "float", "bins/s"};
    row.seconds = exec::time_on(device, sea.stream, repeats, [&] { sea.propagate(steps); });
    row.work = static_cast<double>(steps) * sea.mesh.owned * sea.grid.bins();
    row.bytes = 2 * sizeof(sea::Real) * row.work;
    print(row);
}

// Wind seas of many ages under their winds in deep water, one source step after the other.
struct WindSeas {
    static constexpr double step = 360;
    WindSeas(exec::Device& on, int number)
        : grid(35, 36, 0.035, 1.1), cells(number), stream(on.make_stream()), device(on) {
        const auto frequencies = static_cast<std::size_t>(grid.frequencies),
                   n = static_cast<std::size_t>(number);
        action.assign(n * grid.stride(), 0);
        for (const auto values : {&speed, &x, &y, &depth, &open}) values->assign(n, 1);
        wave_number.resize(n * frequencies);
        group_speed.resize(n * frequencies);
        for (std::size_t cell = 0; cell < n; ++cell) {
            const double wind = 8 + 2 * static_cast<double>(cell % 8),
                         towards = 0.1 * static_cast<double>(cell % 63);
            sea::FetchSea fetch;
            fetch.fetch = 1e4 * (1 + static_cast<double>(cell % 50));
            if (cell < 400)  // these stand for all
                sea::fill_wind_sea(grid, fetch, wind, towards, action.data() + cell * grid.stride());
            else
                std::copy_n(action.begin() + static_cast<std::ptrdiff_t>((cell % 400) * grid.stride()),
                            grid.stride(),
                            action.begin() + static_cast<std::ptrdiff_t>(cell * grid.stride()));
            speed[cell] = static_cast<sea::Real>(8 + 2 * ((cell % 400) % 8));
            x[cell] = static_cast<sea::Real>(std::cos(0.1 * static_cast<double>((cell % 400) % 63)));
            y[cell] = static_cast<sea::Real>(std::sin(0.1 * static_cast<double>((cell % 400) % 63)));
            depth[cell] = 4000;
            for (std::size_t f = 0; f < frequencies; ++f) {
                const double k = sea::wave_number(grid.sigma[f], 4000);
                wave_number[cell * frequencies + f] = static_cast<sea::Real>(k);
                group_speed[cell * frequencies + f] =
                    static_cast<sea::Real>(sea::group_speed(grid.sigma[f], k, 4000));
            }
        }
        package = sea::kernel_set().make_source_package(grid, {});
        sources = std::make_unique<sea::SourcesOnDevice>(*package, device, stream);
        const std::vector<sea::Real>* const all[] = {&action, &speed, &x,           &y,
                                                     &depth,  &open,  &wave_number, &group_speed};
        for (const auto* values : all) there.emplace_back(device, "cells", stream, *values);
        states.emplace(device, "states", stream, std::vector<sea::SourceState>(n));
        const auto fixed = [&](std::size_t which) -> std::span<const sea::Real> {
            return there[which].span();
        };
        on_device = {static_cast<std::int64_t>(grid.stride()),
                     grid.frequencies,
                     there[0].span(),
                     states->span(),
                     fixed(1),
                     fixed(2),
                     fixed(3),
                     fixed(4),
                     fixed(5),
                     fixed(6),
                     fixed(7)};
        device.synchronise(stream);
    }
    void integrate() { sources->integrate(stream, 0, cells, on_device, step); }
    std::vector<sea::Real> result() {
        device.copy_out(stream, action.data(), on_device.action.data(), on_device.action.size_bytes());
        device.synchronise(stream);
        return action;
    }

    sea::SpectralGrid grid;
    int cells;
    exec::Stream stream;
    exec::Device& device;
    std::vector<sea::Real> action, speed, x, y, depth, open, wave_number, group_speed;
    std::unique_ptr<sea::SourcePackage> package;
    std::unique_ptr<sea::SourcesOnDevice> sources;
    std::deque<exec::DeviceArray<sea::Real>> there;
    std::optional<exec::DeviceArray<sea::SourceState>> states;
    sea::DeviceCells on_device;
};

void sea_sources(exec::Device& device, int cells, int repeats) {
    WindSeas seas(device, cells);
    const sea::KernelWork work = sea::source_work({}, seas.grid.directions);
    Row row{"source terms", fmt::format("{} cells", cells), "float", "bins/s"};
    row.seconds = exec::time_on(device, seas.stream, repeats, [&] { seas.integrate(); });
    row.work = static_cast<double>(cells) * seas.grid.bins();
    row.bytes = work.bytes * row.work;
    row.flops = work.flop * row.work;
    print(row);
}

std::vector<sea::Real> source_steps(exec::Device& device, int steps) {
    WindSeas seas(device, 400);
    for (int step = 0; step < steps; ++step) seas.integrate();
    return seas.result();
}

template <class Real>
void rock(exec::Device& device, int cells, int order) {
    auto ground = cli::box_of_rock<Real>(MPI_COMM_SELF, cells, order, 0, "");
    ground->field.reset();  // the processor's
    const auto step = static_cast<Real>(ground->domain.clusters.step);
    quake::Wavefield<Real> field(MPI_COMM_SELF, quake::wave_device_kernels<Real>(order).elements,
                                 ground->domain.mesh, ground->domain.material, step, 1);
    auto& elements = field.elements();
    for (int c = 0; c < field.cells(); ++c)
        field.coefficient(c, 0, 6) = Real(1e-3) * static_cast<Real>(c % 7);
    const exec::Stream stream = device.make_stream();
    quake::ElementsOnDevice<Real> there(elements, device, stream);
    const auto all = elements.batches_of(quake::interior);
    const auto bytes = quake::kernel_bytes<Real>(elements.layout());
    const auto& work = elements.work();
    constexpr int steps = 5;
    const auto measure = [&](const char* kernel, double bytes_of_one, double flops_of_one, const auto& run) {
        const char* const real = sizeof(Real) == 4 ? "float" : "double";
        Row row{fmt::format("{} order {} {}", kernel, order, real), fmt::format("{} elements", field.cells()),
                real, "updates/s"};
        row.seconds = exec::time_on(device, stream, 10, [&] {
            for (int i = 0; i < steps; ++i) run();
        });
        row.work = static_cast<double>(steps) * field.cells();
        row.bytes = row.work * bytes_of_one;
        row.flops = row.work * flops_of_one;
        print(row);
    };
    measure("rock", bytes.local() + bytes.neighbour(), work.local + work.neighbour, [&] {
        there.predict(all, step);
        there.correct(all, 0);
    });
    measure("local", bytes.local(), work.local, [&] { there.predict(all, step); });
    measure("neighbour", bytes.neighbour(), work.neighbour, [&] { there.correct(all, 0); });
}

}  // namespace

int main(int count, char** arguments) {
    exec::flush_subnormals();
    MPI_Init(&count, &arguments);
    const std::vector<std::string_view> words(arguments + 1, arguments + count);
    const auto asked = [&](std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    const bool on_host = asked("host");
    const std::unique_ptr<exec::Device> device =
        on_host ? exec::make_host_device() : exec::make_cuda_device();
    limits(*device);
    const auto processor = exec::make_host_device();
    for (const auto scheme : {sea::PropagationScheme::upwind, sea::PropagationScheme::second_order}) {
        print_difference(name_of(scheme), sea_steps(*device, scheme, 10), sea_steps(*processor, scheme, 10));
        if (asked("quake")) continue;
        for (const int cells_along : {30, 100, 300, 600}) sea_propagation(*device, scheme, cells_along, 10);
    }
    print_difference("source terms", source_steps(*device, 10), source_steps(*processor, 10));
    if (!asked("quake"))
        for (const int cells : {1000, 10000, 100000}) sea_sources(*device, cells, 10);
    if (!asked("sea")) {
        for (const int cells : {20000, 200000, 600000}) rock<double>(*device, cells, 4);
        for (const int order : {3, 5, 6}) rock<double>(*device, 200000, order);
        for (const int order : {4, 6}) rock<float>(*device, 200000, order);
    }
    MPI_Finalize();
}
