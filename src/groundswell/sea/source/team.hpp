#pragma once

#include <array>
#include <cstddef>

#include "groundswell/sea/lanes.hpp"

/// Teams that compute a cell: what the source terms ask of one is all that they know of threads. A row of directions belongs to a frequency,
/// and is computed by registers of `width` directions; rows are dealt out, as are numbers of one frequency or direction each. What one
/// member writes others see after sync(), which all of the team go through alike.
namespace groundswell::sea {

/// One thread, which does all by itself.
class RegisterTeam {
public:
    static constexpr bool alone = true;
    using Lane = lanes::Lane;  ///< a register
    using RowSum = lanes::RowSum;
    static constexpr int width = lanes::width;

    /// Body(i) for each row 0 ≤ i < n.
    template <class Body>
    static void rows(int n, const Body& body) {
        for (int i = 0; i < n; ++i) body(i);
    }
    /// The same one after the other.
    template <class Body>
    static void rows_in_order(int n, const Body& body) {
        rows(n, body);
    }
    /// Within a row: body(j) for each direction 0 ≤ j < n; always by the same member, that which has the direction in its registers.
    template <class Body>
    static void along(int n, const Body& body) {
#pragma omp simd
        for (int j = 0; j < n; ++j) body(j);
    }
    /// Within a row, of so many directions: body(Count) as lanes::with_count.
    template <class Body>
    static void with_count(int directions, const Body& body) {
        lanes::with_count(used(directions), body);
    }
    /// Body(i) for each 0 ≤ i < n, which reads and writes numbers of its own i alone.
    template <class Body>
    static void columns(int n, const Body& body) {
#pragma omp simd
        for (int i = 0; i < n; ++i) body(i);
    }
    /// Body() by one member.
    template <class Body>
    static void once(const Body& body) {
        body();
    }
    static void sync() {}

    /// first + body(0) + … + body(n - 1), in this order, for each member: after a sync().
    template <std::size_t many, class Body>
    static std::array<double, many> add_up(std::array<double, many> first, int n, const Body& body) {
        for (int i = 0; i < n; ++i) {
            const std::array<double, many> part = body(i);
            for (std::size_t k = 0; k < many; ++k) first[k] += part[k];
        }
        return first;
    }
    /// Use(i, own, upto) for each 0 ≤ i < n, where body(i) is {own, part} and upto is 0 + part(0) + … + part(i), in this order: after a
    /// sync().
    template <class Body, class Use>
    static void add_along(int n, const Body& body, const Use& use) {
        double upto = 0;
        for (int i = 0; i < n; ++i) {
            const std::array<double, 2> numbers = body(i);
            upto += numbers[1];
            use(i, numbers[0], upto);
        }
    }

    /// Directions rounded up to whole registers.
    static constexpr int used(int directions) {
        return (directions + width - 1) / width * width;
    }
    /// Where the first register of a row lies for this member.
    template <class Number>
    static Number* at(Number* row) {
        return row;
    }
    /// The values of the register at place `j` of a row that stand below `length`; 0 for the rest.
    static Lane within(int j, int length, Lane x) {
        return lanes::within(j, length, x);
    }
    /// Over a row; for all of its members.
    static Real total(const RowSum& sum) {
        return sum.total();
    }
    static Real largest(Lane most) {
        return lanes::largest(most);
    }
    static Real least(Lane least) {
        return -lanes::largest(-least);
    }
};

/// The lanes of a block of a device: `width` neighbours share a row, each with one number of a register. Their count is a multiple of
/// `width`.
template <class Block>
class BlockTeam {
public:
    static constexpr bool alone = false;
    using Lane = Real;
    static constexpr int width = lanes::table_width;

    /// The part of lanes::RowSum that one lane has.
    class RowSum {
    public:
        constexpr void add(int /*j*/, Real value) { part_ += value; }
        constexpr void add_product(int /*j*/, Real a, Real b) { part_ = lanes::multiply_add(a, b, part_); }
        constexpr Real total(const BlockTeam& team) const {
            return team.over_row(part_, [](Real a, Real b) { return a + b; });
        }

    private:
        Real part_ = 0;
    };

    /// Takes scratch for sums of so many rows.
    constexpr BlockTeam(Block& block, int rows)
        : block_(block),
          group_(block.lane() / width),
          place_(block.lane() % width),
          parts_(block.template scratch<double>(sums * (room(rows) + 1))),
          totals_(parts_ + sums * room(rows)) {}
    static constexpr std::size_t scratch_bytes(int rows) { return sums * (room(rows) + 1) * sizeof(double); }

    template <class Body>
    constexpr void rows(int n, const Body& body) const {
        for (int i = group_; i < n; i += block_.lane_count() / width) body(i);
    }
    template <class Body>
    constexpr void rows_in_order(int n, const Body& body) const {
        if (group_ == 0)
            for (int i = 0; i < n; ++i) body(i);
    }
    template <class Body>
    constexpr void along(int n, const Body& body) const {
        for (int j = place_; j < n; j += width) body(j);
    }
    template <class Body>
    constexpr void with_count(int /*directions*/, const Body& body) const {
        body(lanes::Count<0, width>{});
    }
    template <class Body>
    constexpr void columns(int n, const Body& body) const {
        block_.lanes(n, body);
    }
    /// Body(i, j) for each of n rows of so many directions, bin beside bin: whoever has the bin in rows().
    template <class Body>
    constexpr void bins(int n, int directions, const Body& body) const {
        const int many = block_.lane_count(), rows = many / directions, places = many % directions;
        int i = block_.lane() / directions, j = block_.lane() % directions;
        while (i < n) {
            body(i, j);
            i += rows, j += places;
            if (j >= directions) ++i, j -= directions;
        }
    }
    template <class Body>
    constexpr void once(const Body& body) const {
        if (block_.lane() == 0) body();
    }
    constexpr void sync() const { block_.sync(); }

    template <std::size_t many, class Body>
    constexpr std::array<double, many> add_up(std::array<double, many> first, int n, const Body& body) const {
        static_assert(many <= sums);
        columns(n, [&](int i) {
            const std::array<double, many> part = body(i);
            for (std::size_t k = 0; k < many; ++k) parts_[static_cast<int>(k) * n + i] = part[k];
        });
        sync();
        columns(static_cast<int>(many), [&](int which) {
            double sum = 0;
            for (std::size_t k = 0; k < many; ++k) sum = static_cast<int>(k) == which ? first[k] : sum;
            for (int i = 0; i < n; ++i) sum += parts_[which * n + i];
            totals_[which] = sum;
        });
        sync();
        for (std::size_t k = 0; k < many; ++k) first[k] = totals_[k];
        return first;
    }
    template <class Body, class Use>
    constexpr void add_along(int n, const Body& body, const Use& use) const {
        double* const upto = parts_ + n;
        columns(n, [&](int i) {
            const std::array<double, 2> numbers = body(i);
            parts_[i] = numbers[0];
            upto[i] = numbers[1];
        });
        sync();
        once([&] {
            for (int i = 1; i < n; ++i) upto[i] += upto[i - 1];
        });
        sync();
        columns(n, [&](int i) { use(i, parts_[i], upto[i]); });
        sync();
    }

    static constexpr int used(int directions) { return (directions + width - 1) / width * width; }
    template <class Number>
    constexpr Number* at(Number* row) const {
        return row + place_;
    }
    constexpr Real within(int j, int length, Real x) const { return j + place_ < length ? x : 0; }
    constexpr Real total(const RowSum& sum) const { return sum.total(*this); }
    constexpr Real largest(Real most) const {
        return over_row(most, [](Real a, Real b) { return lanes::maximum(a, b); });
    }
    constexpr Real least(Real least) const { return -largest(-least); }

private:
    static constexpr std::size_t sums = 4;  // that are added up at once, at most
    // Numbers of each sum: as many as there are rows, or all that are added up where these are few.
    static constexpr std::size_t room(int rows) { return static_cast<std::size_t>(rows < 8 ? 8 : rows); }
    // Puts the numbers of all members of a row together by halves, for each of them.
    template <class Both>
    constexpr Real over_row(Real own, const Both& both) const {
        for (int half = width / 2; half > 0; half /= 2)
            own = both(own, block_.from_neighbour(own, half, width));
        return own;
    }

    Block& block_;
    int group_, place_;
    double *parts_,
        *totals_;  // not one behind the other: who is late reads totals when others begin the next sum
};

}  // namespace groundswell::sea
