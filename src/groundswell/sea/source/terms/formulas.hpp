#pragma once

#include "groundswell/sea/source/terms/bottom_friction.hpp"
#include "groundswell/sea/source/terms/formula_list.hpp"

namespace groundswell::sea {

/// Terms that devices can compute.
struct TermFormulas : terms::FormulaList<terms::BottomFrictionFormula> {};

}  // namespace groundswell::sea
