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
inline Vector load(const Real* values) {
    Vector lane;
    std::memcpy(&lane, values, sizeof lane);
    return lane;
}
template <class Vector>
inline void store(Real* values, Vector lane) {
    std::memcpy(values, &lane, sizeof lane);
}
template <class Vector = Lane>
inline Vector broadcast(Real value) {
    return value - Vector{};
}
using exec::multiply_add;
using exec::multiply_subtract;
template <class Vector>
requires(!std::is_arithmetic_v<Vector>) inline Vector multiply_add(Real a, Vector b, Vector c) {
    return multiply_add(broadcast<Vector>(a), b, c);
}
template <class Vector>
requires(!std::is_arithmetic_v<Vector>) inline Vector multiply_subtract(Real a, Vector b, Vector c) {
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
template <class Condition>
inline bool any(Condition condition) {
    long long words[sizeof condition / sizeof(long long)], all = 0;
    std::memcpy(words, &condition, sizeof condition);
    for (const long long word : words) all |= word;
    return all != 0;
}
template <class Vector>
inline Vector positive_part(Vector x) {
    return exec::larger(x, Vector{});
}
/// min(x, 0)
template <class Vector>
inline Vector negative_part(Vector x) {
    return exec::smaller(x, Vector{});
}
/// |x|, by its bits.
template <class Vector>
inline Vector absolute(Vector x) {
    using Bits = decltype(x < x);
    return reinterpret_cast<Vector>(reinterpret_cast<Bits>(x) &
                                    ~reinterpret_cast<Bits>(broadcast<Vector>(Real(-0.0))));
}
/// `size`, not negative, with the sign of `sign`.
template <class Vector>
inline Vector with_sign(Vector size, Vector sign) {
    using Bits = decltype(size < size);
    const Bits bit = reinterpret_cast<Bits>(broadcast<Vector>(Real(-0.0)));
    return reinterpret_cast<Vector>(reinterpret_cast<Bits>(size) | (reinterpret_cast<Bits>(sign) & bit));
}

/// Two registers side by side in one of twice the width, and one half of such a one.
template <class Vector>
inline auto beside(Vector low, Vector high) {
    constexpr int values = static_cast<int>(sizeof(Vector) / sizeof(Real));
    return [&]<int... i>(std::integer_sequence<int, i...>) {
#if __has_builtin(__builtin_shufflevector)
        return __builtin_shufflevector(low, high, i...);
#else  // GCC 11, the compiler of Ubuntu 22.04
        return typename Register<2 * values>::Lane{(i < values ? low[i % values] : high[i % values])...};
#endif
    }
    (std::make_integer_sequence<int, 2 * values>{});
}
template <bool high, class Vector>
inline auto half_of(Vector x) {
    constexpr int values = static_cast<int>(sizeof(Vector) / sizeof(Real)) / 2;
    return [&]<int... i>(std::integer_sequence<int, i...>) {
#if __has_builtin(__builtin_shufflevector)
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
template <int registers>
struct Count {
    /// The number of registers of a row of so many places.
    static int of(int values) { return registers > 0 ? registers : values / width; }
};
template <class Body>
void with_count(int values, const Body& body) {
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

/// Lanes that a body works on at once: `registers` registers that follow one another in one row.
template <class Vector, int registers>
struct Block {
    using Lane = Vector;
    static constexpr int count = registers, rows = 1;
    static constexpr int values = static_cast<int>(sizeof(Vector) / sizeof(Real));
    /// Where register `i` starts if the first starts at `first`: a direction, or an address.
    template <class Start>
    static constexpr Start start(Start first, int i) {
        return first + i * values;
    }
    /// The values at `at` in each of the block's rows, which lie `stride` apart.
    static Lane load(const Real* at, int /*stride*/) { return lanes::load<Lane>(at); }
    /// Values that are the same in all rows.
    static Lane same(const Real* at) { return lanes::load<Lane>(at); }
    /// One number for each row, one after the other.
    static Lane each(const Real* numbers) { return broadcast<Lane>(*numbers); }
};

/// One register made of the same `part` directions of as many rows as it has room for.
template <class Vector, int part>
struct Stack {
    using Lane = Vector;
    using Part = typename Register<part>::Lane;
    static constexpr int count = 1;
    static constexpr int values = static_cast<int>(sizeof(Vector) / sizeof(Real)), rows = values / part;
    template <class Start>
    static constexpr Start start(Start first, int) {
        return first;
    }
    static Lane load(const Real* at, int stride) {
        return gather([&](int row) { return lanes::load<Part>(at + row * stride); });
    }
    static Lane same(const Real* at) {
        const Part part_of_each = lanes::load<Part>(at);
        return gather([&](int) { return part_of_each; });
    }
    static Lane each(const Real* numbers) {
        return gather([&](int row) { return broadcast<Part>(numbers[row]); });
    }
    static void store_rows(Real* at, int stride, Lane lane) {
        if constexpr (rows == 2) {
            store(at, half_of<false>(lane));
            store(at + stride, half_of<true>(lane));
        } else {
            const auto low = half_of<false>(lane), high = half_of<true>(lane);
            store(at, half_of<false>(low));
            store(at + stride, half_of<true>(low));
            store(at + 2 * stride, half_of<false>(high));
            store(at + 3 * stride, half_of<true>(high));
        }
    }

private:
    static_assert(rows == 2 || rows == 4);
    template <class Of>
    static Lane gather(const Of& row) {
        if constexpr (rows == 2)
            return beside(row(0), row(1));
        else
            return beside(beside(row(0), row(1)), beside(row(2), row(3)));
    }
};

/// Rows of at least `values` directions, one register after the other. What is left at the end of a row is covered by a
/// register of `tail` values, which ends where the row does: where it overlaps the one before, both write the same bits. The
/// tails of several rows share a register where they fill it.
template <int values, int tail>
struct LongRows {
    int directions, whole;

    LongRows(int directions_, int /*frequencies*/) : directions(directions_), whole(directions_ / values) {}
    /// Values on each side of a row that a register of it may touch.
    static int beside() { return 0; }
    /// Calls body(block, first row, direction) for blocks that together cover the rows of frequencies first ≤ f < last, with at
    /// most `at_once` registers in each.
    template <int at_once, class Body>
    void cover(int first, int last, const Body& body) const {
        using Whole = typename Register<values>::Lane;
        for (int f = first; f < last; ++f) {
            int i = 0;
            for (; i + at_once <= whole; i += at_once) body(Block<Whole, at_once>{}, f, i * values);
            for (; i < whole; ++i) body(Block<Whole, 1>{}, f, i * values);
        }
        if (whole * values == directions) return;
        int f = first;
        if constexpr (tail < values) {
            using Tails = Stack<Whole, tail>;
            if (directions - whole * values == tail)
                for (; f + Tails::rows <= last; f += Tails::rows) body(Tails{}, f, directions - tail);
        }
        for (; f < last; ++f) body(Block<typename Register<tail>::Lane, 1>{}, f, directions - tail);
    }
    /// Writes those values of a register, started at direction `start`, that belong to the block's rows.
    template <class Of>
    static void store_rows(Of, Real* rows, int stride, int start, typename Of::Lane lane) {
        if constexpr (Of::rows > 1)
            Of::store_rows(rows + start, stride, lane);
        else
            store(rows + start, lane);
    }
};

/// Rows of more than half a register and at most a whole one: one register a row, whose other values are
/// those of the next rows, or, in a cell's last row, of the rows before. So a register never leaves the
/// cell's block, which has at least three rows. What comes out for the other values means nothing and is not
/// stored.
template <int values>
struct ShortRows {
    int directions, last_frequency;

    ShortRows(int directions_, int frequencies) : directions(directions_), last_frequency(frequencies - 1) {}
    int beside() const { return values - directions; }
    template <int at_once, class Body>
    void cover(int first, int last, const Body& body) const {
        for (int f = first; f < last; ++f)
            body(Block<typename Register<values>::Lane, 1>{}, f,
                 f == last_frequency ? directions - values : 0);
    }
    template <class Of>
    void store_rows(Of, Real* row, int /*stride*/, int start, typename Of::Lane lane) const {
        using Half = typename Register<values / 2>::Lane;
        Real all[values];
        store(all, lane);
        const int second = directions - values / 2;
        store(row, load<Half>(all - start));
        store(row + second, load<Half>(all - start + second));
    }
};

/// Calls body(rows) with the form of rows that suits their length, at least 4.
template <class Body>
auto with_rows(int directions, int frequencies, const Body& body) {
    constexpr int least = width < 4 ? width : 4;
    if (directions >= width) {
        const int rest = directions % width;
        if constexpr (width >= 4 * least)
            if (rest > 0 && rest <= least) return body(LongRows<width, least>(directions, frequencies));
        if constexpr (width >= 2 * least)
            if (rest > 0 && 2 * rest <= width)
                return body(LongRows<width, width / 2>(directions, frequencies));
        return body(LongRows<width, width>(directions, frequencies));
    }
    if constexpr (width > 8)
        if (directions > 8) return body(ShortRows<16>(directions, frequencies));
    if constexpr (width > 4)
        if (directions > 4) return body(ShortRows<8>(directions, frequencies));
    return body(ShortRows<4>(directions, frequencies));
}

}  // namespace groundswell::sea::lanes
