#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/quake/anisotropic.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/basis/sparse.hpp"
#include "groundswell/quake/basis/tables.hpp"
#include "groundswell/quake/device/view.hpp"
#include "groundswell/quake/elastic.hpp"
#include "groundswell/quake/kernels/relaxation.hpp"

/// The steps of kernels/step.hpp on a device, one block for a batch, with the same sums in the same order. A lane computes one row
/// of what a matrix makes, for one element; between rows stands the block's scratch, [value][element].
namespace groundswell::quake {

// Code for devices cannot read tables that the compiler knows by an index that it does not know: here are the matrices of the
// reference element as a device has them, the rows of all that an order needs, one after the other.

/// Rows of the derivatives of all orders above `order`, up to `highest`.
constexpr int derivative_rows_above(int order, int highest) {
    int rows = 0;
    for (int o = highest; o > order; --o) rows += 3 * basis_size(o - 1);
    return rows;
}

/// First row of tables::derivative<of, axis>, tables::trace<order, face> and tables::lift<order, face>, and behind the last.
template <int order>
struct RowPlaces {
    static constexpr int derivative(int of, int axis) {
        return derivative_rows_above(of, order) + axis * basis_size(of - 1);
    }
    static constexpr int trace(int face) {
        return derivative_rows_above(1, order) + face * face_basis_size(order);
    }
    static constexpr int lift(int face) { return trace(4) + face * basis_size(order); }
    static constexpr int end = lift(4);
};

/// Calls visit<matrix, width>() for each matrix of an order, in the order of their rows. `width`: numbers in a column of what the
/// matrix acts on.
template <class Equation, int order, int of = order, class Visit>
constexpr void for_each_matrix(const Visit& visit) {
    if constexpr (of > 1) {
        visit.template operator()<tables::derivative<of, 0>, Equation::quantities>();
        visit.template operator()<tables::derivative<of, 1>, Equation::quantities>();
        visit.template operator()<tables::derivative<of, 2>, Equation::quantities>();
        for_each_matrix<Equation, order, of - 1>(visit);
    } else {
        visit.template operator()<tables::trace<order, 0>, Equation::face_quantities>();
        visit.template operator()<tables::trace<order, 1>, Equation::face_quantities>();
        visit.template operator()<tables::trace<order, 2>, Equation::face_quantities>();
        visit.template operator()<tables::trace<order, 3>, Equation::face_quantities>();
        visit.template operator()<tables::lift<order, 0>, Equation::waves>();
        visit.template operator()<tables::lift<order, 1>, Equation::waves>();
        visit.template operator()<tables::lift<order, 2>, Equation::waves>();
        visit.template operator()<tables::lift<order, 3>, Equation::waves>();
    }
}

/// The rows and entries, where the numbers of neighbouring quantities lie `lanes` apart.
template <class Equation, class Real, int order, int lanes>
inline constexpr auto rows_of = [] {
    constexpr int entries = [] {
        int sum = 0;
        for_each_matrix<Equation, order>([&]<const auto & matrix, int>() { sum += matrix.entries; });
        return sum;
    }();
    struct Rows {
        std::array<std::int32_t, RowPlaces<order>::end + 1> begin{};
        std::array<SparseEntry<Real>, entries> entry{};
    } all;
    int row = 0, at = 0;
    for_each_matrix<Equation, order>([&]<const auto & matrix, int width>() {
        for (int r = 0; r < matrix.rows; ++r) {
            for (int i = matrix.begin[r]; i < matrix.begin[r + 1]; ++i)
                all.entry[at++] = {matrix.column[i] * width * lanes, static_cast<Real>(matrix.value[i])};
            all.begin[++row] = at;
        }
    });
    return all;
}();

/// Sizes of an order, and elements in a batch: a power of 2, so that two blocks have room in the scratch of a multiprocessor, or where
/// the stress remembers one block with all mechanisms and pieces.
template <class Equation, class Real, int order>
struct DeviceSizes {
    static constexpr int basis = basis_size(order), face_basis = face_basis_size(order);
    static constexpr int quantities = Equation::quantities, width = Equation::face_quantities;
    static constexpr int state = basis * quantities;
    /// Numbers from a state to the next, and from a side to the next: those of rock.
    static constexpr int room = basis * Elastic::quantities, side = face_basis * Elastic::face_quantities;
    static constexpr int trace = face_basis * width;
    /// Numbers of all derivatives, and of what a face needs of a state.
    static constexpr int derivatives = basis * (order + 3) / 4 * quantities;
    static constexpr int sides = basis * width;
    static constexpr int entering = face_basis * Equation::waves;

    /// Scratch of a predictor for each element, without pieces and with them; of a corrector. Traces stand one number apart,
    /// so that lanes that write them do not wait for each other.
    static constexpr int predictor = std::max(derivatives, state + sides + trace + 1);
    static constexpr int predictor_of_pieces = derivatives + sides + 2 * (trace + 1);
    static constexpr int corrector = 4 * entering + 2 * (trace + 1);

    /// Scratch of a predictor where the stress remembers: integral and pieces, derivatives, strain rates, and what Relaxation needs.
    static constexpr int predictor_with_memory(int rate, int mechanisms) {
        using Remembered = Relaxation<order>;
        const int remembered = Remembered::places + Remembered::count(mechanisms);
        return rate * state + std::max(2 * state + remembered, sides + 2 * (trace + 1));
    }

    static constexpr int lanes = [] {
        if constexpr (requires { Equation::lanes; }) return int{Equation::lanes};
        constexpr int room = Equation::remembers ? 160 << 10 : 110 << 10;
        int most = predictor;
        if constexpr (Equation::remembers) most = predictor_with_memory(3, Equation::most_mechanisms);
        int n = 32;
        while (n > 1 && n * most * static_cast<int>(sizeof(Real)) > room) n /= 2;
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
    /// Whether material and faces stand together, and apart from those of other rock.
    static constexpr bool is_anisotropic = std::is_same_v<Equation, Anisotropic>;

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
        return v.state.data() + static_cast<std::size_t>(batch) * Sizes::room * lanes;
    }
    constexpr Material material_of(std::int32_t batch, int element) const {
        return take_lane<Material, lanes>(material_values(batch) + element);
    }
    /// Those of the batch's mechanisms stand behind it.
    constexpr auto mechanism_of(std::int32_t batch, int which, int element) const {
        using OfMechanism = typename Equation::template Mechanism<Real>;
        constexpr std::size_t values = sizeof(OfMechanism) / sizeof(Real);
        return take_lane<OfMechanism, lanes>(material_values(batch) +
                                             sizeof(Material) / sizeof(Real) * lanes +
                                             which * values * lanes + element);
    }
    constexpr Real* memory_of(std::int32_t batch) const {
        return v.memory.data() +
               static_cast<std::size_t>(batch) * basis * v.mechanisms * Equation::strains * lanes;
    }
    constexpr Face face_of(std::int32_t batch, int face, int element) const {
        if constexpr (is_anisotropic)
            return take_lane<Face, lanes>(material_values(batch) +
                                          (sizeof(Material) + face * sizeof(Face)) / sizeof(Real) * lanes +
                                          element);
        else
            return take_lane<Face, lanes>(v.faces.data() +
                                          (4 * batch + face) * sizeof(Face) / sizeof(Real) * lanes + element);
    }
    constexpr const Real* material_values(std::int32_t batch) const {
        if constexpr (is_anisotropic) batch = v.anisotropic_of[batch];
        return v.material.data() + static_cast<std::size_t>(batch) * v.material_values;
    }
    constexpr Real* side(std::int32_t index) const {
        return v.sides.data() + static_cast<std::size_t>(index) * Sizes::side;
    }
    static constexpr std::int32_t own_side(std::int32_t batch, int face, int element) {
        return (4 * batch + face) * lanes + element;
    }
};

}  // namespace groundswell::quake
