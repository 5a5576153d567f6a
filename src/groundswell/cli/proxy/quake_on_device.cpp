#include "groundswell/cli/proxy/kernels_on_device.hpp"

#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "groundswell/cli/proxy/quake_ground.hpp"
#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/limits/measure.hpp"
#include "groundswell/quake/device/elements_on_device.hpp"
#include "groundswell/quake/kernels/kernel_bytes.hpp"

namespace groundswell::cli {

namespace {

// A box of rock in which waves are, on a device.
template <class Real>
class RockOnDevice {
public:
    RockOnDevice(exec::Device& on, int cells, int order, int mechanisms)
        : device(on),
          stream(on.make_stream()),
          ground_(box_of_rock<Real>(MPI_COMM_SELF, cells, order, mechanisms, "")) {
        ground_->field.reset();  // the processor's
        step_ = static_cast<Real>(ground_->domain.clusters.step);
        field_.emplace(MPI_COMM_SELF, quake::wave_device_kernels<Real>(order, mechanisms).elements,
                       ground_->domain.mesh, ground_->domain.material, ground_->domain.clusters.step, 1,
                       halo::ExchangeOptions{}, nullptr, ground_->attenuation.get());
        for (int c = 0; c < field_->cells(); ++c)
            field_->coefficient(c, 0, 6) = Real(1e-3) * static_cast<Real>(c % 7);
        there_.emplace(field_->elements(), device, stream);
        all_ = field_->elements().batches_of(quake::interior);
    }

    void predict() { there_->predict(all_, step_); }
    void correct() { there_->correct(all_, 0); }
    quake::Elements<Real>& elements() { return field_->elements(); }
    std::int32_t cells() const { return field_->cells(); }

    // Mean velocities, [cell][3].
    std::vector<double> result() {
        std::vector<std::int32_t> batches(static_cast<std::size_t>(all_.end - all_.begin));
        std::iota(batches.begin(), batches.end(), all_.begin);
        there_->bring(batches);
        there_->wait();
        std::vector<double> means;
        for (int c = 0; c < field_->cells(); ++c)
            for (int v = 6; v < 9; ++v) means.push_back(static_cast<double>(field_->coefficient(c, 0, v)));
        return means;
    }

    exec::Device& device;
    exec::Stream stream;

private:
    std::unique_ptr<ProxyGround<Real>> ground_;
    Real step_ = 0;
    std::optional<quake::Wavefield<Real>> field_;
    std::optional<quake::ElementsOnDevice<Real>> there_;
    quake::BatchRange all_;
};

template <class Real>
class QuakeKernelsOnDevice : public ProxyKernels {
public:
    QuakeKernelsOnDevice(exec::Device& device, int cells, int order, int mechanisms)
        : device_(device), order_(order), mechanisms_(mechanisms), rock_(device, cells, order, mechanisms) {}

    MPI_Comm comm() const override { return MPI_COMM_SELF; }
    std::int64_t cells() const override { return rock_.cells(); }
    nlohmann::json about() const override {
        return {{"order", order_},
                {"precision", sizeof(Real) == sizeof(double) ? "double" : "float"},
                {"mechanisms", mechanisms_}};
    }
    nlohmann::json identity() const override { return nlohmann::json::object(); }

    std::vector<exec::KernelCheck> check() override {
        const auto processor = exec::make_host_device();
        const auto steps = [&](exec::Device& device) {
            RockOnDevice<Real> rock(device, 320, order_, mechanisms_);
            for (int i = 0; i < 3; ++i) {
                rock.predict();
                rock.correct();
            }
            return rock.result();
        };
        const auto expected = steps(*processor), found = steps(device_);
        // The one needs the other: both are right, or neither is.
        exec::KernelCheck check{"local", 64.0 * static_cast<double>(std::numeric_limits<Real>::epsilon()),
                                0.0, 0.0, static_cast<std::int64_t>(found.size() / 3)};
        for (std::size_t i = 0; i < found.size(); ++i) check.compare(expected[i], found[i]);
        std::vector<exec::KernelCheck> checks{check, check};
        checks.back().kernel = "neighbour";
        return checks;
    }

    std::vector<TimedKernel> time(int repeats, const Repeat&) override {
        const auto bytes = quake::kernel_bytes<Real>(rock_.elements().layout());
        const auto& work = rock_.elements().work();
        constexpr int steps = 5;
        const auto timed = [&](const char* name, double flop, double moved, const auto& step) {
            auto seconds = exec::time_on(device_, rock_.stream, repeats, [&] {
                for (int i = 0; i < steps; ++i) step();
            });
            for (double& one : seconds) one /= steps;
            return TimedKernel{name, seconds, flop, moved};
        };
        return {timed("local", work.local, bytes.local(), [&] { rock_.predict(); }),
                timed("neighbour", work.neighbour, bytes.neighbour(), [&] { rock_.correct(); }),
                timed("all", work.local + work.neighbour, bytes.local() + bytes.neighbour(), [&] {
                    rock_.predict();
                    rock_.correct();
                })};
    }

private:
    exec::Device& device_;
    int order_, mechanisms_;
    RockOnDevice<Real> rock_;
};

}  // namespace

template <class Real>
std::unique_ptr<ProxyKernels> quake_kernels_on_device(exec::Device& device, int cells, int order,
                                                      int mechanisms) {
    return std::make_unique<QuakeKernelsOnDevice<Real>>(device, cells, order, mechanisms);
}

template std::unique_ptr<ProxyKernels> quake_kernels_on_device<float>(exec::Device&, int, int, int);
template std::unique_ptr<ProxyKernels> quake_kernels_on_device<double>(exec::Device&, int, int, int);

}  // namespace groundswell::cli
