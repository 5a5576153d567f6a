#pragma once

#include <array>
#include <cstdint>

#include "groundswell/quake/device/project.hpp"

namespace groundswell::quake {

/// As predict and predict_pieces.
template <class Equation, class Real, int order>
struct PredictOnDevice : ProjectOnDevice<Equation, Real, order> {
    using Base = ProjectOnDevice<Equation, Real, order>;
    using Base::lanes, Base::quantities, Base::v;
    using typename Base::Rows, typename Base::Sizes;
    using Factors = std::array<Real, order>;

    static constexpr std::size_t scratch_bytes(int rate, int /*mechanisms*/) {
        return static_cast<std::size_t>(rate > 1 ? Sizes::predictor_of_pieces : Sizes::predictor) * lanes *
               sizeof(Real);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t batch = v.first + block.index();
        Real* const state = Base::state_of(batch);
        Real* const derivatives = block.template scratch<Real>(scratch_bytes(v.rate, 0) / sizeof(Real));
        block.lanes(Sizes::state * lanes, [&](int i) { derivatives[i] = state[i]; });
        block.sync();
        derive<order>(block, batch, derivatives);
        Factors of_state{1}, of_integral{v.step};
        for (int k = 1; k < order; ++k) {
            of_state[k] = of_integral[k - 1];
            of_integral[k] = of_state[k] * v.step / static_cast<Real>(k + 1);
        }
        const Real* const added = Base::added_to(batch);
        const auto whole = [&](int i) {
            return Base::with_added(expand(derivatives, i, of_integral), added, 1, i);
        };
        block.lanes(Sizes::state * lanes, [&](int i) {
            state[i] = Base::with_added(expand(derivatives, i, of_state), added, 0, i);
            // Without pieces it is all that is wanted of the derivatives, so that it may take the place of the first.
            if (v.rate == 1) derivatives[i] = whole(i);
        });
        block.sync();
        if (v.rate == 1) {
            Base::write_sides(block, batch, derivatives + Sizes::state * lanes,
                              [&](int i) { return derivatives[i]; });
        } else {
            Base::write_pieces(block, batch, derivatives + Sizes::derivatives * lanes, whole, [&](int s) {
                return [=, this, factors = factors_of_piece(s)](int i) {
                    return Base::with_added(expand(derivatives, i, factors), added, 2 + s, i);
                };
            });
        }
    }

protected:
    /// The derivatives of degree below `of - 1`, behind those above.
    template <int of, class Block>
    constexpr void derive(const Block& block, std::int32_t batch, Real* from) const {
        if constexpr (of > 1) {
            Real* const to = from + basis_size(of) * quantities * lanes;
            Base::for_each_row(block, basis_size(of - 1), [&](int row, int element) {
                Real along[3][quantities] = {}, rate[quantities];
                for (int axis = 0; axis < 3; ++axis)
                    add_row<quantities, lanes>(v.rows, Rows::derivative(of, axis) + row, from + element,
                                               along[axis]);
                Equation::rate(Base::material_of(batch, element), along, rate);
                for (int q = 0; q < quantities; ++q) to[(row * quantities + q) * lanes + element] = rate[q];
            });
            block.sync();
            derive<of - 1>(block, batch, to);
        }
    }

private:
    constexpr Factors factors_of_piece(int piece) const {
        auto factors = Base::piece_factors();
        Factors all{};
        for (int k = 0; k < order; ++k) {
            factors.next();
            all[k] = piece == 0 ? factors.of(0) : factors.of(1);
        }
        return all;
    }
    /// Σ factor[k] times number i of the k-th derivative.
    static constexpr Real expand(const Real* derivative, int i, const Factors& factor) {
        Real sum = factor[0] * derivative[i];
        for (int k = 1; k < order; ++k) {
            derivative += basis_size(order - k + 1) * quantities * lanes;
            if (i < basis_size(order - k) * quantities * lanes) sum += factor[k] * derivative[i];
        }
        return sum;
    }
};

}  // namespace groundswell::quake
