#pragma once

#include "groundswell/sea/spectrum/parametric_sea.hpp"

namespace groundswell::simulation {
class Section;
}

namespace groundswell::sea {

/// Reads the keys of a sea known by a few numbers; `required`: those without a usual value must be there.
ParametricSea read_parametric_sea(const simulation::Section& section, bool required);

/// Reads those of them alone that say how the energy is spread over directions and frequencies.
void read_spreading(const simulation::Section& section, ParametricSea& sea);

}  // namespace groundswell::sea
