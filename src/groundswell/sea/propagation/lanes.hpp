#pragma once

#include <cstring>

#include "groundswell/sea/real.hpp"

/// SIMD registers of bins, and how they cover rows of directions without a scalar tail.
namespace groundswell::sea::lanes {

/// Values of the widest register.
inline constexpr int width = 64 / sizeof(Real);

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
template <class Vector>
inline Vector positive_part(Vector x) {
    return x > 0 ? x : Vector{};
}
template <class Vector>
inline Vector absolute(Vector x) {
    return x > 0 ? x : -x;
}
template <class Vector>
inline Vector minimum(Vector a, Vector b) {
    return a < b ? a : b;
}
template <class Vector>
inline Vector maximum(Vector a, Vector b) {
    return a > b ? a : b;
}

/// `length` rounded up to whole registers of the widest kind.
inline constexpr int padded(int length) {
    return (length + width - 1) / width * width;
}

/// Rows of at least `values` directions, one register after the other. A row that is no whole number of
/// registers is covered by registers that overlap (the last one ends at the end of the row): both write the
/// same bits where they overlap, and nothing outside the row is read or written.
template <int values>
struct LongRows {
    using Lane = typename Register<values>::Lane;
    int directions;

    LongRows(int directions_, int /*frequencies*/) : directions(directions_) {}
    /// Values on each side of a row that a register of it may touch.
    static int beside() { return 0; }
    int count() const { return (directions + values - 1) / values; }
    /// Direction at which register `i` of a row starts.
    int start(int i, int /*frequency*/) const {
        const int offset = i * values;
        return offset + values <= directions ? offset : directions - values;
    }
    /// Writes those values of a register started at direction `start` that belong to the row.
    void store_row(Real* row, int start, Lane lane) const { store(row + start, lane); }
};

/// Rows of more than half a register and at most a whole one: one register a row, whose other values are
/// those of the next rows, or, in a cell's last row, of the rows before. So a register never leaves the
/// cell's block, which has at least three rows. What comes out for the other values means nothing and is not
/// stored.
template <int values>
struct ShortRows {
    using Lane = typename Register<values>::Lane;
    using Half = typename Register<values / 2>::Lane;
    int directions, last_frequency;

    ShortRows(int directions_, int frequencies) : directions(directions_), last_frequency(frequencies - 1) {}
    int beside() const { return values - directions; }
    static int count() { return 1; }
    int start(int /*i*/, int frequency) const {
        return frequency == last_frequency ? directions - values : 0;
    }
    void store_row(Real* row, int start, Lane lane) const {
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
    if (directions >= width) return body(LongRows<width>(directions, frequencies));
    if constexpr (width > 8)
        if (directions > 8) return body(ShortRows<16>(directions, frequencies));
    if (directions > 4) return body(ShortRows<8>(directions, frequencies));
    return body(ShortRows<4>(directions, frequencies));
}

}  // namespace groundswell::sea::lanes
