#pragma once

#include <cstdint>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

class PropagationTables;

/// Waves on their way into the mesh over faces at which it ends. Beyond such a face lies, over the depth of its own cell, a
/// given N_b, which the schemes take as they take a neighbour that is upstream:
///
///     ∂N/∂t = … + (ℓ_e/A) max(0, −n_e·(cg d + U)) N_b
///
/// (first order, as everywhere: the shares of cg d and U by themselves; second order takes part of the gradient in the cell, as M at
/// the face). What leaves over the face leaves as at a coast.
class Inflow {
public:
    /// `edge`: of the mesh's arrays, ascending, as edges follow cells; those of halo cells too, whose gradients are made here. N_b is 0
    /// until it is set.
    Inflow(const voronoi::LocalMesh& mesh, std::vector<std::int32_t> edge, int bins);

    std::size_t faces() const { return edge_.size(); }
    std::int32_t edge(std::size_t face) const { return edge_[face]; }
    Real* beyond(std::size_t face) { return beyond_.data() + face * bins_; }  ///< [bins] N_b
    /// The same of the face at an edge; null where nothing enters.
    const Real* beyond_edge(std::int32_t edge) const;
    bool has(std::int32_t cell) const { return !find(cell).empty(); }

    /// Adds to change[bins] what enters a cell in dt seconds.
    void add(const PropagationTables& tables, std::int32_t cell, Real* change, double dt) const;

private:
    struct CellFaces {
        std::int32_t cell, begin, end;  // of faces
        bool empty() const { return begin == end; }
    };
    CellFaces find(std::int32_t cell) const;
    void add_face(const PropagationTables& tables, std::int32_t cell, std::int32_t face, Real* change,
                  Real dt) const;

    std::size_t bins_;
    std::vector<std::int32_t> edge_;
    std::vector<CellFaces> cells_;  // ascending
    exec::Array<Real> beyond_;      // [face][bins]
};

}  // namespace groundswell::sea
