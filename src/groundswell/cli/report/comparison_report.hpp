#pragma once

#include <nlohmann/json_fwd.hpp>

#include "groundswell/output/check/comparison.hpp"

namespace groundswell::cli {

/// A table of the variables on standard output, and before it what else differs. `reader` is of either file: it
/// says what the times are.
void print_comparison(const output::Reader& reader, const output::Comparison& comparison);

/// {"identical", "variables", "only_in_a", "only_in_b", "differences"}.
nlohmann::json comparison_json(const output::Reader& reader, const output::Comparison& comparison);

}  // namespace groundswell::cli
