#pragma once

#include <string>
#include <vector>

#include "groundswell/simulation/case_file.hpp"

namespace groundswell::simulation {

/// The reference of all case file keys as a Markdown page, made from the questions that a reader asks.
std::string case_reference(const std::vector<KeyRecord>& keys, const std::string& model = "");

}  // namespace groundswell::simulation
