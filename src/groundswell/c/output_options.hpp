#pragma once

#include <string_view>

#include "groundswell/output/dataset.hpp"

namespace groundswell::c {

/// Options of an output from "KEY = VALUE, KEY = VALUE" (the keys stand in output.h). Refusal naming the key
/// that is unknown, given twice or holds what it cannot.
output::OutputOptions read_output_options(std::string_view text);

}  // namespace groundswell::c
