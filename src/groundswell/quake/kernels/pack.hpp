#pragma once

#include <cstddef>
#include <utility>

/// A pack holds the same number of as many elements as the processor computes on at once.
namespace groundswell::quake {

/// Bytes in a register. clang's __BIGGEST_ALIGNMENT__ is that of the baseline processor whatever -march says.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = __BIGGEST_ALIGNMENT__;
#endif

template <class Real>
inline constexpr int native_lanes = register_bytes / static_cast<int>(sizeof(Real));

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

/// Of two rows that lie `block` apart in a square, what takes the place of the first one, or of the second, when blocks
/// of so many numbers change places.
template <int lanes, int block, bool second, class Row, std::size_t... lane>
inline __attribute__((always_inline)) Row exchange(const Row& a, const Row& b, std::index_sequence<lane...>) {
    constexpr auto take = [](int at) {
        const bool low = (at & block) == 0;
        if (second) return low ? at + block : at + lanes;
        return low ? at : at - block + lanes;
    };
#if __has_builtin(__builtin_shufflevector)
    return __builtin_shufflevector(a, b, take(static_cast<int>(lane))...);
#else  // GCC 11, the compiler of Ubuntu 22.04
    return __builtin_shuffle(a, b, decltype(a < b){take(static_cast<int>(lane))...});
#endif
}

/// Rows and columns of a square of `lanes` × `lanes` numbers change places.
template <class Real, int lanes, int block = 1>
inline __attribute__((always_inline)) void transpose(Pack<Real, lanes> (&row)[lanes]) {
    if constexpr (block < lanes) {
#pragma GCC unroll 16
        for (int i = 0; i < lanes; ++i) {
            if ((i & block) != 0) continue;
            const auto each = std::make_index_sequence<lanes>{};
            const Pack<Real, lanes> a = row[i], b = row[i + block];
            row[i] = exchange<lanes, block, false>(a, b, each);
            row[i + block] = exchange<lanes, block, true>(a, b, each);
        }
        transpose<Real, lanes, 2 * block>(row);
    }
}

/// Packs of values, [value], from numbers that each lane has one after the other; `values` is a multiple of `lanes`, and all
/// are aligned as packs are.
template <class Real, int lanes>
inline __attribute__((always_inline)) void gather(const Real* const (&from)[lanes], int values,
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
                                                   Real* const (&to)[lanes]) {
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
