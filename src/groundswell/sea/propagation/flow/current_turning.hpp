#pragma once

#include <algorithm>

#include "groundswell/exec/array.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

/// Refraction by a current: turning at the rate
///
///     cθ = −d·(m·∇)U,   d = (cos θ, sin θ), m = (−sin θ, cos θ)
///
/// (Longuet-Higgins & Stewart 1961, J. Fluid Mech. 10, 529–549; Tolman 1991, J. Phys. Oceanogr. 21, 782–797, eq. 5), the same for
/// all frequencies. Flux form with a limited linear profile at half time (van Leer 1977), as in FrequencyShift: second order,
/// conservative, positive.

/// Memory of one thread, for rows of `directions`.
struct TurningWork {
    static constexpr int rows = 4;  ///< turned side by side
    explicit TurningWork(int directions) : stride(lanes::padded(directions) + 3 * lanes::table_width) {
        for (exec::Array<Real>* array : {&row, &slope, &flux}) {
            *array = exec::Array<Real>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride));
            std::fill_n(array->data(), array->size(), Real(0));
        }
    }
    int stride;  ///< from one row to the next
    exec::Array<Real> row, slope,
        flux;  ///< [rows][stride], with room on both sides for registers that reach beyond a row
};

/// Turns rows [rows][directions] in place. `courant`: [directions, and to the end of a register] cθ Δt/Δθ at the upper side of each
/// direction; what stands behind them is of no effect. A step in which
/// a bin would give away more than it has is taken in equal parts.
void turn_by_current(Real* rows, int number, int directions, const Real* courant, TurningWork& work);

}  // namespace groundswell::sea
