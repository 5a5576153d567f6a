#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace groundswell::simulation {

/// Limits of a run, and the change that would help most.
struct Limit {
    /// Code of a finding in `cores`; else `slow-output`, `spinning-server`, `imbalance`, `late-ranks`, `network`, `start-up`,
    /// `narrow-registers`, `slow-kernels`; or, where nothing was in the way, `memory` or `computing`.
    std::string code;
    std::string text, help;  ///< for people: sentences
    double share = 0.0;      ///< of the run's time, start-up included, that this took
};

/// Judges by a run's report, the `result` of its run.json, and by nothing else.
///
/// A limit is measured by the time that would be gained without it. The largest is named if it is worth
/// saying: a tenth of the run and more, see limit.cpp. A thing that explains others comes before them: a server that spins
/// takes cores, and a rank without its core makes its neighbours wait.
Limit judge_limit(const nlohmann::json& result);

/// The paragraph, in lines of about 100 characters.
std::string limit_paragraph(const Limit& limit);

}  // namespace groundswell::simulation
