#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// Sparse matrices whose entries are known while the program is compiled.
namespace groundswell::quake {

/// By rows, columns ascending.
template <int rows_, int columns_, int entries_>
struct SparseMatrix {
    static constexpr int rows = rows_, columns = columns_, entries = entries_;
    std::array<std::int32_t, rows_ + 1> begin;
    std::array<std::int32_t, entries_> column;
    std::array<double, entries_> value;
};

/// Entry as a kernel reads it: how many bytes behind the numbers of column 0 those of its column lie, and its value in the
/// precision in which the kernel multiplies.
template <class Real>
struct SparseEntry {
    std::int32_t offset;
    Real value;
};

/// The entries of `matrix` where a column's numbers take so many bytes.
template <class Real, const auto& matrix, int bytes>
inline constexpr auto entries_of = [] {
    std::array<SparseEntry<Real>, matrix.column.size()> entries{};
    for (std::size_t i = 0; i < entries.size(); ++i)
        entries[i] = {matrix.column[i] * bytes, static_cast<Real>(matrix.value[i])};
    return entries;
}();

/// Whether every entry of a row stands in a later column.
template <const auto& matrix>
inline constexpr bool is_above_diagonal = [] {
    for (int row = 0; row < matrix.rows; ++row) {
        if (matrix.begin[row] < matrix.begin[row + 1] && matrix.column[matrix.begin[row]] <= row)
            return false;
    }
    return true;
}();

/// sum[q] += Σ matrix(row, c) x[c * stride + q] for q = 0…width-1. `Value` is a number or a pack of numbers of
/// type Real.
template <class Real, const auto& matrix, int width, int stride, class Value>
inline __attribute__((always_inline)) void add_row_product(int row, const Value* x, Value* sum) {
    constexpr const auto& entries = entries_of<Real, matrix, stride* static_cast<int>(sizeof(Value))>;
    const auto* const first = reinterpret_cast<const std::byte*>(x);
    for (std::int32_t i = matrix.begin[row]; i < matrix.begin[row + 1]; ++i) {
        const Real factor = entries[i].value;
        const Value* from = reinterpret_cast<const Value*>(first + entries[i].offset);
#pragma GCC unroll 16
        for (int q = 0; q < width; ++q) sum[q] += factor * from[q];
    }
}

}  // namespace groundswell::quake
