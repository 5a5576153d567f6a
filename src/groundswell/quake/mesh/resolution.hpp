#pragma once

#include <array>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/material.hpp"

/// Shortest waves that the elements of a mesh resolve.
namespace groundswell::quake {

/// Length that a plane wave must have, in longest edges of the elements, so that its velocity is wrong by 5 % (rms) once it has
/// run ten wavelengths. Measured with this scheme, see tests/convergence/resolution.cpp.
double edges_per_wavelength(int order);

/// The highest frequency, Hz, whose waves are that long in an element: S waves, or P waves where there are no others.
double highest_frequency(const std::array<tetra::Point, 4>& corners, const Material& material, int order);

}  // namespace groundswell::quake
