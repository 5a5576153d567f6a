#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "groundswell/sea/source/circular_row.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// The discrete interaction approximation as far as it is the same for every bin, since the frequencies form a geometric series.
struct FourWaveNumbers {
    int up = 0, down = 0;  ///< f₊ lies between rows i + up and the next, f₋ from i - down upward
    int plus_shift = 0, minus_shift = 0;   ///< angles in whole directions, rounded down
    Real up_first = 0, up_second = 0;      ///< weights of those two rows
    Real down_first = 0, down_second = 0;  ///< the same for f₋
    Real plus_first = 0, plus_second = 0;  ///< weights of that direction and the next
    Real minus_first = 0, minus_second = 0;
    Real plus_scale = 0, minus_scale = 0;  ///< (1+λ)⁻⁴, (1-λ)⁻⁴
    std::span<const Real> strength{};      ///< [frequencies + down] C g⁻⁴ f¹¹
    std::span<const Real> tail{};          ///< [up + down + 3] ratio⁻⁵ⁿ

    constexpr int reach() const { return std::max(plus_shift, minus_shift) + 1; }
};

/// Working memory for a cell: rows that stand between copies of their other ends, of which each kind has `slots`; a ring of rows for
/// each kind of those that the sum gathers from, where so many go through a stage side by side; and a row of zeros.
struct FourWaveMemory {
    // For both mirror images: what a bin passes on, and its derivatives by E₊ and E₋.
    enum Framed {
        mixed_plus,
        mixed_minus,
        transfer,
        plus_derivative = transfer + 2,
        minus_derivative = plus_derivative + 2,
        framed_rows = minus_derivative + 2
    };
    // What reaches the rows of f₊ and f₋, each with its derivative.
    enum Kept { gained_plus, plus_rate, gained_minus, minus_rate, kept_rows };

    CircularRows circular;
    int lanes;
    int ring, reciprocal;                      ///< the latter in 2⁻¹⁶
    int framed_pitch, kept_pitch, kept_begin;  ///< between kinds of rows, and where the ring begins

    constexpr FourWaveMemory(const FourWaveNumbers& n, const CircularRows& rows, int at_once, int slots)
        : circular(rows),
          lanes(rows.pitch - 2 * rows.margin),
          ring(n.up + n.down + 1 + at_once),
          reciprocal((1 << 16) / ring + 1),
          framed_pitch(slots * rows.pitch),
          kept_pitch(ring * lanes),
          kept_begin(framed_rows * framed_pitch) {}

    constexpr int size() const { return zeros() + lanes; }
    // Places of rows.
    constexpr int framed(int kind, int slot) const {
        return kind * framed_pitch + (slot * circular.pitch + circular.margin);
    }
    constexpr int kept(int kind, int place) const { return kept_begin + kind * kept_pitch + place; }
    // Place of a row within each kind of the ring.
    constexpr int place(int row) const { return (row - ring * (row * reciprocal >> 16)) * lanes; }
    constexpr int zeros() const { return kept_begin + kept_rows * kept_pitch; }
};

/// The stages for a cell, each of them for one row: what the rows around f₊ and f₋ hold is mixed; every bin of the row finds what
/// it passes on; that is shared out over the directions on both sides, into the ring; and a row of the sum gathers from these,
/// bin beside bin. Above the last frequency E continues as f⁻⁵, below the first it is 0. `Places` are those of a row
/// (circular_row.hpp).
template <class Places>
class FourWaveStages : FourWaveMemory {
    using Lane = typename Places::Lane;

public:
    constexpr FourWaveStages(const FourWaveNumbers& numbers, const FourWaveMemory& layout,
                             const LaneTables& grid, const SeaCell& sea, const SourceSum& sum, Real* memory)
        : FourWaveMemory(layout),
          n_(numbers),
          frequencies_(grid.frequencies),
          row_pitch_(grid.lanes),
          energy_(sea.energy),
          sum_(sum),
          memory_(memory) {}

    // In what follows members are read before the first store: the compiler must think that it changes them.

    /// E₊/(1+λ)⁴ and E₋/(1-λ)⁴ of a row, yet without the weights of two directions each.
    constexpr void mix(const Places& places, int row, int slot) const {
        mix_rows(places, row + n_.up, n_.up_first * n_.plus_scale, n_.up_second * n_.plus_scale,
                 framed(mixed_plus, slot));
        mix_rows(places, row - n_.down, n_.down_first * n_.minus_scale, n_.down_second * n_.minus_scale,
                 framed(mixed_minus, slot));
    }

    /// Finds what each bin loses and passes on; strengthened by `scale`.
    constexpr void interact(Places places, int row, int slot, Real scale) const {
        Real factor;
        const Real* const centre = spectrum_row(row, factor);
        const Real strength = n_.strength[row] * scale;
        const Real p1 = n_.plus_first, p2 = n_.plus_second, m1 = n_.minus_first, m2 = n_.minus_second;
        const Real plus_scale = n_.plus_scale, minus_scale = n_.minus_scale;
        const Real *const plus_row = framed(mixed_plus, slot), *const minus_row = framed(mixed_minus, slot);
        // For each mirror image where f₊ and f₋ lie, and the direction next to that.
        const Real* const plus_near[2] = {plus_row - n_.plus_shift, plus_row + n_.plus_shift};
        const Real* const minus_near[2] = {minus_row + n_.minus_shift, minus_row - n_.minus_shift};
        Real* const passed[2] = {framed(transfer, slot), framed(transfer + 1, slot)};
        Real* const to_plus[2] = {framed(plus_derivative, slot), framed(plus_derivative + 1, slot)};
        Real* const to_minus[2] = {framed(minus_derivative, slot), framed(minus_derivative + 1, slot)};
        Real *const source = sum_.source + start_of(row), *const derivative = sum_.derivative + start_of(row);
        const bool inside = row < frequencies_;
        places.each([&](int j) {
            const Lane e = factor * at(centre + j);
            const Lane weighted = strength * e;
            const Lane plus_weight = plus_scale * weighted, minus_weight = minus_scale * weighted;
            Lane all{}, rate{};
#pragma GCC unroll 2
            for (int mirror = 0; mirror < 2; ++mirror) {
                const int side = mirror == 0 ? 1 : -1;
                const Real *const at_plus = plus_near[mirror] + j, *const at_minus = minus_near[mirror] + j;
                const Lane above = lanes::multiply_add(p1, at(at_plus), p2 * at(at_plus - side));
                const Lane below = lanes::multiply_add(m1, at(at_minus), m2 * at(at_minus + side));
                // E² (E₊/(1+λ)⁴ + E₋/(1-λ)⁴) - 2 E E₊E₋/(1-λ²)⁴, and its derivatives.
                const Lane both = e * (above + below);
                const Lane net = lanes::multiply_subtract(above + above, below, both);
                all += net;
                rate += both + net;
                places.store(passed[mirror], j, net * weighted);
                places.store(to_plus[mirror], j, lanes::multiply_subtract(Real(2), below, e) * plus_weight);
                places.store(to_minus[mirror], j, lanes::multiply_subtract(Real(2), above, e) * minus_weight);
            }
            if (!inside) return;
            lanes::store(source + j, lanes::multiply_subtract(Real(2), all * weighted, at(source + j)));
            lanes::store(derivative + j,
                         lanes::multiply_subtract(Real(2), rate * strength, at(derivative + j)));
        });
        for (int mirror = 0; mirror < 2; ++mirror)
            for (Real* const row_of_kind : {passed[mirror], to_plus[mirror], to_minus[mirror]})
                places.close(row_of_kind);
    }

    /// Spreads what a row passes on over the two directions on either side that f₊ and f₋ lie between.
    constexpr void share(const Places& places, int row, int slot) const {
        const int place_of_row = place(row);
        // A bin gives to j + shift and to j + shift + beyond in the first image, to j - shift and so on in the mirror image.
        const auto spread = [&](int from, int to, int shift, int beyond, Real near, Real far) {
            const Real* const first = framed(from, slot) - shift;
            const Real* const second = framed(from + 1, slot) + shift;
            Real* const result = kept(to, place_of_row);
            places.each([&](int j) {
                lanes::store(result + j,
                             lanes::multiply_add(near, at(first + j) + at(second + j),
                                                 far * (at(first + j - beyond) + at(second + j + beyond))));
            });
        };
        const int plus = -n_.plus_shift, minus = n_.minus_shift;
        const Real p1 = n_.plus_first, p2 = n_.plus_second, m1 = n_.minus_first, m2 = n_.minus_second;
        spread(transfer, gained_plus, plus, -1, p1, p2);
        spread(transfer, gained_minus, minus, 1, m1, m2);
        spread(plus_derivative, plus_rate, plus, -1, p1 * p1, p2 * p2);
        spread(minus_derivative, minus_rate, minus, 1, m1 * m1, m2 * m2);
    }

    /// Gives a row of the sum its part as f₊ and as f₋ of two rows each.
    constexpr void gather(const Places& places, int row) const {
        const int up_1 = place(row - n_.up), up_2 = place(row - n_.up - 1);
        const int down_1 = place(row + n_.down), down_2 = place(row + n_.down - 1);
        const auto add = [&](Real* to, int above, int below, Real of_up_1, Real of_up_2, Real of_down_1,
                             Real of_down_2) {
            const Real* const from_up_1 = row < n_.up ? zero_row() : kept(above, up_1);
            const Real* const from_up_2 = row <= n_.up ? zero_row() : kept(above, up_2);
            const Real *const from_down_1 = kept(below, down_1), *const from_down_2 = kept(below, down_2);
            places.each([&](int j) {
                Lane here = lanes::multiply_add(of_up_1, at(from_up_1 + j), at(to + j));
                here = lanes::multiply_add(of_up_2, at(from_up_2 + j), here);
                here = lanes::multiply_add(of_down_1, at(from_down_1 + j), here);
                lanes::store(to + j, lanes::multiply_add(of_down_2, at(from_down_2 + j), here));
            });
        };
        const Real u1 = n_.up_first, u2 = n_.up_second, d1 = n_.down_first, d2 = n_.down_second;
        add(sum_.source + start_of(row), gained_plus, gained_minus, u1, u2, d1, d2);
        add(sum_.derivative + start_of(row), plus_rate, minus_rate, u1 * u1, u2 * u2, d1 * d1, d2 * d2);
    }

    /// The row that stands for all below the first frequency; not set.
    constexpr Real* zero_row() const {
        return memory_ + zeros();
    }

private:
    constexpr void mix_rows(Places places, int row, Real first, Real second, Real* mixed) const {
        Real factor_a, factor_b;
        const Real* const a = spectrum_row(row, factor_a);
        const Real* const b = spectrum_row(row + 1, factor_b);
        factor_a *= first;
        factor_b *= second;
        places.each([&](int j) {
            places.store(mixed, j, lanes::multiply_add(factor_a, at(a + j), factor_b * at(b + j)));
        });
        places.close(mixed);
    }
    static constexpr Lane at(const Real* values) {
        return lanes::load<Lane>(values);
    }
    constexpr std::ptrdiff_t start_of(int row) const {
        return static_cast<std::ptrdiff_t>(row) * row_pitch_;
    }
    constexpr const Real* spectrum_row(int row, Real& factor) const {
        const int last = frequencies_ - 1;
        factor = row > last ? n_.tail[row - last] : Real(1);
        if (row < 0) return zero_row();
        return energy_ + start_of(row < last ? row : last);
    }
    constexpr Real* framed(int kind, int slot) const {
        return memory_ + FourWaveMemory::framed(kind, slot);
    }
    constexpr Real* kept(int kind, int place) const {
        return memory_ + FourWaveMemory::kept(kind, place);
    }

    const FourWaveNumbers& n_;
    int frequencies_, row_pitch_;
    const Real* energy_;
    SourceSum sum_;
    Real* memory_;
};

}  // namespace groundswell::sea
