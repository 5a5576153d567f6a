#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace groundswell::cli {

/// The report of a run, read from its JSON file; base::Refusal for one of another case: `identity` are keys and values that its
/// result must have, `threads` and `ranks` those of now. Not collective.
nlohmann::json read_run(const std::string& path, const nlohmann::json& identity, int ranks, int threads);

/// Seconds of kernels over those of the same phases of a run, a step each: [{phase, proxy_seconds, run_seconds, ratio, reasons}].
/// `rows`, `differences`: of the proxy.
nlohmann::json compare_with_run(const nlohmann::json& run, const nlohmann::json& rows,
                                const nlohmann::json& differences);

/// For people.
std::string comparison_text(const nlohmann::json& comparison);

}  // namespace groundswell::cli
