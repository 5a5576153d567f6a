#include "groundswell/quake/plasticity/kernel.hpp"

#include <algorithm>
#include <cmath>

#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/kernels/pack.hpp"
#include "groundswell/quake/plasticity/yield.hpp"

namespace groundswell::quake {

template <class Real>
bool relax_batch(const PlasticBatch<Real>& batch) {
    constexpr int lanes = native_lanes<Real>, most = basis_size(highest_order);
    static_assert(lanes <= most_plastic_lanes);
    using Value = Pack<Real, lanes>;
    const int places = batch.places;
    const auto* const rock = reinterpret_cast<const YieldingRock<Value>*>(batch.rock);
    auto* const state = reinterpret_cast<Value*>(batch.state);
    const Value share = Value{} + batch.share;
    Value added[most][6];
    double strain[lanes] = {}, work[lanes] = {};
    Value yields{};
    bool any = false;
    for (int n = 0; n < places; ++n) {
        Value change[6] = {}, tau{};
        const Real* const phi = batch.at_places + n * places;
        for (int k = 0; k < places; ++k) {
            for (int i = 0; i < 6; ++i) change[i] += phi[k] * state[9 * k + i];
        }
        const Value factor = yield(rock[n], change, share, added[n], tau);
        for (int lane = 0; lane < lanes; ++lane) {
            if (!(factor[lane] < 0)) continue;
            any = true;
            yields[lane] = 1;
            // In the deviator, stress that is relaxed is 2 μ times plastic strain; τ falls from 1 to 1 + factor.
            const double part = -static_cast<double>(factor[lane]);
            strain[lane] += part * static_cast<double>(tau[lane]);
            work[lane] += part * (1.0 - 0.5 * part) * std::pow(static_cast<double>(tau[lane]), 2);
        }
    }
    if (!any) return false;
    for (int k = 0; k < places; ++k) {
        const Real* const weight = batch.through + k * places;
        for (int i = 0; i < 6; ++i) {
            Value sum{};
            for (int n = 0; n < places; ++n) sum += weight[n] * added[n][i];
            // Where another element of the batch yields alone, not even the sign of a zero changes.
            Value& now = state[9 * k + i];
            now = yields > Value{} ? now + sum : now;
        }
    }
    std::copy_n(strain, lanes, batch.strain);
    std::copy_n(work, lanes, batch.work);
    return true;
}

template bool relax_batch<float>(const PlasticBatch<float>& batch);
template bool relax_batch<double>(const PlasticBatch<double>& batch);

}  // namespace groundswell::quake
