#pragma once

#include "groundswell/sea/source/terms/bottom_friction.hpp"
#include "groundswell/sea/source/terms/breaking.hpp"
#include "groundswell/sea/source/terms/formula_list.hpp"
#include "groundswell/sea/source/terms/four_wave.hpp"
#include "groundswell/sea/source/terms/linear_growth.hpp"
#include "groundswell/sea/source/terms/whitecapping.hpp"
#include "groundswell/sea/source/terms/wind_input.hpp"

namespace groundswell::sea {

/// Terms that devices can compute.
struct TermFormulas
    : terms::FormulaList<terms::WindInputFormula, terms::LinearGrowthFormula, terms::WhitecappingFormula,
                         terms::FourWaveFormula, terms::BottomFrictionFormula, terms::DepthBreakingFormula> {
};

}  // namespace groundswell::sea
