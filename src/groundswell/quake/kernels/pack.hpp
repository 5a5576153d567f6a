#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "groundswell/exec/registers.hpp"

/// A pack holds the same number of as many elements as the processor computes on at once. For files alone that are compiled for
/// each instruction set, since what a register holds is not the same in them.
namespace groundswell::quake {

template <class Real>
inline constexpr int native_lanes = exec::compiled_register_bytes / static_cast<int>(sizeof(Real));

template <class Real, int lanes>
struct PackOf {
    using type [[gnu::vector_size(sizeof(Real) * lanes)]] = Real;
};
template <class Real>
struct PackOf<Real, 1> {
    using type = Real;
};
template <class Real, int lanes>
using Pack = typename PackOf<Real, lanes>::type;

/// Interleaves halves of two rows in units of so many numbers: the first halves, or the second ones, of all groups of `group`
/// numbers, unit by unit from one row and the other.
template <int lanes, int group, int unit, bool second, class Row, std::size_t... lane>
inline __attribute__((always_inline)) Row interleave(const Row& a, const Row& b,
                                                     std::index_sequence<lane...>) {
    constexpr auto take = [](int at) {
        const int inside = at % group, units = inside / unit;
        const int from = at - inside + (units / 2) * unit + inside % unit + (second ? group / 2 : 0);
        return units % 2 == 0 ? from : from + lanes;
    };
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, take(static_cast<int>(lane))...);
#else  // GCC 11, the compiler of Ubuntu 22.04
    return __builtin_shuffle(a, b, decltype(a < b){take(static_cast<int>(lane))...});
#endif
}

/// Rows and columns of a square of `lanes` × `lanes` numbers change places. Squares of 16 bytes come first, whose steps are
/// single instructions of every processor; they leave the middle two of four columns in each other's place.
template <class Real, int lanes, int unit = 1>
inline __attribute__((always_inline)) void transpose(Pack<Real, lanes> (&row)[lanes]) {
    if constexpr (unit < lanes) {
        constexpr int quarter = std::min(lanes, 16 / static_cast<int>(sizeof(Real)));
        constexpr int group = unit < quarter ? quarter : 2 * unit;
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) {
            if ((i & unit) != 0) continue;
            const auto each = std::make_index_sequence<lanes>{};
            const Pack<Real, lanes> a = row[i], b = row[i + unit];
            row[i] = interleave<lanes, group, unit, false>(a, b, each);
            row[i + unit] = interleave<lanes, group, unit, true>(a, b, each);
        }
        if constexpr (quarter == 4 && unit == 2) {
#pragma GCC unroll 4
            for (int i = 0; i < lanes; i += 4) std::swap(row[i + 1], row[i + 2]);
        }
        transpose<Real, lanes, 2 * unit>(row);
    }
}

/// Packs of values, [value], from numbers that each lane has one after the other, from[lane] on; `values` is a multiple of `lanes`, and all
/// are aligned as packs are.
template <class Real, int lanes>
inline __attribute__((always_inline)) void gather(const Real* const* from, int values,
                                                  Pack<Real, lanes>* to) {
    for (int chunk = 0; chunk < values; chunk += lanes) {
        Pack<Real, lanes> block[lanes];
#pragma GCC unroll 16
        for (int lane = 0; lane < lanes; ++lane)
            block[lane] = *reinterpret_cast<const Pack<Real, lanes>*>(from[lane] + chunk);
        transpose<Real, lanes>(block);
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) to[chunk + i] = block[i];
    }
}

/// The other way; lanes whose `to` is null are left out.
template <class Real, int lanes>
inline __attribute__((always_inline)) void scatter(const Pack<Real, lanes>* from, int values,
                                                   Real* const* to) {
    for (int chunk = 0; chunk < values; chunk += lanes) {
        Pack<Real, lanes> block[lanes];
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) block[i] = from[chunk + i];
        transpose<Real, lanes>(block);
#pragma GCC unroll 16
        for (int lane = 0; lane < lanes; ++lane) {
            if (to[lane] != nullptr) *reinterpret_cast<Pack<Real, lanes>*>(to[lane] + chunk) = block[lane];
        }
    }
}

}  // namespace groundswell::quake
