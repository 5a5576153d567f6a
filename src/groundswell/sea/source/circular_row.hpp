#pragma once

#include "groundswell/sea/source/lane_grid.hpp"
#include "groundswell/sea/source/team.hpp"

namespace groundswell::sea {

/// Directions wrap around. A circular row keeps copies of its other end on both sides, so that a shift by up
/// to `margin` directions (a multiple of 16, see below; never more than the directions there are) is a plain
/// load at another address. `row` points at direction 0. Whole registers are copied, whatever the number of
/// directions.
inline void wrap_row(Real* row, int directions, int margin) {
    for (int j = 0; j < margin; j += lanes::width)
        lanes::store(row - margin + j, lanes::load(row + directions - margin + j));
    for (int j = 0; j < margin; j += lanes::width) lanes::store(row + directions + j, lanes::load(row + j));
}

/// Values from one circular row to the next: the margin on the left keeps rows on register boundaries.
constexpr int circular_margin(int reach) {
    return round_up(reach, lane_multiple);
}
constexpr int circular_pitch(int lanes, int reach) {
    return lanes + 2 * circular_margin(reach);
}

/// Layout of circular rows, one after the other, in memory.
struct CircularRows {
    int directions, margin, pitch;

    constexpr Real* row(Real* memory, int i) const { return memory + i * pitch + margin; }
};
/// Those of a team, for shifts by up to `reach` directions; the lanes of a device need no whole registers.
template <class Team>
constexpr CircularRows circular_rows(const LaneTables& grid, int reach) {
    if constexpr (Team::alone)
        return {grid.directions, circular_margin(reach), circular_pitch(grid.lanes, reach)};
    else
        return {grid.directions, reach, grid.directions + 2 * reach};
}

/// The places of a row that one thread goes through: its registers, whose number is known by lanes::Count.
template <class Count>
class RegistersOfRow {
public:
    using Lane = lanes::Lane;

    constexpr explicit RegistersOfRow(const CircularRows& rows)
        : rows_(rows), used_(RegisterTeam::used(rows.directions)) {}
    /// Calls body(j) for each register, which begins at place j.
    template <class Body>
    void each(const Body& body) const {
        const int registers = Count::of(used_);
        for (int n = 0, j = 0; n < registers; ++n, j += lanes::width) body(j);
    }
    /// The same for those that hold the first n places.
    template <class Body>
    void first(int n, const Body& body) const {
        for (int j = 0; j < n; j += lanes::width) body(j);
    }
    static Lane load(const Real* values) { return lanes::load(values); }
    /// With 0 in the padding of the row.
    Lane within(int j, Lane values) const { return lanes::within(j, rows_.directions, values); }
    /// Sets what stands in a circular row from j on; close() makes the copies of its ends.
    static void store(Real* row, int j, Lane values) { lanes::store(row + j, values); }
    void close(Real* row) const { wrap_row(row, rows_.directions, rows_.margin); }

private:
    CircularRows rows_;
    int used_;
};
using AnyRegisters = RegistersOfRow<lanes::Count<0, lanes::width>>;

/// The one place of a row that a lane of a device has.
class PlaceOfRow {
public:
    using Lane = Real;

    constexpr PlaceOfRow(const CircularRows& rows, int place) : rows_(rows), place_(place) {}
    template <class Body>
    constexpr void each(const Body& body) const {
        body(place_);
    }
    template <class Body>
    constexpr void first(int n, const Body& body) const {
        if (place_ < n) body(place_);
    }
    static constexpr Real load(const Real* value) { return *value; }
    static constexpr Real within(int /*j*/, Real value) { return value; }
    constexpr void store(Real* row, int j, Real value) const {
        row[j] = value;
        if (j < rows_.margin) row[j + rows_.directions] = value;
        if (j >= rows_.directions - rows_.margin) row[j - rows_.directions] = value;
    }
    constexpr void close(Real* /*row*/) const {}

private:
    CircularRows rows_;
    int place_;
};

/// Deals out body(i, places) for the rows begin ≤ i < end; not as Team::rows() does: see Team::bins().
template <class Team, class Body>
constexpr void for_bins(const Team& team, int begin, int end, const CircularRows& rows, const Body& body) {
    if constexpr (Team::alone)
        for (int i = begin; i < end; ++i) body(i, AnyRegisters(rows));
    else
        team.bins(end - begin, rows.directions, [&](int i, int j) { body(begin + i, PlaceOfRow(rows, j)); });
}

}  // namespace groundswell::sea
