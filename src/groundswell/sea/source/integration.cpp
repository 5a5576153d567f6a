#include "groundswell/sea/source/integration.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"

namespace groundswell::sea {

SourceIntegration::Change SourceIntegration::advance(const LaneGrid& g, const SeaCell& sea,
                                                     const SourceSum& sum, Real* spectrum) const {
    Change all{0.0, 0.0};
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
        Real gained = 0, withheld = 0;
#pragma omp simd reduction(+ : gained, withheld)
        for (int j = 0; j < g.lanes; ++j) {
            const Real damping = Real(1) - step * derivative[j];
            const Real change = step * source[j] / (damping > Real(1) ? damping : Real(1));
            const Real below = change > most ? most : change;
            const Real bounded = below < -most ? -most : below;
            const Real renewed = (energy[j] + bounded) * kept;
            const Real positive = renewed < Real(0) ? Real(0) : renewed;
            energy[j] = j < directions ? positive : Real(0);
            gained += j < directions && bounded > Real(0) ? bounded : Real(0);
            withheld += j < directions ? std::abs(change - bounded) : Real(0);
        }
        if (i > sea.cutoff) continue;  // replaced by the tail
        all.gained += static_cast<double>(g.width[i]) * gained;
        all.withheld += static_cast<double>(g.width[i]) * withheld;
    }
    all.gained *= g.direction_width;
    all.withheld *= g.direction_width;
    return all;
}

int SourceIntegration::parts(const SeaCell& sea, const Change& change) const {
    constexpr double calm = 1e-5;  // m²: waves of a centimetre need no care
    const double share = (change.gained + change.withheld) / (sea.variance + change.gained + calm);
    // Written so that a number that is none asks for one part, and is found out later.
    return share > tolerance_ ? static_cast<int>(std::min<double>(most_parts_, std::ceil(share / tolerance_)))
                              : 1;
}

void bound_spectrum(const LaneGrid& g, double level, Real* spectrum) {
    constexpr double two_pi_4 = base::two_pi * base::two_pi * base::two_pi * base::two_pi;
    const double scale = level / base::pi * base::gravity * base::gravity / two_pi_4;
    for (int i = 0; i < g.frequencies; ++i) {
        const double f = g.frequency[i];
        const Real most = static_cast<Real>(scale / (f * f * f * f * f));
        Real* __restrict energy = spectrum + static_cast<std::ptrdiff_t>(i) * g.lanes;
#pragma omp simd
        for (int j = 0; j < g.lanes; ++j) energy[j] = energy[j] > most ? most : energy[j];
    }
}

void continue_tail(const LaneGrid& g, const SeaCell& sea, Real* spectrum) {
    const auto inverse_shape = [&sea](int i) {
        const Real k = sea.wave_number[i];
        return k * k * k * sea.group_speed[i];
    };
    // Each row from the one below; of the first a part is its own.
    Real own = sea.cutoff_part;
    for (int i = sea.cutoff + 1; i < g.frequencies; ++i) {
        const Real factor = (Real(1) - own) * inverse_shape(i - 1) / inverse_shape(i);
        Real* __restrict energy = spectrum + static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real* __restrict below = energy - g.lanes;
#pragma omp simd
        for (int j = 0; j < g.lanes; ++j) energy[j] = own * energy[j] + factor * below[j];
        own = Real(0);
    }
}

}  // namespace groundswell::sea
