#pragma once

#include <array>
#include <cstdint>

#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/basis/sparse.hpp"
#include "groundswell/quake/basis/tables.hpp"

/// The matrices of the reference element as a device has them: the rows of all that an order needs, one after the other. Code
/// for devices cannot read tables that the compiler knows by an index that it does not know.
namespace groundswell::quake {

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

}  // namespace groundswell::quake
