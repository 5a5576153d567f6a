#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "groundswell/quake/plasticity/yield.hpp"

namespace groundswell::quake {

/// As relax_batch, and what Plasticity keeps of it: one block for a batch of elements, whose lanes have a place of an element, or a row
/// of its state.
template <class Real>
struct RelaxOnDevice {
    static constexpr int most_lanes = 128, blocks_at_once = 7;  // see exec/device/cuda/block.cuh
    std::span<const Real> rock;                                 ///< [batch][place][YieldingRock][element]
    std::span<const Real> at_places, through;                   ///< see PlasticBatch
    std::span<const double> mu;                                 ///< [batch][element] Pa
    std::span<Real> state;
    std::span<double> strain, work;  ///< [batch][element]
    std::int32_t first = 0;          ///< batch of the first block
    int places = 0, lanes = 0;       ///< in an element; elements in a batch
    Real share = 0;

    constexpr void arrays(const auto& visit) const {
        visit(rock);
        visit(at_places);
        visit(through);
        visit(mu);
        visit(state);
        visit(strain);
        visit(work);
    }
    static constexpr std::size_t scratch_bytes(int places, int lanes) {
        return static_cast<std::size_t>(places * numbers_of_place + 1) * lanes * sizeof(Real);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t batch = first + block.index();
        const auto all = static_cast<std::size_t>(places * lanes);
        Real* const added = block.template scratch<Real>(scratch_bytes(places, lanes) / sizeof(Real));
        Real *const factor = added + 6 * all, *const tau = factor + all, *const yields = tau + all;
        Real* const of_batch = state.data() + 9 * all * batch;
        block.lanes(places * lanes, [&](int i) {
            const int element = i % lanes, place = i / lanes;
            constexpr int numbers = sizeof(YieldingRock<Real>) / sizeof(Real);
            const Real* const from = rock.data() + numbers * (all * batch + place * lanes) + element;
            YieldingRock<Real> here{};
            for (int c = 0; c < 6; ++c) here.stress[c] = from[c * lanes];
            here.cohesion = from[6 * lanes];
            here.friction = from[7 * lanes];
            const Real* const phi = at_places.data() + place * places;
            Real change[6] = {}, relaxed[6];
            for (int k = 0; k < places; ++k) {
                for (int c = 0; c < 6; ++c) change[c] += phi[k] * of_batch[(9 * k + c) * lanes + element];
            }
            factor[i] = yield(here, change, share, relaxed, tau[i]);
            for (int c = 0; c < 6; ++c) added[(6 * place + c) * lanes + element] = relaxed[c];
        });
        block.sync();
        block.lanes(lanes, [&](int element) { count(batch, element, factor, tau, yields); });
        block.sync();
        block.lanes(places * lanes, [&](int i) {
            const int element = i % lanes, k = i / lanes;
            if (!(yields[element] > 0)) return;
            const Real* const weight = through.data() + k * places;
            for (int c = 0; c < 6; ++c) {
                Real sum = 0;
                for (int n = 0; n < places; ++n) sum += weight[n] * added[(6 * n + c) * lanes + element];
                of_batch[(9 * k + c) * lanes + element] += sum;
            }
        });
    }

private:
    static constexpr int numbers_of_place = 8;  // stress that is relaxed, its factor, and tau

    // Strain and work of an element, and whether it yields at all.
    constexpr void count(std::int32_t batch, int element, const Real* factor, const Real* tau,
                         Real* yields) const {
        double all_strain = 0.0, all_work = 0.0;
        yields[element] = 0;
        for (int n = 0; n < places; ++n) {
            const Real of_place = factor[n * lanes + element];
            if (!(of_place < 0)) continue;
            yields[element] = 1;
            const double part = -static_cast<double>(of_place);
            const auto stress = static_cast<double>(tau[n * lanes + element]);
            all_strain += part * stress;
            all_work += part * (1.0 - 0.5 * part) * (stress * stress);
        }
        if (!(yields[element] > 0)) return;
        const std::size_t at = static_cast<std::size_t>(batch) * lanes + element;
        strain[at] += all_strain / (2.0 * mu[at] * places);
        work[at] += all_work / (mu[at] * places);
    }
};

}  // namespace groundswell::quake
