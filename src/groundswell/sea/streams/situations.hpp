#pragma once

#include <cstdint>
#include <vector>

#include "groundswell/sea/model.hpp"

namespace groundswell::sea {

/// The situations of cells for all output files: a spectrum is integrated once a step at most, whatever number of
/// files are due, and only where a field asks for it.
class Situations {
public:
    explicit Situations(const Model& model) : model_(model) {}

    /// Those of all owned cells, [owned], as the state is now. `spectrum`: some field is one of the spectrum.
    const std::vector<CellSituation>& of_all(bool spectrum);
    /// Situation of one owned cell.
    CellSituation of(std::int32_t cell, bool spectrum) const;

private:
    bool has_all() const { return step_ == model_.step(); }

    const Model& model_;
    std::int64_t step_ = -1;  // of all_
    bool has_spectrum_ = false;
    std::vector<CellSituation> all_;
};

}  // namespace groundswell::sea
