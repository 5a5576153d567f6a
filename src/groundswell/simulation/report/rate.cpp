#include "groundswell/simulation/report/rate.hpp"

#include <fmt/format.h>

#include <vector>

#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/simulation/limits/run_limits.hpp"

namespace groundswell::simulation {

NeededWork needed_work(Model& model, std::int64_t steps) {
    NeededWork mine;
    for (const Model::Kernel& kernel : model.kernel_times(steps)) {
        mine.flop += kernel.flop;
        mine.bytes += kernel.bytes;
    }
    return {parallel::sum(model.comm(), std::vector{mine.flop}),
            parallel::sum(model.comm(), std::vector{mine.bytes})};
}

nlohmann::json rate_json(const NeededWork& work, double seconds, const exec::MachineLimits& limits) {
    if (work.flop <= 0.0 || seconds <= 0.0) return nullptr;
    const double gflops = 1e-9 * work.flop / seconds, gigabytes = 1e-9 * work.bytes / seconds;
    const auto share = [](double reached, double limit) {
        return limit > 0.0 ? nlohmann::json(reached / limit) : nlohmann::json();
    };
    return {{"flop", work.flop},
            {"bytes", work.bytes},
            {"gflops", gflops},
            {"gigabytes_per_second", gigabytes},
            {"share_of_peak", share(gflops, limits.peak_gflops)},
            {"share_of_stream", share(gigabytes, limits.stream_gigabytes_per_second)}};
}

std::string rate_text(const nlohmann::json& rate) {
    if (rate.is_null()) return {};
    const auto share = [&](const char* key, const char* what) {
        return rate[key].is_null() ? std::string()
                                   : fmt::format(" ({:.2g} % of {})", 100.0 * rate[key].get<double>(), what);
    };
    return fmt::format("{:.3g} GFLOP/s{}, {:.3g} GB/s{}", rate["gflops"].get<double>(),
                       share("share_of_peak", "peak"), rate["gigabytes_per_second"].get<double>(),
                       share("share_of_stream", "memory's"));
}

LiveRate::LiveRate(Model& model, bool asked) : model_(model), asked_(asked) {
    if (asked_) limits_ = find_run_limits(model.comm(), model.number_bytes(), false).limits;
}

void LiveRate::take(std::int64_t steps, double seconds) {
    if (!asked_) return;
    const parallel::PhaseTimer timer(model_.profile(), parallel::Phase::agreement);
    const NeededWork now = needed_work(model_, steps);
    text_ = rate_text(
        rate_json({now.flop - before_.flop, now.bytes - before_.bytes}, seconds - seconds_before_, limits_));
    before_ = now;
    seconds_before_ = seconds;
}

}  // namespace groundswell::simulation
