#pragma once

#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/local_mesh.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// The section [absorbing_layer] of a case: rock beside the absorbing boundary in which waves fade.
struct LayerOptions {
    double thickness = 0.0;  ///< m
    /// The logarithm of what an S wave loses that comes in at a right angle, until it is at the boundary.
    double strength = 0.0;
    std::string stated_at;  ///< in the case, FILE:LINE
};

/// The section [absorbing_layer], if the case has one.
std::optional<LayerOptions> read_layer(const simulation::Section& section);

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

    /// Whether waves fade in a batch; and what a step of so many seconds leaves of them in an element.
    bool reaches(std::int32_t batch) const { return has_layer_[batch]; }
    Real left(std::int32_t element, double seconds) const {
        return static_cast<Real>(std::exp(-rate_[element] * seconds));
    }
    /// The end of a step of some batches, of so many seconds.
    void fade(Elements<Real>& elements, BatchRange batches, double seconds) const;

private:
    std::vector<double> rate_;     // [element] s⁻¹
    std::vector<bool> has_layer_;  // [batch]
};

}  // namespace groundswell::quake
