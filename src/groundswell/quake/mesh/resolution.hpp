#pragma once

#include <mpi.h>

#include <array>
#include <span>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/material.hpp"

/// The shortest waves that the elements of a mesh resolve.
namespace groundswell::quake {

struct Case;
struct Domain;
struct SpreadRupture;

/// Length that a plane wave must have, in longest edges of the elements, so that its velocity is wrong by 5 % (rms) once it has
/// run ten wavelengths. Measured with this scheme, see tests/convergence/resolution.cpp.
double edges_per_wavelength(int order);

/// The highest frequency, Hz, whose waves are that long in an element: S waves, or P waves where there are no others.
double highest_frequency(const std::array<tetra::Point, 4>& corners, const Material& material, int order);

/// Warns of the source, of the points of the case and of its ruptures, that reaches farthest beyond what the mesh carries.
/// Collective.
void warn_of_short_waves(MPI_Comm comm, const Case& run, const Domain& domain,
                         std::span<const SpreadRupture> ruptures);

}  // namespace groundswell::quake
