#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {

/// Second order needs a cell's gradients and those of its neighbours. Gradients of the whole mesh would cost
/// as much memory as the state, so owned cells are taken in tiles of consecutive cells, compact along the
/// space-filling curve: the gradients of a tile and of the ring around it are made in cache, a few
/// frequencies at a time, used, and forgotten. A gradient is a function of its cell and the neighbours alone,
/// so tiles leave no trace in the result.
struct Tile {
    static constexpr std::int32_t most_cells = 128;
    static constexpr std::int32_t nothing = -1;

    std::int32_t begin = 0, end = 0;  ///< owned cells; slot i < end − begin is cell begin + i
    std::vector<std::int32_t> ring;   ///< the slots after those
    std::vector<std::int32_t>
        beyond;  ///< slot beyond each edge of the tile's cells, or `nothing` where frames differ too
    std::vector<std::int32_t> turned;  ///< slot beyond each of these edges whose frames differ

    std::int32_t cells() const { return end - begin; }
    std::int32_t slots() const { return cells() + static_cast<std::int32_t>(ring.size()); }
    std::int32_t cell(std::int32_t slot) const {
        return slot < cells() ? begin + slot : ring[slot - cells()];
    }
};

/// Tiles of all owned cells, ascending; none straddles the border of a group's interior, or it would read halo
/// cells while they arrive.
std::vector<Tile> make_tiles(const PropagationTables& tables, std::int32_t most_cells = Tile::most_cells);

/// An edge to a cell: what the gradient takes from beyond it.
struct GradientTerms {
    const Real* state;  ///< of the cell beyond, in this cell's frame
    const Real* ratio;
    Real gradient_x, gradient_y;  ///< times (M beyond − M): contribution to the gradient
    Real half_x, half_y;          ///< from the centre to the middle of the edge, m
};

/// The part of GradientTerms that no step and no state changes. `matrix`: PropagationTables::gradient_matrix().
struct EdgeTerms {
    bool between;        ///< to a cell
    bool turned;         ///< whose frame is another
    const Real* at_rim;  ///< null, or PropagationTables::beyond_rim()
    Real gradient_x, gradient_y;
    Real reach, half_x, half_y;  ///< to the middle, m; 0 where the gradient takes nothing from beyond
};
EdgeTerms edge_terms(const PropagationTables& tables, std::int32_t cell, std::int32_t edge,
                     const std::array<Real, 3>& matrix);

/// Working memory of one thread for the second-order scheme, about half of a second-level cache.
struct SecondOrderWorkspace {
    static constexpr int group_frequencies = 4;
    /// M at the cell's centre after half a step, its slopes there, and its slope over directions.
    enum Field { half, gradient_x, gradient_y, gradient_direction, fields };

    int row_stride, slot_stride;  ///< from one row to the next, from the rows of a slot to those of the next
    int across_stride;            ///< from the directions of an edge to those of the next
    int slots, max_edges;
    exec::Array<Real> profile;         ///< [slot][frequency of the group][field][row_stride]: see row()
    exec::Array<Real> invariant;       ///< [frequency of the group][row_stride] M of a cell
    exec::Array<Real> step_x, step_y;  ///< [slot][frequency_stride] dt S
    exec::Array<Real> travel;          ///< [slot][frequency_stride] of half a step, m
    exec::Array<Real> turn_x, turn_y;  ///< [slot][frequency_stride] a quarter of a step's turning
    exec::Array<Real>
        central;  ///< [slot][frequency_stride] half; 0 where turning is implicit and takes no slope
    exec::Array<Real> excess;  ///< [slot][frequency_stride] as PropagationTables::largest_excess
    exec::Array<Real> explicit_step_x,
        explicit_step_y;  ///< [tile's cell][frequency_stride] dt S; 0 where implicit
    exec::Array<Real>
        strength;  ///< [tile's cell][edge][frequency_stride] dt dv/A k_e; 0 where nothing passes
    exec::Array<Real>
        spread;  ///< where bins spread, likewise: what spreads over the edge, but for its direction
    std::vector<Real> drift;               ///< [tile's cell][edge] dt ℓ/A U·n; 0 where nothing passes
    std::vector<const Real*> density;      ///< [tile's cell][edge] J of the cell upstream in the current
    std::vector<Real> travel_x, travel_y;  ///< [slot] by half a step of the current, m
    std::vector<GradientTerms> gradients;  ///< [slot][edge], those that there are
    std::vector<int> gradient_count;       ///< [slot]
    std::vector<Real> reach;               ///< [slot] farthest from the centre to an edge with such terms, m
    std::vector<std::uint8_t> turned;      ///< [slot] has edges between frames
    std::vector<std::uint8_t> gets_more;   ///< [tile's cell] has them, or lets in
    std::vector<Real> half_x,
        half_y;                ///< [tile's cell][edge] from the centre to the middle; 0 where nothing enters
    exec::Array<Real> across;  ///< [edge][across_stride] n·d of the cell at work
    exec::Array<Real> aside;   ///< where bins spread, likewise: how much, by direction
    exec::Array<Real> shares;  ///< with a current, likewise: shares that get in
    std::vector<const Real*> share;    ///< [edge] row of these; null where all does
    std::vector<const Real*> beyond;   ///< [edge] rows of the cell beyond, for the cell at work
    exec::Array<Real> rotated_change;  ///< [such a tile's cell][bins]
    exec::Array<Real>
        turned_state;  ///< [edge between frames][bins] action beyond, for the cell whose profiles are made
    exec::Array<Real> turned_face;  ///< [direction_stride] M at such an edge
    RotatedWork rotated_work;
    Tile alone;  ///< of one slot, for who wants a cell's profile alone

    /// `beside`: values on both sides of a row that its registers may touch.
    SecondOrderWorkspace(const PropagationTables& t, int beside, int most_slots)
        : row_stride(lanes::padded(t.grid.directions + 2 + 2 * beside)),
          slot_stride(group_frequencies * fields * row_stride),
          across_stride(t.direction_stride + lanes::table_width),
          slots(most_slots + 1),
          max_edges(t.mesh.max_edges),
          rotated_work(t) {
        const auto slot_count = static_cast<std::size_t>(slots), edges = static_cast<std::size_t>(max_edges);
        const auto frequencies = static_cast<std::size_t>(t.frequency_stride);
        profile = zeros(slot_count * static_cast<std::size_t>(slot_stride) + 2 * lanes::table_width);
        invariant = zeros(static_cast<std::size_t>(group_frequencies * row_stride) + 2 * lanes::table_width);
        step_x = exec::Array<Real>(slot_count * frequencies);
        step_y = exec::Array<Real>(slot_count * frequencies);
        for (exec::Array<Real>* of_slots : {&travel, &turn_x, &turn_y, &central, &excess})
            *of_slots = zeros(slot_count * frequencies);
        explicit_step_x = zeros(Tile::most_cells * frequencies);
        explicit_step_y = zeros(Tile::most_cells * frequencies);
        strength = exec::Array<Real>(Tile::most_cells * edges * frequencies);
        if (t.spreading.any()) {
            spread = exec::Array<Real>(strength.size());
            aside = exec::Array<Real>(edges * static_cast<std::size_t>(across_stride));
        }
        if (t.flow) {
            drift.resize(Tile::most_cells * edges);
            density.resize(drift.size());
            travel_x.resize(slot_count);
            travel_y.resize(slot_count);
            shares = exec::Array<Real>(edges * static_cast<std::size_t>(across_stride));
            share.resize(edges);
        }
        gradients.resize(slot_count * edges);
        gradient_count.resize(slot_count);
        reach.resize(slot_count);
        turned.resize(slot_count);
        gets_more.resize(Tile::most_cells);
        half_x.resize(Tile::most_cells * edges);
        half_y.resize(half_x.size());
        across = exec::Array<Real>(edges * static_cast<std::size_t>(across_stride));
        beyond.resize(edges);
        rotated_change =
            exec::Array<Real>(t.rotated_edges.empty() && !t.inflow ? 0 : Tile::most_cells * t.grid.stride());
        if (t.rotated_edges.empty()) return;
        turned_state = zeros(edges * t.grid.stride() + lanes::table_width);
        turned_face = zeros(static_cast<std::size_t>(t.direction_stride + lanes::table_width));
    }

    /// First direction of the first field of a slot's row. A row stands between its cyclic neighbours: the one before the
    /// first lies where the row before has nothing. The last slot stays zero: what lies beyond a coast.
    Real* row(int slot, int group_frequency) {
        return profile.data() + slot * slot_stride + group_frequency * fields * row_stride +
               lanes::table_width;
    }
    Real* invariant_row(int group_frequency) {
        return invariant.data() + group_frequency * row_stride + lanes::table_width;
    }
    int zero_slot() const { return slots - 1; }

private:
    static exec::Array<Real> zeros(std::size_t values) {
        exec::Array<Real> array(values);
        std::memset(array.data(), 0, array.size() * sizeof(Real));
        return array;
    }
};

/// Inputs from which the rows of a slot are made.
struct SecondOrderProfile {
    const Real* invariant;  ///< M of the group's first frequency; rows row_stride apart
    Real* fields;           ///< of that frequency, row_stride apart
    int row_stride, edges, first;
    const GradientTerms* edge;
    const Real *travel, *central, *excess, *turn_x, *turn_y;  ///< [frequency], as in the workspace
    Real travel_x, travel_y;                                  ///< with a current, as there
    Real reach;                                               ///< as there
};

/// A group of rows of a cell.
struct SecondOrderUpdate {
    const Real* own;            ///< profile of the first row
    const Real* const* beyond;  ///< [edge] the neighbours'
    int edges, first;
    const Real* strength;  ///< [edge][frequency_stride]
    const Real *half_x, *half_y;
    const Real* spread;          ///< null, or as strength
    const Real* drift;           ///< with a current, [edge]
    const Real* const* density;  ///< likewise
    const Real *across, *aside;
    const Real *step_x, *step_y;  ///< [frequency]
    const Real* rotated;          ///< null, or [bins] what comes over edges between frames
    const Real* n_old;            ///< [bins]
    Real* n_new;
};

/// Fills what of a slot does not depend on bins: the terms of its edges and of its frequencies, and what comes from outside the mesh or
/// with a current from another frame, for a step of dt seconds from n_old.
void prepare_slot(const PropagationTables& tables, const Tile& tile, std::int32_t slot, const Real* n_old,
                  double dt, SecondOrderWorkspace& workspace);

/// Sets turned_state of a cell for frequencies first ≤ f < last.
void turn_neighbours(const PropagationTables& tables, std::int32_t cell, int first, int last,
                     const Real* n_old, SecondOrderWorkspace& workspace);
/// Adds what waves bring over the edges between frames of a cell to its rotated_change, likewise: from the profiles of the cells beyond,
/// whose slots begin at `beyond`. Returns where those of the next such cell begin.
const std::int32_t* add_turned_inflow(const PropagationTables& tables, std::int32_t cell, std::int32_t slot,
                                      const std::int32_t* beyond, int first, int last, double dt,
                                      SecondOrderWorkspace& workspace);

/// Sets how much of a bin spreads over an edge of the cell at work, its `slot_edge`-th, from the row of `across` as prepared; also
/// `beside` the row, where registers reach beyond it.
void set_aside(const PropagationTables& tables, std::int32_t edge, int slot_edge, int beside,
               SecondOrderWorkspace& workspace);

/// Prepares an edge of the cell at work, its `slot_edge`-th, for what islands and ice let through of what enters. Without a current the
/// row of `across` is less by that, with one `share` names the row of shares. Also `beside` the row, where registers reach beyond it.
void obstruct_edge(const PropagationTables& tables, std::int32_t edge, int slot_edge, int beside,
                   SecondOrderWorkspace& workspace);

}  // namespace groundswell::sea
