#include "groundswell/exec/device/limits/measure.hpp"

#include <algorithm>
#include <chrono>

#include "groundswell/exec/device/limits/kernels.hpp"

namespace groundswell::exec {
namespace {

constexpr int tries = 10;

double best(const std::vector<double>& seconds) {
    return *std::min_element(seconds.begin(), seconds.end());
}

template <class Real>
double gflops_of(Device& device, Stream stream, std::size_t bytes) {
    constexpr int lanes = 128, most = 132 * 16 * 8;
    const int blocks = static_cast<int>(std::clamp<std::size_t>(bytes >> 15, 4, most));
    const MultiplyAndAdd<Real> kernel{{}, Real(0.5), Real(1), 4096, lanes};
    DeviceArray<Real> sums(device, "sums", static_cast<std::size_t>(blocks) * lanes);
    MultiplyAndAdd<Real> run = kernel;
    run.sums = sums.span();
    const Program program{run_block<MultiplyAndAdd<Real>>, multiply_and_add_cuda_entry(Real())};
    const double seconds = best(time_on(device, stream, tries, [&] {
        device.launch(stream, {"multiplications and additions", blocks, lanes, 0}, program,
                      Arguments::of(run));
    }));
    return 1e-9 * blocks * lanes * double(run.rounds) * run.operations_in_round / seconds;
}

}  // namespace

std::vector<double> time_on(Device& device, Stream stream, int number, const std::function<void()>& work) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> seconds;
    for (int i = 0; i <= number; ++i) {
        device.synchronise(stream);
        const auto begin = Clock::now();
        work();
        device.synchronise(stream);
        if (i > 0) seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
    return seconds;
}

MeasuredDevice measure_device(Device& device, std::size_t bytes) {
    constexpr int piece = 1024, lanes = 128;
    const Stream stream = device.make_stream();
    MeasuredDevice found;
    {
        const auto blocks = static_cast<int>(bytes / sizeof(double) / piece);
        const std::size_t size = static_cast<std::size_t>(blocks) * piece;
        const std::vector<double> ones(size, 1.0);
        DeviceArray<double> a(device, "a of the triad", stream, ones),
            b(device, "b of the triad", stream, ones), c(device, "c of the triad", stream, ones);
        const double moved = 1e-9 * static_cast<double>(size * sizeof(double));
        found.copy_gigabytes_per_second =
            2 * moved / best(time_on(device, stream, tries, [&] {
                device.copy_within(stream, a.span().data(), b.span().data(), b.span().size_bytes());
            }));
        const Triad triad{a.span(), b.span(), c.span(), 3.0, piece};
        found.stream_gigabytes_per_second =
            3 * moved / best(time_on(device, stream, tries, [&] {
                device.launch(stream, {"triad", blocks, lanes, 0}, {run_block<Triad>, triad_cuda_entry()},
                              Arguments::of(triad));
            }));
    }
    found.float_gflops = gflops_of<float>(device, stream, bytes);
    found.double_gflops = gflops_of<double>(device, stream, bytes);
    return found;
}

}  // namespace groundswell::exec
