#pragma once

#include "groundswell/quake/anisotropic.hpp"
#include "groundswell/quake/elements/elements.hpp"

namespace groundswell::quake {

/// Numbers that kernels read of an element and of a face of it.
Elastic::Material<double> coefficients_of(const Element& element);
Elastic::Face<double> coefficients_of(const Element& element, int face);

/// Numbers that kernels of anisotropic rock read of an element, which may be of isotropic rock.
Anisotropic::Material<double> anisotropic_coefficients_of(const Element& element);
Anisotropic::Face<double> anisotropic_coefficients_of(const Element& element, int face);

}  // namespace groundswell::quake
