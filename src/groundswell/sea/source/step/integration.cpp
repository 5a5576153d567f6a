#include "groundswell/sea/source/integration.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/sea/lanes.hpp"

namespace groundswell::sea {

namespace {

using lanes::Lane, lanes::load;

}  // namespace

SourceIntegration::Change SourceIntegration::advance(const LaneGrid& g, const SeaCell& sea,
                                                     const SourceSum& sum, Real* spectrum) const {
    Change all{0.0, 0.0};
    const double mean = std::max(sea.windsea_mean_frequency, sea.mean_frequency);
    const Real scale = static_cast<Real>(limiter_ * base::gravity * mean * sea.step);
    const Real least = static_cast<Real>(5.6e-3 * base::gravity);
    const Real step = sea.step;
    const int used = round_up(g.directions, lanes::width);
    for (int i = 0; i < g.frequencies; ++i) {
        const Real f = g.frequency[i];
        const Real square = f * f;
        const Real friction = std::max(sea.friction_velocity, least / f);
        const Lane most = lanes::broadcast(scale * friction / (square * square));
        const Real kept = exec::lanes::exp(-sum.decay[i] * step);
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Real* const source = sum.source + row;
        const Real* const derivative = sum.derivative + row;
        Real* const energy = spectrum + row;
        lanes::RowSum gained, withheld;
        lanes::with_count(used, [&]<class Count>(Count) {
            for (int n = 0; n < Count::of(used); ++n) {
                const int j = n * lanes::width;
                const Lane damping =
                    lanes::multiply_subtract(step, load(derivative + j), lanes::broadcast(Real(1)));
                const Lane wanted =
                    step * load(source + j) / lanes::maximum(damping, lanes::broadcast(Real(1)));
                const Lane change = lanes::within(j, g.directions, wanted);
                // In this order what is no number stays so, and is found out.
                const Lane bounded = lanes::maximum(-most, lanes::minimum(most, change));
                const Lane renewed = lanes::maximum(Lane{}, (load(energy + j) + bounded) * kept);
                lanes::store(energy + j, lanes::within(j, g.directions, renewed));
                gained.add(j, lanes::positive_part(bounded));
                withheld.add(j, lanes::absolute(change - bounded));
            }
        });
        if (i > sea.cutoff) continue;  // replaced by the tail
        all.gained += static_cast<double>(g.width[i]) * gained.total();
        all.withheld += static_cast<double>(g.width[i]) * withheld.total();
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
