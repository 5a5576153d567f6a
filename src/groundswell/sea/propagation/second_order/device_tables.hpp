#pragma once

#include <cstdint>
#include <span>

#include "groundswell/sea/propagation/rotated_formulas.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

/// Edges between frames that turn, on a device; no tables where there are none.
struct TurnedEdges {
    std::span<const std::int32_t> of_edge;  ///< [edge] place among these, or -1
    std::span<const std::int32_t> shift;    ///< SpectrumRotation::shift
    std::span<const Real> part;             ///< SpectrumRotation::part
    std::span<const Real> out;              ///< [4] RotatedEdge::normal_x, normal_y, half_x, half_y

    constexpr void arrays(const auto& visit) const {
        if (!any()) return;
        visit(of_edge);
        visit(shift);
        visit(part);
        visit(out);
    }
    constexpr bool any() const { return !of_edge.empty(); }
    constexpr std::int32_t at(std::int32_t edge) const { return any() ? of_edge[edge] : -1; }
    /// Turned by the `place`-th: what comes to direction d of n, where `value(at)` stood at another.
    constexpr Real arriving(std::int32_t place, int d, int n, const auto& value) const {
        const int source = d + n - shift[place];
        const auto beside = [&](int away) { return value((source + away + n) % n); };
        const TurnShares shares(part[place]);
        const Real before = beside(-1), here = beside(0);
        return shares.arriving(here, shares.tilt(before, here, beside(1)), before,
                               shares.tilt(beside(-2), before, here));
    }
};

/// Tables of the second order besides DeviceTables.
struct SecondOrderTables {
    static constexpr std::int32_t first_rim = -2;

    std::span<const Real> group_speed;  ///< [cell][frequency_stride]
    std::span<const Real> reach;        ///< [cell] BinNumbers::reach
    std::span<const Real> edge_terms;   ///< [edge][4] gradient_x, gradient_y, half_x, half_y of GradientTerms
    /// [edge] What the gradient takes from beyond: a cell, no one's (-1), or of a face that waves enter by, counted down from first_rim.
    std::span<const std::int32_t> behind;
    std::span<const Real> rim;             ///< [face][bins] what enters there
    std::span<const Real> spread;          ///< [edge] Spreading::slope(); empty where nothing spreads
    std::span<const Real> turn_x, turn_y;  ///< [direction] of both sides of a bin together
    std::span<const std::int32_t> tile_begin, tile_end;  ///< [tile] as those of Tile
    std::span<const std::int32_t> ring_begin;            ///< [tile + 1]
    std::span<const std::int32_t> ring;                  ///< [ring_begin] Tile::ring
    std::span<const std::int32_t> slot_beyond;           ///< [edge] Tile::beyond, or slot of Tile::turned
    TurnedEdges turned;
    // With currents.
    std::span<const Real> current_x, current_y;  ///< [cell] m s⁻¹
    std::span<const Real> density;               ///< [cell][density_row] Flow::densities()
    int density_row;
    // Images of cells that step at other rates, as ImageProfiles.
    std::int32_t first_image;                     ///< beyond all cells where there are none
    int add_half;                                 ///< 0 or 1
    std::span<const std::int32_t> image_of_cell;  ///< [owned]
    std::span<Real> profiles;                     ///< [image][half, x, y][stride]
    Real spreading_along, spreading_across;
    int limited;  ///< 0 or 1

    constexpr void arrays(const auto& visit) const {
        for (const auto* table :
             {&behind, &tile_begin, &tile_end, &ring_begin, &ring, &slot_beyond, &image_of_cell})
            if (!table->empty()) visit(*table);
        for (const auto* table : {&group_speed, &reach, &edge_terms, &rim, &spread, &turn_x, &turn_y,
                                  &current_x, &current_y, &density})
            if (!table->empty()) visit(*table);
        if (!profiles.empty()) visit(profiles);
        turned.arrays(visit);
    }
    /// The profile of an image, one of whose fields is `stride` values.
    constexpr Real* profile(std::int32_t image, std::int64_t stride) const {
        return profiles.data() + (image - first_image) * 3 * stride;
    }
    /// Sets a bin of it to a share of M at half time and its gradient, or adds that.
    struct Face {
        Real half, x, y;
    };
    constexpr void set_profile(std::int32_t image, std::int64_t stride, int bin, Real share, bool add,
                               const Face& face) const {
        Real* const of = profile(image, stride) + bin;
        const auto set = [&](Real& there, Real value) {
            there = add ? there + share * value : share * value;
        };
        set(of[0], face.half);
        set(of[stride], face.x);
        set(of[2 * stride], face.y);
    }
};

}  // namespace groundswell::sea
