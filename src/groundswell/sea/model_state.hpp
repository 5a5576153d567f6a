#pragma once

#include "groundswell/output/decomposition.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/model.hpp"
#include "groundswell/simulation/state.hpp"

namespace groundswell::sea {

/// The state of the wave model, for restart files: cells in mesh-file order. `faces` are those of the model's
/// cells. Valid until the model's next step. Not collective.
simulation::State model_state(const Case& run, Model& model, const output::Decomposition& faces);

/// Axes of spectra, places and depths of cells, and the forcing that acts on them, by CF standard names. Valid until the model's next
/// step. Not collective.
simulation::State surroundings(const Model& model, const output::Decomposition& faces);

}  // namespace groundswell::sea
