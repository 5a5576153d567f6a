#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "groundswell/exec/registers.hpp"
#include "groundswell/sea/real.hpp"

/// SIMD registers of bins, and how they cover rows of directions without a scalar tail. What is done to a bin does not depend
/// on which register it lies in, nor on how wide that is.
namespace groundswell::sea::lanes {

/// Values of the widest register that the file is compiled for.
inline constexpr int width = exec::compiled_register_bytes / static_cast<int>(sizeof(Real));

/// Rows of tables and of working memory are whole registers of any processor: the tables do not know who reads them.
inline constexpr int table_width = 64 / sizeof(Real);

/// `length` rounded up to a multiple of table_width.
inline constexpr int padded(int length) {
    return (length + table_width - 1) / table_width * table_width;
}

template <int values>
struct Register {
    using Lane [[gnu::vector_size(values * sizeof(Real))]] = Real;
};
using Lane = Register<width>::Lane;

template <class Vector = Lane>
constexpr Vector load(const Real* values) {
    if constexpr (std::is_arithmetic_v<Vector>) {
        return *values;
    } else if constexpr (std::is_class_v<Vector>) {  // Four
        return *reinterpret_cast<const Vector*>(values);
    } else {
        Vector lane;
        std::memcpy(&lane, values, sizeof lane);
        return lane;
    }
}
template <class Vector>
constexpr void store(Real* values, Vector lane) {
    if constexpr (std::is_arithmetic_v<Vector>)
        *values = lane;
    else if constexpr (std::is_class_v<Vector>)
        *reinterpret_cast<Vector*>(values) = lane;
    else
        std::memcpy(values, &lane, sizeof lane);
}
template <class Vector = Lane>
constexpr Vector broadcast(Real value) {
    return value - Vector{};
}
using exec::multiply_add;
using exec::multiply_subtract;
template <class Vector>
requires(!std::is_arithmetic_v<Vector>) constexpr Vector multiply_add(Real a, Vector b, Vector c) {
    return multiply_add(broadcast<Vector>(a), b, c);
}
template <class Vector>
requires(!std::is_arithmetic_v<Vector>) constexpr Vector multiply_subtract(Real a, Vector b, Vector c) {
    return multiply_subtract(broadcast<Vector>(a), b, c);
}
template <class Vector>
inline Vector minimum(Vector a, Vector b) {
    return exec::smaller(a, b);
}
template <class Vector>
inline Vector maximum(Vector a, Vector b) {
    return exec::larger(a, b);
}
template <class Number>
requires std::is_arithmetic_v<Number>
constexpr Number minimum(Number a, Number b) {
    return a < b ? a : b;
}
template <class Number>
requires std::is_arithmetic_v<Number>
constexpr Number maximum(Number a, Number b) {
    return a > b ? a : b;
}
/// 0, 1, 2, …
template <class Vector>
inline Vector places() {
    Vector place;
    for (int i = 0; i < static_cast<int>(sizeof(Vector) / sizeof(Real)); ++i) place[i] = static_cast<Real>(i);
    return place;
}
/// The values that stand at places below `length` of a row, where the register begins at place `j`; 0 for the rest.
template <class Vector>
inline Vector within(int j, int length, Vector x) {
    return places<Vector>() < static_cast<Real>(length - j) ? x : Vector{};
}
/// Does any of the conditions hold?
constexpr bool any(bool condition) {
    return condition;
}
template <class Condition>
inline bool any(Condition condition) {
    long long words[sizeof condition / sizeof(long long)], all = 0;
    std::memcpy(words, &condition, sizeof condition);
    for (const long long word : words) all |= word;
    return all != 0;
}
template <class Vector>
constexpr Vector positive_part(Vector x) {
    return maximum(x, Vector{});
}
/// min(x, 0)
template <class Vector>
constexpr Vector negative_part(Vector x) {
    return minimum(x, Vector{});
}
/// |x|, by its bits.
template <class Vector>
constexpr Vector absolute(Vector x) {
    if constexpr (std::is_arithmetic_v<Vector>)
        return std::abs(x);
    else {
        using Bits = decltype(x < x);
        return reinterpret_cast<Vector>(reinterpret_cast<Bits>(x) &
                                        ~reinterpret_cast<Bits>(broadcast<Vector>(Real(-0.0))));
    }
}
/// √x of each.
template <class Vector>
constexpr Vector square_root(Vector x) {
    if constexpr (std::is_arithmetic_v<Vector>) {
        return std::sqrt(x);
    } else {
        for (int i = 0; i < static_cast<int>(sizeof(Vector) / sizeof(Real)); ++i) x[i] = std::sqrt(x[i]);
        return x;
    }
}
/// `size`, not negative, with the sign of `sign`.
template <class Vector>
constexpr Vector with_sign(Vector size, Vector sign) {
    if constexpr (std::is_arithmetic_v<Vector>)
        return std::copysign(size, sign);
    else {
        using Bits = decltype(size < size);
        const Bits bit = reinterpret_cast<Bits>(broadcast<Vector>(Real(-0.0)));
        return reinterpret_cast<Vector>(reinterpret_cast<Bits>(size) | (reinterpret_cast<Bits>(sign) & bit));
    }
}

/// Two registers side by side in one of twice the width, and one half of such a one.
template <class Vector>
inline auto beside(Vector low, Vector high) {
    constexpr int values = static_cast<int>(sizeof(Vector) / sizeof(Real));
    return [&]<int... i>(std::integer_sequence<int, i...>) {
#if __has_builtin(__builtin_shufflevector) && !defined(__CUDACC__)
        return __builtin_shufflevector(low, high, i...);
#else  // GCC 11, the compiler of Ubuntu 22.04, and nvcc
        return typename Register<2 * values>::Lane{(i < values ? low[i % values] : high[i % values])...};
#endif
    }
    (std::make_integer_sequence<int, 2 * values>{});
}
template <bool high, class Vector>
inline auto half_of(Vector x) {
    constexpr int values = static_cast<int>(sizeof(Vector) / sizeof(Real)) / 2;
    return [&]<int... i>(std::integer_sequence<int, i...>) {
#if __has_builtin(__builtin_shufflevector) && !defined(__CUDACC__)
        return __builtin_shufflevector(x, x, (i + (high ? values : 0))...);
#else
        return typename Register<values>::Lane{x[i + (high ? values : 0)]...};
#endif
    }
    (std::make_integer_sequence<int, values>{});
}

/// The largest value of a register.
template <class Vector>
inline Real largest(Vector x) {
    if constexpr (sizeof(Vector) == 2 * sizeof(Real))
        return x[0] > x[1] ? x[0] : x[1];
    else
        return largest(maximum(half_of<false>(x), half_of<true>(x)));
}

/// A sum over a row whose rounding does not depend on the width of registers: of every table_width-th value, then of these by
/// halves.
class RowSum {
public:
    /// Adds a register whose first value stands at place `j` of the row, a multiple of `width`.
    void add(int j, Lane values) { part_[j / width % parts] += values; }
    void add_product(int j, Lane a, Lane b) {
        Lane& part = part_[j / width % parts];
        part = multiply_add(a, b, part);
    }
    Real total() const {
        Lane whole[parts];
        std::memcpy(whole, part_, sizeof part_);
        for (int half = parts / 2; half > 0; half /= 2)
            for (int i = 0; i < half; ++i) whole[i] += whole[i + half];
        return sum(whole[0]);
    }

private:
    template <class Vector>
    static Real sum(Vector x) {
        constexpr int values = static_cast<int>(sizeof(Vector) / sizeof(Real));
        if constexpr (values == 2) {
            return x[0] + x[1];
        } else {
            return sum(half_of<false>(x) + half_of<true>(x));
        }
    }
    static constexpr int parts = table_width / width;
    Lane part_[parts] = {};
};

/// Calls body(Count<n>{}) with the number of registers that `values` places need, known to the compiler where it is one of the
/// usual ones, so that it can unroll loops over a row; else body(Count<0>{}).
template <int registers, int places = width>
struct Count {
    /// The number of registers of a row of so many values.
    static constexpr int of(int values) { return registers > 0 ? registers : values / places; }
};
template <class Body>
inline __attribute__((always_inline)) void with_count(int values, const Body& body) {
    switch (values / width) {
        case 2:
            return body(Count<2>{});
        case 3:
            return body(Count<3>{});
        case 5:
            return body(Count<5>{});
        default:
            return body(Count<0>{});
    }
}

}  // namespace groundswell::sea::lanes
