#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/device/rows.hpp"
#include "groundswell/quake/device/view.hpp"

/// The steps of kernels/step.hpp on a device, one block for a batch, with the same sums in the same order. A lane computes one row
/// of what a matrix makes, for one element; between rows stands the block's scratch, [value][element].
namespace groundswell::quake {

/// Sizes of an order, and elements in a batch: a power of 2, so that two blocks have room in the scratch of a multiprocessor.
template <class Equation, class Real, int order>
struct DeviceSizes {
    static constexpr int basis = basis_size(order), face_basis = face_basis_size(order);
    static constexpr int quantities = Equation::quantities, width = Equation::face_quantities;
    static constexpr int state = basis * quantities, trace = face_basis * width;
    /// Numbers of all derivatives, and of what a face needs of a state.
    static constexpr int derivatives = basis * (order + 3) / 4 * quantities;
    static constexpr int sides = basis * Equation::through_face;
    static constexpr int entering = face_basis * Equation::waves;

    /// Scratch of a predictor for each element, without pieces and with them; of a corrector. Traces stand one number apart,
    /// so that lanes that write them do not wait for each other.
    static constexpr int predictor = std::max(derivatives, state + sides + trace + 1);
    static constexpr int predictor_of_pieces = derivatives + sides + 2 * (trace + 1);
    static constexpr int corrector = 4 * entering + 2 * (trace + 1);

    static constexpr int lanes = [] {
        constexpr int room = 110 << 10;
        int n = 32;
        while (n > 1 && n * predictor * static_cast<int>(sizeof(Real)) > room) n /= 2;
        return n;
    }();
};

/// A structure of the equation, of one lane of a batch: its numbers lie `lanes` apart.
template <class Values, int lanes, class Real>
constexpr Values take_lane(const Real* from) {
    std::array<Real, sizeof(Values) / sizeof(Real)> numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = from[i * lanes];
    return std::bit_cast<Values>(numbers);
}

/// sum[q] += Σ matrix(row, c) x[c][q] for a row of the tables.
template <int width, int lanes, class Real>
constexpr void add_row(const RowTables<Real>& rows, int row, const Real* x, Real* sum) {
    const SparseEntry<Real>* entry = rows.entries.data() + rows.begin[row];
    const SparseEntry<Real>* const end = rows.entries.data() + rows.begin[row + 1];
    for (; entry != end; ++entry) {
        const Real factor = entry->value;
        const Real* const from = x + entry->offset;
        for (int q = 0; q < width; ++q) sum[q] += factor * from[q * lanes];
    }
}

/// A batch on a device, of which all kernels have these.
template <class Equation, class Real, int order>
struct DeviceBatch {
    static constexpr int most_lanes = 256, blocks_at_once = 2;  // see exec/device/cuda/block.cuh
    using Sizes = DeviceSizes<Equation, Real, order>;
    using Rows = RowPlaces<order>;
    using Material = typename Equation::template Material<Real>;
    using Face = typename Equation::template Face<Real>;
    static constexpr int lanes = Sizes::lanes, basis = Sizes::basis, face_basis = Sizes::face_basis;
    static constexpr int quantities = Sizes::quantities, width = Sizes::width, trace = Sizes::trace;

    ElementsView<Real> v;

    constexpr void arrays(const auto& visit) const { v.arrays(visit); }

protected:
    /// Calls body(row, element) for as many rows of each element.
    template <class Block, class Body>
    static constexpr void for_each_row(const Block& block, int rows, const Body& body) {
        block.lanes(rows * lanes, [&](int i) { body(i / lanes, i % lanes); });
    }
    /// Calls body(element, value) for the values of a trace, in the order in which memory has them.
    template <class Block, class Body>
    static constexpr void for_each_of_trace(const Block& block, const Body& body) {
        block.lanes(trace * lanes, [&](int i) { body(i / trace, i % trace); });
    }
    constexpr Real* state_of(std::int32_t batch) const {
        return v.state.data() + static_cast<std::size_t>(batch) * Sizes::state * lanes;
    }
    constexpr Material material_of(std::int32_t batch, int element) const {
        return take_lane<Material, lanes>(v.material.data() +
                                          batch * sizeof(Material) / sizeof(Real) * lanes + element);
    }
    constexpr Face face_of(std::int32_t batch, int face, int element) const {
        return take_lane<Face, lanes>(v.faces.data() +
                                      (4 * batch + face) * sizeof(Face) / sizeof(Real) * lanes + element);
    }
    constexpr Real* side(std::int32_t index) const {
        return v.sides.data() + static_cast<std::size_t>(index) * trace;
    }
    static constexpr std::int32_t own_side(std::int32_t batch, int face, int element) {
        return (4 * batch + face) * lanes + element;
    }
};

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
        block.lanes(Sizes::state * lanes, [&](int i) {
            state[i] = expand(derivatives, i, of_state);
            // Which is all that is wanted of the derivatives, so that it may take the place of the first.
            if (v.rate == 1) derivatives[i] = expand(derivatives, i, of_integral);
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
        projected(
            face, [&](int i) { return expand(derivatives, i, of_integral); }, free, rest);
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
                    face, [&](int i) { return expand(derivatives, i, factors); }, free, piece);
            }
            Base::for_each_of_trace(block, [&](int element, int i) {
                const int at = element * (trace + 1) + i;
                if (!last) rest[at] -= piece[at];
                if (to[element] >= 0) Base::side(to[element] + s)[i] = (last ? rest : piece)[at];
            });
        }
    }
};

/// As correct.
template <class Equation, class Real, int order>
struct CorrectOnDevice : DeviceBatch<Equation, Real, order> {
    using Base = DeviceBatch<Equation, Real, order>;
    using Base::basis, Base::face_basis, Base::lanes, Base::quantities, Base::width, Base::trace, Base::v;
    using typename Base::Rows, typename Base::Sizes, typename Base::Face;
    static constexpr int waves = Equation::waves;

    static constexpr std::size_t scratch_bytes() {
        return static_cast<std::size_t>(Sizes::corrector) * lanes * sizeof(Real);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t batch = v.first + block.index();
        Real* const entering =
            block.template scratch<Real>(static_cast<std::size_t>(Sizes::corrector) * lanes);
        Real* const here = entering + 4 * Sizes::entering * lanes;
        Real* const beyond = here + (trace + 1) * lanes;
        for (int face = 0; face < 4; ++face) {
            Base::for_each_of_trace(block, [&](int element, int i) {
                const std::int32_t own = Base::own_side(batch, face, element), across = v.beyond[own];
                const int at = element * (trace + 1) + i;
                here[at] = Base::side(own)[i];
                beyond[at] = Base::side(across >= 0 ? across : v.piece - across - 1)[i];
            });
            block.sync();
            Base::for_each_row(block, face_basis, [&](int row, int element) {
                const int at = element * (trace + 1) + row * width;
                Real change[waves];
                Equation::entering(Base::face_of(batch, face, element), here + at, beyond + at, change);
                for (int i = 0; i < waves; ++i)
                    entering[((face * face_basis + row) * waves + i) * lanes + element] = change[i];
            });
            block.sync();
        }
        Real* const state = Base::state_of(batch);
        Base::for_each_row(block, basis, [&](int row, int element) {
            Real q[quantities];
            for (int i = 0; i < quantities; ++i) q[i] = state[(row * quantities + i) * lanes + element];
            const auto material = Base::material_of(batch, element);
            for (int face = 0; face < 4; ++face) {
                Real change[waves] = {};
                add_row<waves, lanes>(v.rows, Rows::lift(face) + row,
                                      entering + face * Sizes::entering * lanes + element, change);
                Equation::add_flux(material, Base::face_of(batch, face, element), change, q);
            }
            for (int i = 0; i < quantities; ++i) state[(row * quantities + i) * lanes + element] = q[i];
        });
    }
};

}  // namespace groundswell::quake
