#include "groundswell/cli/proxy/kernels_on_device.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/limits/measure.hpp"
#include "groundswell/mesh/voronoi/culling.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/parts/extractor.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/sea/kernels/kernel_set.hpp"
#include "groundswell/sea/kernels/kernel_work.hpp"
#include "groundswell/sea/propagation/on_device.hpp"
#include "groundswell/sea/propagation/tables.hpp"
#include "groundswell/sea/source/device/on_device.hpp"
#include "groundswell/sea/source/source_package.hpp"
#include "groundswell/sea/spectrum/dispersion.hpp"
#include "groundswell/sea/spectrum/parametric_sea.hpp"

namespace groundswell::cli {

namespace {

using sea::Real;

voronoi::LocalMesh patch(int cells_along) {
    voronoi::CullReport culled;
    const auto depth = [](double lon, double lat) {
        return 2005.0 + 1995.0 * std::sin(3.0 * lon + 1.0) * std::cos(5.0 * lat + 2.0 * lon);
    };
    const auto mesh = voronoi::hexagonal_patch(cells_along, cells_along, 5e3, 0.0, 0.0, depth);
    const auto sea = voronoi::order_along_curve(voronoi::cull(mesh, {}, culled));
    return voronoi::Extractor(sea, std::vector<int>(sea.lon.size(), 0), 1, 2).local_mesh(0);
}

sea::SpectralGrid grid_of(const SeaVariant& variant) {
    return {variant.frequencies, variant.directions, 0.035, 1.1};
}

std::vector<Real> copy_of(exec::Device& device, exec::Stream stream, std::span<const Real> there) {
    std::vector<Real> here(there.size());
    device.copy_out(stream, here.data(), there.data(), there.size_bytes());
    device.synchronise(stream);
    return here;
}

// A square of the sea with some state, which a scheme propagates.
class PropagatedSea {
public:
    PropagatedSea(exec::Device& on, const SeaVariant& variant, int cells_along)
        : device(on),
          stream(on.make_stream()),
          mesh_(patch(cells_along)),
          grid_(grid_of(variant)),
          options_{.scheme = variant.scheme},
          tables_(mesh_, grid_, options_),
          kernel_(sea::make_propagation_on_device(tables_, device, stream)),
          state_(some_state(static_cast<std::size_t>(mesh_.total) * grid_.stride())),
          a_(device, "state", stream, state_),
          b_(device, "next", stream, state_),
          old_(a_.span()),
          next_(b_.span()) {}

    void propagate() {
        kernel_->propagate(stream, 0, mesh_.owned, next_, old_, 30.0);
        std::swap(old_, next_);
    }
    std::int32_t cells() const { return mesh_.owned; }
    std::vector<Real> result() { return copy_of(device, stream, old_); }

    exec::Device& device;
    exec::Stream stream;

private:
    static std::vector<Real> some_state(std::size_t size) {
        std::vector<Real> state(size);
        std::uint32_t noise = 12345;
        for (Real& x : state) {
            noise = noise * 1664525u + 1013904223u;
            x = static_cast<Real>(noise >> 8) / Real(1 << 20);
        }
        return state;
    }

    voronoi::LocalMesh mesh_;
    sea::SpectralGrid grid_;
    sea::PropagationOptions options_;
    sea::PropagationTables tables_;
    std::unique_ptr<sea::PropagationOnDevice> kernel_;
    std::vector<Real> state_;
    exec::DeviceArray<Real> a_, b_;
    std::span<Real> old_, next_;
};

// Wind seas of many ages under their winds in deep water: so many kinds, which repeat.
class WindSeas {
public:
    static constexpr int kinds = 400;

    WindSeas(exec::Device& on, const SeaVariant& variant, int cells)
        : device(on), stream(on.make_stream()), grid_(grid_of(variant)), cells_(cells) {
        const auto frequencies = static_cast<std::size_t>(grid_.frequencies),
                   n = static_cast<std::size_t>(cells);
        std::vector<Real> action(n * grid_.stride(), 0), speed(n), x(n), y(n), depth(n, Real(4000)),
            open(n, Real(1)), wave_number(n * frequencies), group_speed(n * frequencies);
        for (std::size_t f = 0; f < frequencies; ++f) {
            const double k = sea::wave_number(grid_.sigma[f], 4000);
            wave_number[f] = static_cast<Real>(k);
            group_speed[f] = static_cast<Real>(sea::group_speed(grid_.sigma[f], k, 4000));
        }
        for (std::size_t cell = 0; cell < n; ++cell) {
            if (cell > 0) {
                std::copy_n(wave_number.data(), frequencies, wave_number.data() + cell * frequencies);
                std::copy_n(group_speed.data(), frequencies, group_speed.data() + cell * frequencies);
            }
            const std::size_t kind = cell % kinds;
            Real* const block = action.data() + cell * grid_.stride();
            const double wind = 8 + 2 * static_cast<double>(kind % 8),
                         towards = 0.1 * static_cast<double>(kind % 63);
            if (cell == kind)
                sea::fill_wind_sea(grid_, {1e4 * (1 + static_cast<double>(kind % 50))}, wind, towards, block);
            else
                std::copy_n(action.data() + kind * grid_.stride(), grid_.stride(), block);
            speed[cell] = static_cast<Real>(wind);
            x[cell] = static_cast<Real>(std::cos(towards));
            y[cell] = static_cast<Real>(std::sin(towards));
        }
        package_ = sea::kernel_set().make_source_package(grid_, {});
        sources_ = std::make_unique<sea::SourcesOnDevice>(*package_, device, stream);
        const auto put = [&](const std::vector<Real>& values) {
            return arrays_.emplace_back(device, "cells", stream, values).span();
        };
        const std::vector<sea::SourceState> calm(n);
        states_.emplace(device, "states", stream, calm);
        there_.stride = static_cast<std::int64_t>(grid_.stride());
        there_.frequency_stride = grid_.frequencies;
        there_.action = put(action);
        there_.state = states_->span();
        there_.wind_speed = put(speed);
        there_.wind_x = put(x);
        there_.wind_y = put(y);
        there_.depth = put(depth);
        there_.open = put(open);
        there_.wave_number = put(wave_number);
        there_.group_speed = put(group_speed);
        device.synchronise(stream);
    }

    void integrate() { sources_->integrate(stream, 0, cells_, there_, 360.0); }
    std::vector<Real> result() { return copy_of(device, stream, there_.action); }

    exec::Device& device;
    exec::Stream stream;

private:
    sea::SpectralGrid grid_;
    int cells_;
    std::unique_ptr<sea::SourcePackage> package_;
    std::unique_ptr<sea::SourcesOnDevice> sources_;
    std::deque<exec::DeviceArray<Real>> arrays_;
    std::optional<exec::DeviceArray<sea::SourceState>> states_;
    sea::DeviceCells there_;
};

class SeaKernelsOnDevice : public ProxyKernels {
public:
    SeaKernelsOnDevice(exec::Device& device, const SeaVariant& variant, int cells)
        : device_(device),
          variant_(variant),
          propagated_(device, variant, std::max(4, static_cast<int>(std::lround(std::sqrt(cells))))),
          seas_(device, variant, propagated_.cells()) {}

    MPI_Comm comm() const override { return MPI_COMM_SELF; }
    std::int64_t cells() const override { return propagated_.cells(); }
    nlohmann::json about() const override {
        return {{"bins", variant_.directions * variant_.frequencies},
                {"directions", variant_.directions},
                {"frequencies", variant_.frequencies},
                {"scheme", name_of(variant_.scheme)}};
    }
    nlohmann::json identity() const override { return nlohmann::json::object(); }

    std::vector<exec::KernelCheck> check() override {
        const auto processor = exec::make_host_device();
        const auto steps = [](auto& sea, void (std::remove_reference_t<decltype(sea)>::*step)()) {
            for (int i = 0; i < 5; ++i) (sea.*step)();
            return sea.result();
        };
        constexpr int along = 6, some = 40;
        PropagatedSea here(*processor, variant_, along), there(device_, variant_, along);
        WindSeas winds_here(*processor, variant_, some), winds_there(device_, variant_, some);
        return {compared("propagation", steps(here, &PropagatedSea::propagate),
                         steps(there, &PropagatedSea::propagate), here.cells()),
                compared("source", steps(winds_here, &WindSeas::integrate),
                         steps(winds_there, &WindSeas::integrate), some)};
    }

    std::vector<TimedKernel> time(int repeats, const Repeat&) override {
        const double bins = static_cast<double>(variant_.directions) * variant_.frequencies;
        std::vector<TimedKernel> kernels;
        constexpr int steps = 5;
        auto seconds = exec::time_on(device_, propagated_.stream, repeats, [&] {
            for (int i = 0; i < steps; ++i) propagated_.propagate();
        });
        for (double& one : seconds) one /= steps;
        const sea::KernelWork moved = sea::propagation_work({.scheme = variant_.scheme});
        // Nothing is read that is about to be overwritten.
        kernels.push_back({"propagation", seconds, moved.flop * bins, 2.0 * sizeof(Real) * bins});
        const sea::KernelWork grown = sea::source_work({}, variant_.directions);
        kernels.push_back({"source",
                           exec::time_on(device_, seas_.stream, repeats, [&] { seas_.integrate(); }),
                           grown.flop * bins, grown.bytes * bins});
        return kernels;
    }

private:
    // The sea has the bits of the processor on every device; in `double` the last of them may differ.
    static exec::KernelCheck compared(const char* kernel, const std::vector<Real>& expected,
                                      const std::vector<Real>& found, std::int64_t cells) {
        exec::KernelCheck check{kernel, 1e-12, 0.0, 0.0, cells};
        for (std::size_t i = 0; i < found.size(); ++i)
            check.compare(static_cast<double>(expected[i]), static_cast<double>(found[i]));
        return check;
    }

    exec::Device& device_;
    SeaVariant variant_;
    PropagatedSea propagated_;
    WindSeas seas_;
};

}  // namespace

std::unique_ptr<ProxyKernels> sea_kernels_on_device(exec::Device& device, const SeaVariant& variant,
                                                    int cells) {
    return std::make_unique<SeaKernelsOnDevice>(device, variant, cells);
}

}  // namespace groundswell::cli
