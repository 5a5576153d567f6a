#include "groundswell/sea/source/integration.hpp"

#include <algorithm>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"

namespace groundswell::sea {

void SourceIntegration::advance(const LaneGrid& g, const SeaCell& sea, const SourceSum& sum,
                                Real* spectrum) const {
    const double mean = std::max(sea.windsea_mean_frequency, sea.mean_frequency);
    const Real scale = static_cast<Real>(limiter_ * base::gravity * mean * sea.step);
    const Real least = static_cast<Real>(5.6e-3 * base::gravity);
    const Real step = sea.step;
    const int directions = g.directions;
    for (int i = 0; i < g.frequencies; ++i) {
        const Real f = g.frequency[i];
        const Real square = f * f;
        const Real friction = std::max(sea.friction_velocity, least / f);
        const Real most = scale * friction / (square * square);
        const Real kept = exec::lanes::exp(-sum.decay[i] * step);
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real* __restrict source = sum.source + row;
        const Real* __restrict derivative = sum.derivative + row;
        Real* __restrict energy = spectrum + row;
#pragma omp simd
        for (int j = 0; j < g.lanes; ++j) {
            const Real damping = Real(1) - step * derivative[j];
            const Real change = step * source[j] / (damping > Real(1) ? damping : Real(1));
            const Real below = change > most ? most : change;
            const Real bounded = below < -most ? -most : below;
            const Real renewed = (energy[j] + bounded) * kept;
            const Real positive = renewed < Real(0) ? Real(0) : renewed;
            energy[j] = j < directions ? positive : Real(0);
        }
    }
}

void continue_tail(const LaneGrid& g, const SeaCell& sea, Real* spectrum) {
    const auto inverse_shape = [&sea](int i) {
        const Real k = sea.wave_number[i];
        return k * k * k * sea.group_speed[i];
    };
    const Real* __restrict last = spectrum + static_cast<std::ptrdiff_t>(sea.cutoff) * g.lanes;
    const Real at_cutoff = inverse_shape(sea.cutoff);
    for (int i = sea.cutoff + 1; i < g.frequencies; ++i) {
        const Real factor = at_cutoff / inverse_shape(i);
        Real* __restrict energy = spectrum + static_cast<std::ptrdiff_t>(i) * g.lanes;
#pragma omp simd
        for (int j = 0; j < g.lanes; ++j) energy[j] = factor * last[j];
    }
}

}  // namespace groundswell::sea
