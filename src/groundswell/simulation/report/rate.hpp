#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "groundswell/exec/machine_limits.hpp"
#include "groundswell/simulation/model.hpp"

/// Speed of a whole run: by the least that its kernels' formulas need, whatever else the program does, over the time on
/// the clock, exchanges and output included.
namespace groundswell::simulation {

/// Work of all ranks; 0: not counted.
struct NeededWork {
    double flop = 0.0, bytes = 0.0;  ///< operations; bytes from or to memory
};

/// In so many steps of this run. Collective.
NeededWork needed_work(Model& model, std::int64_t steps);

/// The part `rate`: {"flop", "bytes", "gflops", "gigabytes_per_second", "share_of_peak", "share_of_stream"}; shares of limits
/// that are not known are null. Null where no kernel is counted.
nlohmann::json rate_json(const NeededWork& work, double seconds, const exec::MachineLimits& limits);

/// The same for people, as of "whole run": "12.3 GFLOP/s (11 % of peak), 4.56 GB/s (21 % of memory's)"; empty for null.
std::string rate_text(const nlohmann::json& rate);

/// The rate since it was last taken, for the progress line.
class LiveRate {
public:
    /// `asked`: on all ranks or none; without it, nothing is counted and text() is empty. Shares are of the limits that doctor
    /// has stored. Collective.
    LiveRate(Model& model, bool asked);
    /// With the steps and the time since the first step. Collective.
    void take(std::int64_t steps, double seconds);
    const std::string& text() const { return text_; }

private:
    Model& model_;
    bool asked_;
    exec::MachineLimits limits_;
    NeededWork before_;
    double seconds_before_ = 0.0;
    std::string text_;
};

}  // namespace groundswell::simulation
