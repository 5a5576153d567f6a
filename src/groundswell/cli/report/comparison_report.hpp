#pragma once

#include <nlohmann/json_fwd.hpp>

#include "groundswell/output/check/comparison.hpp"

namespace groundswell::cli {

/// A table of the variables on standard output, and before it what else differs. `reader` is of either file: it
/// says what the times are.
/// `judged`: a line for each variable that says whether it passed, and no more.
void print_comparison(const output::Reader& reader, const output::Comparison& comparison,
                      bool judged = false);
/// A line that says whether a variable or column passed, by its relative L2 difference.
void print_judgement(const std::string& name, double l2, bool passed);

/// {"identical", "variables", "only_in_a", "only_in_b", "differences"}.
nlohmann::json comparison_json(const output::Reader& reader, const output::Comparison& comparison);

}  // namespace groundswell::cli
