#pragma once

#include <memory>
#include <vector>

#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/transport.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/sea/fields.hpp"

namespace groundswell::sea {

/// Force of waves on the water, −∂S_ij/∂x_j of the radiation stress (Longuet-Higgins & Stewart 1964, Deep-Sea Res. 11, 529), by the
/// plane that fits the differences to the neighbours best, each with a weight of its distance⁻²; tensors are carried to a cell's
/// frame along great circles. 0 in a cell whose neighbours lie on one line.
class WaveForce {
public:
    /// `plan`: brings the cells of the halo of `mesh`. Both outlive this. Collective.
    WaveForce(const voronoi::LocalMesh& mesh, std::shared_ptr<const halo::Plan> plan);

    /// Sets the forces of `cells`, [owned], whose products are known. Collective.
    void set(std::vector<CellSituation>& cells);

private:
    struct Stress {
        double xx, xy, yy;
    };
    void set_cell(std::int32_t cell, CellSituation& situation) const;

    const voronoi::LocalMesh& mesh_;
    std::vector<Stress> stress_;  // [total]
    std::unique_ptr<halo::Transport> transport_;
};

}  // namespace groundswell::sea
