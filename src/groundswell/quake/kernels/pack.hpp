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

}  // namespace groundswell::quake
