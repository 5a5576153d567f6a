#pragma once

#include <cstddef>

#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/source/source_term.hpp"

/// Sums over the directions of each frequency, and rates that are the same in all of them.
namespace groundswell::sea {

/// Phillips' saturation, with the directions' narrowness A: B_n = A k³ F(k) = k³ cg/(2π) max_θ E(f, θ), as in Rogers et al. 2012
/// (doi:10.1175/JTECH-D-11-00092.1, section 2); 1/A = ∫ E dθ/max_θ E. Writes [f].
void find_saturation(const LaneTables& grid, const SeaCell& sea, Real* saturation);

/// Adds S = rate E, and the rate to its derivative, for the register of bins at `place`.
inline void add_rate(const SeaCell& sea, std::ptrdiff_t place, lanes::Lane rate, SourceSum& sum) {
    Real* const source = sum.source + place;
    Real* const derivative = sum.derivative + place;
    lanes::store(source, lanes::multiply_add(rate, lanes::load(sea.energy + place), lanes::load(source)));
    lanes::store(derivative, lanes::load(derivative) + rate);
}

/// The same in all directions of each frequency. [f] rate, s⁻¹.
void add_rates(const LaneTables& grid, const SeaCell& sea, const Real* rate, SourceSum& sum);

}  // namespace groundswell::sea
