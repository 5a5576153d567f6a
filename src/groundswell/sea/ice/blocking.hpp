#pragma once

#include <algorithm>

namespace groundswell::sea {

/// Share of the waves that a cell lets through whose sea is covered with ice to `concentration` (0 … 1): all up to `open`, none from
/// `closed` on, linear in between (Tolman 2003, Ocean Modelling 5, 219–231, section 3). As with islands smaller than a cell, half of
/// it acts on the way in and half on the way out: a face lets √(share_a share_b) through, and what does not pass is dissipated.
inline double share_through_ice(double concentration, double open, double closed) {
    return std::clamp((closed - concentration) / (closed - open), 0.0, 1.0);
}

}  // namespace groundswell::sea
