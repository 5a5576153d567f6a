#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/transport.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/sea/fields.hpp"
#include "groundswell/sea/model.hpp"

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

/// The situations of cells for all output files: a spectrum is integrated once a step at most, whatever number of
/// files are due, and only where a field reads it.
class Situations {
public:
    explicit Situations(const Model& model) : model_(model) {}

    /// Those of all owned cells, [owned], as the state is now, with all that some field reads. Collective where that is the force
    /// of waves.
    const std::vector<CellSituation>& of_all(Reads reads);
    /// Situation of one owned cell, which the model has brought back; the force of waves only after of_all() with it.
    CellSituation of(std::int32_t cell, Reads reads) const;
    /// Drops those kept of this step: somebody may have changed the state.
    void forget() { step_ = -1; }

private:
    bool has_all(Reads reads) const { return step_ == model_.step() && includes(read_, reads); }

    const Model& model_;
    std::int64_t step_ = -1;  // of all_
    Reads read_ = Reads::nothing;
    std::vector<CellSituation> all_;
    std::optional<WaveForce> force_;  // made when it is first asked for
};

}  // namespace groundswell::sea
