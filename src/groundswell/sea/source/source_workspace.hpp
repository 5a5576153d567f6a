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

    exec::Array<Real> energy;                                         ///< [f][lanes]
    exec::Array<Real> row_energy;                                     ///< [f]
    exec::Array<Real> wave_number, group_speed, inverse_phase_speed;  ///< [f]
    exec::Array<Real> source, derivative;                             ///< [f][lanes]
    exec::Array<Real> decay;                                          ///< [f]
    exec::Array<Real> column_a, column_b, column_c, column_d;         ///< [f] for the term at work
    exec::Array<Real>
        growth;  ///< [f][lanes] positive wind growth rate, s⁻¹; 0 where the wind does not feed. Of the wind input
    exec::Array<Real> saturation;  ///< [f][lanes] of the whitecapping
    exec::Array<Real> scratch;     ///< as the term at work lays it out

    exec::Array<Real> whole;       ///< action at the start of a step that is taken in parts
    std::int64_t evaluations = 0;  ///< of all terms together, by SourcePackage::integrate_cell

    SourceSum sum() { return {source.data(), derivative.data(), decay.data()}; }
};

}  // namespace groundswell::sea
