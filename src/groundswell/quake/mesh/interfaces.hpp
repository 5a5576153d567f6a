#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/material.hpp"

namespace groundswell::quake {

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
