#pragma once

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

/// Defect of the function where there is no such type.
output::Type type_of(gs_type type);

}  // namespace groundswell::c
