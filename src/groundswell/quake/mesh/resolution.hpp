#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/material.hpp"

/// Shortest waves that the elements of a mesh resolve.
namespace groundswell::quake {

/// Length that a plane wave must have, in longest edges of the elements, so that its velocity is wrong by 5 % (rms) once it has
/// run ten wavelengths. Measured with this scheme, see tests/convergence/resolution.cpp.
double edges_per_wavelength(int order);

/// The highest frequency, Hz, whose waves are that long in an element: S waves, or P waves where there are no others.
double highest_frequency(const std::array<tetra::Point, 4>& corners, const Material& material, int order);

/// Faces between elements in which waves run at speeds that differ by a fifth or more: the tops and bottoms of layers. What runs along
/// them is shorter than highest_frequency() knows, which is of uniform rock.
struct Interfaces {
    std::int64_t faces = 0;
    double lowest =
        0.0;  ///< Hz, the lowest highest_frequency() of the elements at them; infinite where there are none

    /// Tells people, where there are any. Not collective.
    void announce() const;
};

/// `material` by local cell. Collective.
Interfaces interfaces_of(MPI_Comm comm, const tetra::LocalMesh& mesh, std::span<const Material> material,
                         int order);

}  // namespace groundswell::quake
