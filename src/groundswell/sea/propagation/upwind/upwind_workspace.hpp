#pragma once

#include <cstdint>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/propagation/tables.hpp"
#include "groundswell/sea/propagation/upwind/preparation.hpp"

namespace groundswell::sea {

/// Data of one cell for the first-order scheme, and the memory of one thread for it. It stays in the first-level cache.
struct UpwindWorkspace : UpwindRows {
    /// Known to the compiler: then addresses of factors differ by constants.
    static constexpr int factor_stride = lanes::padded(200) + lanes::table_width;

    int weight_stride;  ///< of a row of weights
    exec::Array<Real> in_weight,
        out_weight;  ///< [edge][weight_stride] (n·d)− and (n·d)+, going round the circle
    /// [row][factor_stride] Turning: dt S times the ratio, 0 where it is implicit. Edges: dt dv/A k_e times the ratio of the
    /// cell that gives.
    exec::Array<Real> factors;
    exec::Array<Real> step_x, step_y;    ///< [frequency_stride] dt S
    bool turns_implicitly = false;       ///< at any frequency
    std::vector<const Real*> neighbour;  ///< [edge] state of the cell beyond
    std::vector<std::int32_t> beyond;    ///< [edge] that cell; this one where there is none
    exec::Array<Real> beginning;         ///< room for own bins at the beginning of the block, and one before
    exec::Array<Real> rotated_inflow;    ///< [bins], and a register
    RotatedWork rotated_work;            ///< of add_rotated_inflow()

    Real* factor(int row, int f) { return factors.data() + row * factor_stride + f; }

    explicit UpwindWorkspace(const PropagationTables& tables);

    /// Sets everything up to `beyond` for a step of dt from n_old.
    void prepare(const PropagationTables& tables, std::int32_t cell, const Real* n_old, Real dt);

private:
    void prepare_weights(const PropagationTables& tables, std::int32_t edge, std::int32_t cell, int slot);
    void prepare_factors(const PropagationTables& tables, std::int32_t cell, int edges, Real dt);
    // Prepares frequencies from `f` on; returns the largest share of a bin that leaves.
    lanes::Lane prepare_factors(const PropagationTables& tables, std::int32_t cell, int edges, int f,
                                Real dt);
    void close_edge(int slot);
};

}  // namespace groundswell::sea
