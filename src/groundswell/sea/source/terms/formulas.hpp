#pragma once

#include "groundswell/sea/source/terms/formula_list.hpp"
#include "groundswell/sea/source/terms/formulas/bottom_friction.hpp"
#include "groundswell/sea/source/terms/formulas/bottom_friction_madsen.hpp"
#include "groundswell/sea/source/terms/formulas/breaking.hpp"
#include "groundswell/sea/source/terms/formulas/breaking_thornton.hpp"
#include "groundswell/sea/source/terms/formulas/four_wave.hpp"
#include "groundswell/sea/source/terms/formulas/linear_growth.hpp"
#include "groundswell/sea/source/terms/formulas/swell_turbulence.hpp"
#include "groundswell/sea/source/terms/formulas/triads.hpp"
#include "groundswell/sea/source/terms/formulas/whitecapping.hpp"
#include "groundswell/sea/source/terms/formulas/whitecapping_steepness.hpp"
#include "groundswell/sea/source/terms/formulas/whitecapping_threshold.hpp"
#include "groundswell/sea/source/terms/formulas/wind_donelan.hpp"
#include "groundswell/sea/source/terms/formulas/wind_input.hpp"
#include "groundswell/sea/source/terms/formulas/wind_snyder.hpp"

namespace groundswell::sea {

/// Terms that devices can compute.
struct TermFormulas
    : terms::FormulaList<terms::WindInputFormula, terms::LinearGrowthFormula, terms::WhitecappingFormula,
                         terms::FourWaveFormula, terms::BottomFrictionFormula, terms::DepthBreakingFormula,
                         terms::WhitecappingSteepnessFormula, terms::SwellTurbulenceFormula,
                         terms::BottomFrictionMadsenFormula, terms::BreakingThorntonFormula,
                         terms::WindSnyderFormula, terms::WindDonelanFormula,
                         terms::WhitecappingThresholdFormula, terms::TriadsFormula> {};

}  // namespace groundswell::sea
