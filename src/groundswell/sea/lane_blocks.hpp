#pragma once

#include "groundswell/sea/lanes.hpp"

/// Registers that together cover rows of directions, without a scalar tail.
namespace groundswell::sea::lanes {

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
