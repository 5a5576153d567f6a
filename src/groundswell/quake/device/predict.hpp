#pragma once

#include <array>
#include <cstdint>

#include "groundswell/quake/device/batch.hpp"

namespace groundswell::quake {

/// As predict and predict_pieces.
template <class Equation, class Real, int order>
struct PredictOnDevice : DeviceBatch<Equation, Real, order> {
    using Base = DeviceBatch<Equation, Real, order>;
    using Base::basis, Base::face_basis, Base::lanes, Base::quantities, Base::width, Base::trace, Base::v;
    using typename Base::Rows, typename Base::Sizes;
    static constexpr int through_face = Equation::through_face;

    static constexpr std::size_t scratch_bytes(int rate) {
        return static_cast<std::size_t>(rate > 1 ? Sizes::predictor_of_pieces : Sizes::predictor) * lanes *
               sizeof(Real);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t batch = v.first + block.index();
        Real* const state = Base::state_of(batch);
        Real* const derivatives = block.template scratch<Real>(scratch_bytes(v.rate) / sizeof(Real));
        block.lanes(Sizes::state * lanes, [&](int i) { derivatives[i] = state[i]; });
        block.sync();
        derive<order>(block, batch, derivatives);
        Factors of_state{1}, of_integral{v.step};
        for (int k = 1; k < order; ++k) {
            of_state[k] = of_integral[k - 1];
            of_integral[k] = of_state[k] * v.step / static_cast<Real>(k + 1);
        }
        const Real* const added = added_to(batch);
        block.lanes(Sizes::state * lanes, [&](int i) {
            state[i] = with_added(expand(derivatives, i, of_state), added, 0, i);
            // Which is all that is wanted of the derivatives, so that it may take the place of the first.
            if (v.rate == 1) derivatives[i] = with_added(expand(derivatives, i, of_integral), added, 1, i);
        });
        block.sync();
        const auto projected = [&](int face, const auto& value, Real* free, Real* traces) {
            project(block, batch, face, value, free, traces);
        };
        for (int face = 0; face < 4; ++face) {
            if (v.rate == 1) {
                Real *const free = derivatives + Sizes::state * lanes, *const traces =
                                                                           free + Sizes::sides * lanes;
                projected(
                    face, [&](int i) { return derivatives[i]; }, free, traces);
                write(block, batch, face, traces);
            } else {
                write_pieces(block, batch, face, derivatives, of_integral, projected);
            }
        }
    }

private:
    using Factors = std::array<Real, order>;

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
    /// What sources add to a batch, if there are any; number i of the n-th state of that.
    constexpr const Real* added_to(std::int32_t batch) const {
        return v.added_of[batch] < 0 ? nullptr : v.added.data() + v.added_of[batch] * v.added_values;
    }
    static constexpr Real with_added(Real value, const Real* added, int n, int i) {
        return added == nullptr ? value : value + added[n * Sizes::state * lanes + i];
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
    /// Factors of the integral over a piece of the step.
    constexpr Factors of_piece(int piece) const {
        const Real length = v.step / static_cast<Real>(v.rate);
        Factors factors{};
        Real factor = 1, above = 1, below = 1;
        for (int k = 0; k < order; ++k) {
            factor *= length / static_cast<Real>(k + 1);
            above *= static_cast<Real>(piece + 1);
            below *= static_cast<Real>(piece);
            factors[k] = (above - below) * factor;
        }
        return factors;
    }

    /// What the state value(i) is at a face, [element][trace + 1].
    template <class Block, class Value>
    constexpr void project(const Block& block, std::int32_t batch, int face, const Value& value, Real* free,
                           Real* traces) const {
        Base::for_each_row(block, basis, [&](int row, int element) {
            Real q[quantities], side[through_face];
            for (int i = 0; i < quantities; ++i) q[i] = value((row * quantities + i) * lanes + element);
            Equation::side(q, Base::face_of(batch, face, element).normal, side);
            for (int i = 0; i < through_face; ++i) free[(row * through_face + i) * lanes + element] = side[i];
        });
        block.sync();
        Base::for_each_row(block, face_basis, [&](int row, int element) {
            Real sum[through_face] = {}, sent[width];
            add_row<through_face, lanes>(v.rows, Rows::trace(face) + row, free + element, sum);
            Equation::send(sum, Base::face_of(batch, face, element).normal, sent);
            for (int i = 0; i < width; ++i) traces[element * (trace + 1) + row * width + i] = sent[i];
        });
        block.sync();
    }
    template <class Block>
    constexpr void write(const Block& block, std::int32_t batch, int face, const Real* traces) const {
        Base::for_each_of_trace(block, [&](int element, int i) {
            Base::side(Base::own_side(batch, face, element))[i] = traces[element * (trace + 1) + i];
        });
    }
    /// The whole and, for elements that want them, the pieces: the last of these is what remains of the whole.
    template <class Block, class Project>
    constexpr void write_pieces(const Block& block, std::int32_t batch, int face, const Real* derivatives,
                                const Factors& of_integral, const Project& projected) const {
        Real* const free = const_cast<Real*>(derivatives) + Sizes::derivatives * lanes;
        Real *const rest = free + Sizes::sides * lanes, *const piece = rest + (trace + 1) * lanes;
        const Real* const added = added_to(batch);
        projected(
            face, [&](int i) { return with_added(expand(derivatives, i, of_integral), added, 1, i); }, free,
            rest);
        write(block, batch, face, rest);
        const std::int32_t* const to = v.pieces.data() + Base::own_side(batch, face, 0);
        bool any = false;
        for (int element = 0; element < lanes; ++element) any |= to[element] >= 0;
        if (!any) return;
        for (int s = 0; s < v.rate; ++s) {
            const bool last = s + 1 == v.rate;
            if (!last) {
                const Factors factors = of_piece(s);
                projected(
                    face, [&](int i) { return with_added(expand(derivatives, i, factors), added, 2 + s, i); },
                    free, piece);
            }
            Base::for_each_of_trace(block, [&](int element, int i) {
                const int at = element * (trace + 1) + i;
                if (!last) rest[at] -= piece[at];
                if (to[element] >= 0) Base::side(to[element] + s)[i] = (last ? rest : piece)[at];
            });
        }
    }
};

}  // namespace groundswell::quake
