#pragma once

#include <string_view>

#include "groundswell/c/output.h"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/schema.hpp"

/// Objects behind those handles of output.h that more than one file knows.
struct gs_schema {
    groundswell::output::Schema value;
};

struct gs_rows {
    groundswell::output::Decomposition value;
};

namespace groundswell::c {

/// Defect of `function` where there is no such type.
output::Type type_of(gs_type type, std::string_view function);

}  // namespace groundswell::c
