#pragma once

#include <cstdint>

#include "groundswell/exec/real.hpp"

/// The forms of one propagation step; arguments as Propagator::propagate_cells.
namespace groundswell::sea {

class PropagationTables;

void propagate_upwind(const PropagationTables& tables, std::int32_t begin, std::int32_t end,
                      exec::Real* n_new, const exec::Real* n_old, double dt);
void propagate_second_order(const PropagationTables& tables, std::int32_t begin, std::int32_t end,
                            exec::Real* n_new, const exec::Real* n_old, double dt);
void propagate_plain(const PropagationTables& tables, std::int32_t begin, std::int32_t end, exec::Real* n_new,
                     const exec::Real* n_old, double dt);

/// What enters `cell` in one step over the edges whose frames differ: added to inflow[bins].
void add_rotated_inflow(const PropagationTables& tables, std::int32_t cell, exec::Real* inflow,
                        const exec::Real* n_old, double dt);

/// Backward Euler for turning alone: solves n + dt ∂G(ratio·n)/∂θ = n_given in place for one row of
/// directions. step_x, step_y: dt·S of the cell at this frequency. Upwind in θ: positive, keeps the sum, any
/// dt.
void turn_implicitly(const PropagationTables& tables, exec::Real* row, exec::Real ratio, exec::Real step_x,
                     exec::Real step_y);

}  // namespace groundswell::sea
