#pragma once

#include <cstdint>

#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Scratch memory of one thread for one cell; allocated once, about 60 KB for 36 × 35 bins.
class SourceWorkspace {
public:
    /// `scratch_size`: the largest of the terms.
    SourceWorkspace(const LaneGrid& grid, std::size_t scratch_size);

    SeaCell sea{};                 ///< the cell at work
    SourceState* state = nullptr;  ///< its state, which the wind input renews
    SourceState before;            ///< and what it was at the start of the step

    exec::Array<Real> energy;                                         ///< [f][lanes]
    exec::Array<Real> row_energy;                                     ///< [f]
    exec::Array<Real> wave_number, group_speed, inverse_phase_speed;  ///< [f]
    exec::Array<Real> source, derivative;                             ///< [f][lanes]
    exec::Array<Real> decay;                                          ///< [f]
    exec::Array<Real> column_a, column_b, column_c, column_d, growth, saturation,
        scratch;  ///< as in CellWork

    exec::Array<Real> whole;       ///< as in CellMemory
    std::int64_t evaluations = 0;  ///< of all terms together, by SourcePackage::integrate_cell

    SourceSum sum() { return {source.data(), derivative.data(), decay.data()}; }
    CellWork work() {
        return {column_a.data(), column_b.data(),   column_c.data(), column_d.data(),
                growth.data(),   saturation.data(), scratch.data()};
    }
    CellMemory memory() {
        return {energy.data(),
                row_energy.data(),
                wave_number.data(),
                group_speed.data(),
                inverse_phase_speed.data(),
                sum(),
                work(),
                whole.data(),
                &sea,
                state,
                &before};
    }
};

}  // namespace groundswell::sea
