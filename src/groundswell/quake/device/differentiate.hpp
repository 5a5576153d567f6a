#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "groundswell/quake/device/predictor.hpp"

namespace groundswell::quake {

/// One launch of a kernel that looks at waves before they are predicted; `Looks` says who does.
template <class Real, class Looks>
struct LookView {
    ElementsView<Real> elements;
    Looks looks;

    constexpr void arrays(const auto& visit) const {
        elements.arrays(visit);
        looks.arrays(visit);
    }
};

/// As Elements::differentiate_batch, for kernels that look at waves: water has the quantities of rock.
template <class Equation, class Real, int order>
struct DifferentiateOnDevice : Predictor<Equation, Real, order> {
    using Base = Predictor<Equation, Real, order>;
    using Base::basis, Base::lanes, Base::quantities, Base::v;
    using typename Base::Sizes;

    static constexpr std::size_t scratch_bytes(int mechanisms) {
        int numbers = Sizes::derivatives;
        if constexpr (Equation::remembers)
            numbers = 2 * Sizes::state + basis * mechanisms * Equation::strains;
        return static_cast<std::size_t>(numbers) * lanes * sizeof(Real);
    }

protected:
    /// Calls visit(k, derivative) for the k-th of a batch, [function][quantity][element] of basis_size(order - k) functions, from
    /// the state on. All lanes call it at once, and it may write nothing that they share.
    template <class Block, class Visit>
    constexpr void for_each_derivative(Block& block, std::int32_t batch, const Visit& visit) const {
        Real* from = block.template scratch<Real>(scratch_bytes(v.mechanisms) / sizeof(Real));
        const Real* const state = Base::state_of(batch);
        const bool is_water = v.is_water[batch] != 0;
        block.lanes(Sizes::state * lanes, [&](int i) { from[i] = is_water ? of_water(state, i) : state[i]; });
        if constexpr (Equation::remembers) {
            Real *to = from + Sizes::state * lanes, *const theta = to + Sizes::state * lanes;
            const Real* const memory = Base::memory_of(batch);
            block.lanes(basis * v.mechanisms * Equation::strains * lanes,
                        [&](int i) { theta[i] = memory[i]; });
            block.sync();
            Base::for_each_row(block, basis, [&](int row, int element) {
                Base::start_relaxing(batch, row, element, from, theta);
            });
            block.sync();
            for (int k = 0; k < order; ++k) {
                visit(k, from);
                Base::for_each_row(block, basis, [&](int row, int element) {
                    Real rate[quantities] = {};
                    Base::differentiate(k, batch, row, element, from, theta, rate);
                    for (int q = 0; q < quantities; ++q)
                        to[(row * quantities + q) * lanes + element] = rate[q];
                });
                block.sync();
                std::swap(from, to);
            }
        } else {
            block.sync();
            Base::template derive<order>(block, batch, from);
            for (int k = 0; k < order; ++k) {
                visit(k, from);
                from += basis_size(order - k) * quantities * lanes;
            }
        }
    }

private:
    /// Number i of a state of rock, of water.
    static constexpr Real of_water(const Real* state, int i) {
        const int row = i / lanes / quantities, q = i / lanes % quantities, element = i % lanes;
        if (q >= Elastic::xy && q < Elastic::vx) return 0;
        const int unknown = q < Elastic::xy ? 0 : Acoustic::vx + q - Elastic::vx;
        return state[(row * Acoustic::quantities + unknown) * lanes + element];
    }
};

}  // namespace groundswell::quake
