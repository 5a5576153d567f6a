#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "groundswell/sea/model.hpp"
#include "groundswell/sea/streams/wave_force.hpp"

namespace groundswell::sea {

/// The situations of cells for all output files: a spectrum is integrated once a step at most, whatever number of
/// files are due, and only where a field reads it.
class Situations {
public:
    explicit Situations(const Model& model) : model_(model) {}

    /// Those of all owned cells, [owned], as the state is now, with all that some field reads. Collective where that is the force
    /// of waves.
    const std::vector<CellSituation>& of_all(Reads reads);
    /// Situation of one owned cell; the force of waves only after of_all() with it.
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
