#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/layer/options.hpp"

namespace groundswell::quake {

/// Rock beside the absorbing boundary of a box in which waves fade, the more the nearer to the boundary they are. Stress, velocity and
/// what an element remembers fade alike, so that a wave that comes in at a right angle meets no change of impedance.
template <class Real>
class AbsorbingLayer {
public:
    /// `element_of`: of the owned cells. base::Refusal on all ranks without a layer for the mesh: where its absorbing boundary is not
    /// that of a box, where the layer is all of it, or a fault that may break (`breaks`) reaches into it. Collective.
    AbsorbingLayer(MPI_Comm comm, const Elements<Real>& elements, const tetra::LocalMesh& mesh,
                   std::span<const Material> material, std::span<const std::int32_t> element_of,
                   const LayerOptions& options, bool breaks);

    /// The end of a step of some batches, of so many seconds.
    void fade(Elements<Real>& elements, BatchRange batches, double seconds) const;

private:
    std::vector<double> rate_;     // [element] s⁻¹
    std::vector<bool> has_layer_;  // [batch]
};

}  // namespace groundswell::quake
