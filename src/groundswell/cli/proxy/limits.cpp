#include "groundswell/cli/proxy/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groundswell/exec/device/limits/measure.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/memory.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::cli {

namespace {

constexpr double steady = 0.1;  // spread up to which limits count as one number

double spread_of(const std::vector<double>& values) {
    const auto [least, most] = std::ranges::minmax(values);
    return least > 0.0 ? most / least - 1.0 : 0.0;
}

// Far more than the caches of GPUs hold, and a small part of their memory. A played device has no limits worth measuring.
std::size_t array_on(const exec::Device& device) {
    if (device.is_played()) return std::size_t{1} << 18;
    return std::clamp<std::size_t>(device.limits().memory_bytes / 64, std::size_t{1} << 20,
                                   std::size_t{1} << 30);
}

}  // namespace

double measure_stream_together(MPI_Comm comm) {
    const int ranks = parallel::size_of(parallel::machine_communicator(comm).get());
    if (!parallel::fits_in_memory(comm, exec::stream_bytes(exec::Care::thorough, ranks))) return 0.0;
    MPI_Barrier(comm);
    return parallel::sum(comm, std::vector{exec::measure_stream(exec::Care::thorough, ranks)});
}

double measure_peak_together(MPI_Comm comm, int number_bytes) {
    using exec::Care;
    MPI_Barrier(comm);
    return parallel::sum(
        comm, std::vector{number_bytes == sizeof(float) ? exec::measure_peak<float>(Care::thorough)
                                                        : exec::measure_peak<double>(Care::thorough)});
}

void LimitSamples::take() {
    samples_.push_back({exec::threads(), measured()});
}

exec::MachineLimits LimitSamples::measured() const {
    if (device_ == nullptr)
        return {measure_stream_together(comm_), measure_peak_together(comm_, number_bytes_)};
    const exec::MeasuredDevice found = exec::measure_device(*device_, array_on(*device_));
    return {found.stream_gigabytes_per_second,
            number_bytes_ == sizeof(float) ? found.float_gflops : found.double_gflops};
}

std::vector<int> LimitSamples::threads() const {
    std::vector<int> all;
    for (const Sample& sample : samples_)
        if (std::ranges::find(all, sample.threads) == all.end()) all.push_back(sample.threads);
    return all;
}

std::vector<double> LimitSamples::values(int threads, double exec::MachineLimits::*which) const {
    std::vector<double> all;
    for (const Sample& sample : samples_)
        if (sample.threads == threads) all.push_back(sample.limits.*which);
    return all;
}

exec::MachineLimits LimitSamples::best(int threads) const {
    return {std::ranges::max(values(threads, &exec::MachineLimits::stream_gigabytes_per_second)),
            std::ranges::max(values(threads, &exec::MachineLimits::peak_gflops))};
}

nlohmann::json LimitSamples::json() const {
    nlohmann::json all = nlohmann::json::array();
    for (const int count : threads()) {
        const auto stream = values(count, &exec::MachineLimits::stream_gigabytes_per_second);
        const auto peak = values(count, &exec::MachineLimits::peak_gflops);
        all.push_back({{"threads", count},
                       {"stream_gigabytes_per_second", std::ranges::max(stream)},
                       {"stream_spread", spread_of(stream)},
                       {"stream_samples", stream},
                       {"peak_gflops", std::ranges::max(peak)},
                       {"peak_spread", spread_of(peak)},
                       {"peak_samples", peak}});
    }
    return all;
}

std::string LimitSamples::text() const {
    std::string text;
    for (const int count : threads()) {
        const auto stream = values(count, &exec::MachineLimits::stream_gigabytes_per_second);
        const auto peak = values(count, &exec::MachineLimits::peak_gflops);
        text += fmt::format(
            "{}: STREAM triad {:.1f} GB/s (best of {}, spread {:.0f} %), peak {:.0f} GFLOP/s of "
            "multiply-adds in this precision{} (spread {:.0f} %)\n",
            device_ ? device_->limits().name : fmt::format("{} thread{}", count, count == 1 ? "" : "s"),
            std::ranges::max(stream), stream.size(), 100.0 * spread_of(stream), std::ranges::max(peak),
            device_ ? "" : fmt::format(" with {}", exec::name_of(exec::instruction_set())),
            100.0 * spread_of(peak));
        if (std::max(spread_of(stream), spread_of(peak)) > steady)
            text +=
                "  the machine's own limits varied by more than 10 % during this command: shares are of the "
                "best, and times may be as uncertain\n";
    }
    return text;
}

}  // namespace groundswell::cli
