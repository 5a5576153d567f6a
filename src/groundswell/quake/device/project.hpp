#pragma once

#include <cstdint>

#include "groundswell/quake/device/batch.hpp"

namespace groundswell::quake {

/// The part of predictors that writes sides, and what they have in common.
template <class Equation, class Real, int order>
struct ProjectOnDevice : DeviceBatch<Equation, Real, order> {
    using Base = DeviceBatch<Equation, Real, order>;
    using Base::basis, Base::face_basis, Base::lanes, Base::quantities, Base::width, Base::trace, Base::v;
    using typename Base::Rows, typename Base::Sizes;

protected:
    /// Contributions of sources to a batch, if there are any; number i of the n-th state of these.
    constexpr const Real* added_to(std::int32_t batch) const {
        return v.added_of[batch] < 0 ? nullptr : v.added.data() + v.added_of[batch] * v.added_values;
    }
    static constexpr Real with_added(Real value, const Real* added, int n, int i) {
        return added == nullptr ? value : value + added[n * Sizes::room * lanes + i];
    }
    /// Factors of one derivative after the other in the integrals over pieces of the step, as in predict_pieces: that of the state once
    /// next() is called first.
    struct PieceFactors {
        static constexpr int most_pieces = 2;  ///< but for the last
        Real length, factor = 1, above[most_pieces] = {1, 1}, below[most_pieces] = {1, 1};
        int derivative = 0;

        constexpr void next() {
            factor *= length / static_cast<Real>(++derivative);
            for (int s = 0; s < most_pieces; ++s) {
                above[s] *= static_cast<Real>(s + 1);
                below[s] *= static_cast<Real>(s);
            }
        }
        constexpr Real of(int piece) const { return (above[piece] - below[piece]) * factor; }
    };
    constexpr PieceFactors piece_factors() const { return {v.step / static_cast<Real>(v.rate)}; }
    /// Writes what the integral whole(i) is on all faces. `free`: room for one state at a face, and one trace of each element.
    template <class Block, class Whole>
    constexpr void write_sides(const Block& block, std::int32_t batch, Real* free, const Whole& whole) const {
        Real* const traces = free + Sizes::sides * lanes;
        for (int face = 0; face < 4; ++face) {
            project(block, batch, face, whole, free, traces);
            write(block, batch, face, traces);
        }
    }
    /// And for elements that want them the pieces, of which the last is what remains of the whole: piece(s) is the integral of one of
    /// the others, as `whole`. `free`: room for one trace more.
    template <class Block, class Whole, class Piece>
    constexpr void write_pieces(const Block& block, std::int32_t batch, Real* free, const Whole& whole,
                                const Piece& piece) const {
        Real *const rest = free + Sizes::sides * lanes, *const part = rest + (trace + 1) * lanes;
        for (int face = 0; face < 4; ++face) {
            project(block, batch, face, whole, free, rest);
            write(block, batch, face, rest);
            const std::int32_t* const to = v.pieces.data() + Base::own_side(batch, face, 0);
            bool any = false;
            for (int element = 0; element < lanes; ++element) any |= to[element] >= 0;
            if (!any) continue;
            for (int s = 0; s < v.rate; ++s) {
                const bool last = s + 1 == v.rate;
                if (!last) project(block, batch, face, piece(s), free, part);
                Base::for_each_of_trace(block, [&](int element, int i) {
                    const int at = element * (trace + 1) + i;
                    if (!last) rest[at] -= part[at];
                    if (to[element] >= 0) Base::side(to[element] + s)[i] = (last ? rest : part)[at];
                });
            }
        }
    }

private:
    /// Projects the state value(i) on a face: traces, [element][trace + 1].
    template <class Block, class Value>
    constexpr void project(const Block& block, std::int32_t batch, int face, const Value& value, Real* free,
                           Real* traces) const {
        Base::for_each_row(block, basis, [&](int row, int element) {
            Real q[quantities], side[width];
            for (int i = 0; i < quantities; ++i) q[i] = value((row * quantities + i) * lanes + element);
            Equation::side(q, Base::face_of(batch, face, element).normal, side);
            for (int i = 0; i < width; ++i) free[(row * width + i) * lanes + element] = side[i];
        });
        block.sync();
        Base::for_each_row(block, face_basis, [&](int row, int element) {
            Real sum[width] = {};
            add_row<width, lanes>(v.rows, Rows::trace(face) + row, free + element, sum);
            for (int i = 0; i < width; ++i) traces[element * (trace + 1) + row * width + i] = sum[i];
        });
        block.sync();
    }
    template <class Block>
    constexpr void write(const Block& block, std::int32_t batch, int face, const Real* traces) const {
        Base::for_each_of_trace(block, [&](int element, int i) {
            Base::side(Base::own_side(batch, face, element))[i] = traces[element * (trace + 1) + i];
        });
    }
};

}  // namespace groundswell::quake
