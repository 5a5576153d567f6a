#pragma once

#include <cstdint>
#include <span>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/propagation/device/tables.hpp"
#include "groundswell/sea/propagation/second_order/device_tables.hpp"
#include "groundswell/sea/propagation/second_order/formulas.hpp"
#include "groundswell/sea/spectrum/spreading.hpp"

namespace groundswell::sea {

/// The second-order scheme, one block for a frequency of a tile, where n_new holds what MoreInflow has found. Profiles of the tile and
/// its ring are made in scratch. A lane has one direction. `flows`: with currents.
template <bool flows>
struct SecondOrderStep {
    static constexpr int most_lanes = 256, blocks_at_once = 3;

    DeviceTables t;
    SecondOrderTables s;
    std::span<const Real> n_old;
    std::span<Real> n_new;
    std::int32_t begin, end;  ///< cells
    std::int32_t first_tile;
    int parts;  ///< rows of directions at once
    double dt;

    constexpr void arrays(const auto& visit) const {
        t.arrays(visit);
        s.arrays(visit);
        visit(n_old);
        visit(n_new);
    }

    static constexpr std::size_t scratch_bytes(int most_slots, int most_cells, int most_edges,
                                               int directions) {
        const int profiles = (most_slots + 1) * fields * directions;
        return sizeof(lanes::Four) +
               sizeof(Real) * static_cast<std::size_t>(profiles + most_cells * most_edges) +
               static_cast<std::size_t>(most_slots) * (sizeof(Slot) + sizeof(std::int32_t));
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t tile = first_tile + block.index() / t.grid.frequencies;
        const int f = block.index() % t.grid.frequencies, n = t.grid.directions;
        Work w{};
        w.begin = s.tile_begin[tile];
        w.cells = s.tile_end[tile] - w.begin;
        w.slots = w.cells + s.ring_begin[tile + 1] - s.ring_begin[tile];
        w.ring = s.ring.data() + s.ring_begin[tile];
        const auto many = static_cast<std::size_t>(w.slots);
        w.slot = block.template scratch<Slot>(many);
        w.profile = block.template scratch<Real>((many + 1) * static_cast<std::size_t>(fields * n));
        w.strength = block.template scratch<Real>(
            static_cast<std::size_t>(t.mesh.edge_offset[w.begin + w.cells] - t.mesh.edge_offset[w.begin]));

        block.lanes(w.slots, [&](int slot) { prepare_slot(w, slot, f); });
        block.lanes(fields * n, [&](int i) { w.profile[w.slots * fields * n + i] = 0; });
        block.sync();
        block.lanes(n * parts, [&](int i) {
            for (int slot = i / n; slot < w.slots; slot += parts) make_profile(w, slot, f, i % n);
        });
        block.sync();
        block.lanes(n * parts, [&](int i) {
            for (int slot = i / n; slot < w.cells; slot += parts)
                if (begin <= w.begin + slot && w.begin + slot < end) update(w, slot, f, i % n);
        });
        block.sync();
        block.lanes(w.cells, [&](int slot) {
            const std::int32_t cell = w.begin + slot;
            if (begin <= cell && cell < end && t.turns_implicitly(cell, f, static_cast<Real>(dt)))
                turn_row(t, n_new.data() + cell * t.grid.stride() + f * n, w.slot[slot].ratio,
                         w.slot[slot].step_x, w.slot[slot].step_y);
        });
    }

    /// Makes the profile of one frequency of a cell alone, `image` of it.
    template <class Block>
    constexpr void make_alone(Block& block, const std::int32_t* cell, int f, std::int32_t image) const {
        const int n = t.grid.directions;
        Work w{0,
               0,
               1,
               cell,
               block.template scratch<Slot>(1),
               block.template scratch<Real>(static_cast<std::size_t>(fields * n)),
               nullptr};
        block.lanes(1, [&](int slot) { prepare_slot(w, slot, f); });
        block.sync();
        block.lanes(n, [&](int d) {
            make_profile(w, 0, f, d);
            s.set_profile(image, t.grid.stride(), f * n + d, Real(1), false,
                          {row(w, 0, half)[d], row(w, 0, gradient_x)[d], row(w, 0, gradient_y)[d]});
        });
    }
    static constexpr std::size_t scratch_bytes_alone(int directions) {
        return sizeof(Slot) + sizeof(Real) * static_cast<std::size_t>(fields * directions) +
               sizeof(lanes::Four);
    }

private:
    enum Field { half, gradient_x, gradient_y, gradient_direction, fields };
    // As the rows of SecondOrderWorkspace, of one frequency of a slot.
    struct alignas(4 * sizeof(Real)) Slot {
        Real ratio, step_x, step_y, travel, central, excess, turn_x, turn_y;
    };
    struct Work {
        std::int32_t begin;  // cell of the first slot
        int cells, slots;
        const std::int32_t* ring;
        Slot* slot;
        Real* profile;   // [slot][field][direction]; the last slot is what lies beyond a coast
        Real* strength;  // [edge of the tile's cells] dt dv/A k_e; 0 where nothing passes

        constexpr std::int32_t cell(int at) const { return at < cells ? begin + at : ring[at - cells]; }
    };

    constexpr Real* row(const Work& w, int slot, int field) const {
        return w.profile + (slot * fields + field) * t.grid.directions;
    }
    // Strengths of the edges of a tile's cell.
    constexpr Real* strengths(const Work& w, std::int32_t cell) const {
        return w.strength + (t.mesh.edge_offset[cell] - t.mesh.edge_offset[w.begin]);
    }

    constexpr void prepare_slot(const Work& w, int slot, int f) const {
        const std::int32_t cell = w.cell(slot), first = t.mesh.edge_offset[cell];
        if (cell >= s.first_image) return;
        const int edges = t.mesh.edge_offset[cell + 1] - first;
        const Real k = t.wave_numbers(cell)[f], ratio = t.ratios(cell)[f], step = static_cast<Real>(dt),
                   half_step = static_cast<Real>(0.5 * dt);
        Real x = 0, y = 0;
        for (int i = 0; i < edges; ++i) {
            const std::int32_t e = first + i, neighbour = t.mesh.neighbour[e];
            const Real along =
                step * t.rate[e] * edge_wave_number(k, t.wave_numbers(neighbour >= 0 ? neighbour : cell)[f]);
            x = lanes::multiply_add(t.normal_x[e], along, x);
            y = lanes::multiply_add(t.normal_y[e], along, y);
            const bool passes = neighbour >= 0 ? s.behind[e] >= 0 : t.open(neighbour);
            if (slot < w.cells) strengths(w, cell)[i] = passes ? along : Real(0);
        }
        const Real outflow = t.outflow_rates(cell)[f] + t.drift_outflow(cell);
        const bool implicit = t.turns_implicitly(cell, f, step);
        w.slot[slot] = {ratio,
                        x,
                        y,
                        half_step * s.group_speed[cell * std::int64_t{t.frequency_stride} + f],
                        implicit ? Real(0) : Real(0.5),
                        implicit ? Real(1) : largest_excess(outflow, dt),
                        Real(0.25) * ratio * x,
                        Real(0.25) * ratio * y};
    }

    constexpr void make_profile(const Work& w, int slot, int f, int d) const {
        constexpr int known = 6;
        const int n = t.grid.directions, bin = f * n + d;
        const std::int32_t cell = w.cell(slot), first = t.mesh.edge_offset[cell];
        if (cell >= s.first_image) {
            const Real* const of_image = s.profile(cell, t.grid.stride()) + bin;
            row(w, slot, half)[d] = of_image[0];
            row(w, slot, gradient_x)[d] = of_image[t.grid.stride()];
            row(w, slot, gradient_y)[d] = of_image[2 * t.grid.stride()];
            return;
        }
        const Slot of = w.slot[slot];
        const int edges = t.mesh.edge_offset[cell + 1] - first;
        const Real* const own = n_old.data() + cell * t.grid.stride() + bin;
        BinSurroundings<Real> bins;
        bins.m = of.ratio * *own;
        lanes::Four terms[known];
        const auto add_neighbour = [&](int i, const lanes::Four& edge) {
            const std::int32_t behind = s.behind[first + i];
            if (behind == -1) return;
            const bool at_rim = behind <= SecondOrderTables::first_rim;
            const Real* const there =
                at_rim ? s.rim.data() + (SecondOrderTables::first_rim - behind) * std::int64_t{t.grid.bins()}
                       : n_old.data() + behind * t.grid.stride();
            const std::int32_t turned = s.turned.at(first + i);
            bins.add_neighbour(
                at_rim ? of.ratio : t.ratios(behind)[f],
                turned < 0 ? there[bin]
                           : s.turned.arriving(turned, d, n, [&](int at) { return there[f * n + at]; }),
                edge.at[0], edge.at[1]);
        };
        const auto terms_of = [&](int i) {
            return lanes::load<lanes::Four>(s.edge_terms.data() + 4 * (first + i));
        };
        for (int i = 0; i < known; ++i) {
            if (i >= edges) continue;
            terms[i] = terms_of(i);
            add_neighbour(i, terms[i]);
        }
        for (int i = known; i < edges; ++i) add_neighbour(i, terms_of(i));
        for (int i = 0; i < known; ++i) bins.add_edge(terms[i].at[2], terms[i].at[3]);
        for (int i = known; i < edges; ++i) bins.add_edge(terms_of(i).at[2], terms_of(i).at[3]);
        const BinNumbers<Real> numbers{of.ratio * own[d == 0 ? n - 1 : -1],
                                       of.ratio * own[d == n - 1 ? 1 - n : 1],
                                       of.central,
                                       of.travel,
                                       of.excess,
                                       lanes::multiply_add(of.turn_x, s.turn_x[d], of.turn_y * s.turn_y[d]),
                                       t.cosine[d],
                                       t.sine[d],
                                       s.reach[cell],
                                       flows ? static_cast<Real>(0.5 * dt) * s.current_x[cell] : Real(0),
                                       flows ? static_cast<Real>(0.5 * dt) * s.current_y[cell] : Real(0)};
        const BinProfile<Real> profile = profile_of<flows>(bins, numbers, s.limited != 0);
        row(w, slot, half)[d] = profile.half;
        row(w, slot, gradient_x)[d] = profile.gradient_x;
        row(w, slot, gradient_y)[d] = profile.gradient_y;
        row(w, slot, gradient_direction)[d] = profile.gradient_direction;
    }

    constexpr void update(const Work& w, int slot, int f, int d) const {
        const int n = t.grid.directions;
        const std::int32_t cell = w.begin + slot, first = t.mesh.edge_offset[cell];
        const int edges = t.mesh.edge_offset[cell + 1] - first;
        const std::int64_t bin = cell * t.grid.stride() + f * n + d;
        const Real own = row(w, slot, half)[d], g_x = row(w, slot, gradient_x)[d],
                   g_y = row(w, slot, gradient_y)[d], cosine = t.cosine[d], sine = t.sine[d];
        Real change = t.comes_more(cell) ? n_new[bin] : Real(0);
        if (s.turned.any())
            for (int i = 0; i < edges; ++i)
                if (s.turned.at(first + i) >= 0)
                    change += turned_inflow(w, first + i, strengths(w, cell)[i], d);
        for (int i = 0; i < edges; ++i) {
            const std::int32_t e = first + i, beyond = s.slot_beyond[e],
                               there = beyond < 0 || s.turned.at(e) >= 0 ? w.slots : beyond;
            const lanes::Four terms = lanes::load<lanes::Four>(s.edge_terms.data() + 4 * e);
            const Real along = lanes::multiply_add(t.normal_x[e], cosine, t.normal_y[e] * sine);
            const Real strength = strengths(w, cell)[i];
            // Waves and current together, whichever way that is.
            const Real across = flows       ? with_current(cell, e, f, d, strength * along)
                                : along < 0 ? t.obstruct(e, along, d)
                                            : along;
            const Real through = flows ? across : strength * across;
            const Real m =
                across > 0 ? leaving_invariant(terms.at[2], terms.at[3], own, g_x, g_y)
                           : entering_invariant(terms.at[2], terms.at[3], row(w, there, half)[d],
                                                row(w, there, gradient_x)[d], row(w, there, gradient_y)[d]);
            change = lanes::multiply_subtract(through, m, change);
            if (s.spread.empty()) continue;
            const Real aside = lanes::multiply_add((s.spreading_along - s.spreading_across) * along, along,
                                                   s.spreading_across);
            change = lanes::multiply_add(strength * spread_share(cell, e, f) * t.obstruct(e, aside, d),
                                         row(w, there, half)[d] - own, change);
        }
        const bool implicit = w.slot[slot].central == 0;
        const Real step_x = implicit ? Real(0) : w.slot[slot].step_x,
                   step_y = implicit ? Real(0) : w.slot[slot].step_y;
        const auto profile = [&](int at) {
            return DirectionProfile<Real>{row(w, slot, half)[at], row(w, slot, gradient_direction)[at]};
        };
        const Real turned =
            turning_out(lanes::multiply_add(step_x, t.turn_upper_x[d], step_y * t.turn_upper_y[d]),
                        lanes::multiply_add(step_x, t.turn_lower_x[d], step_y * t.turn_lower_y[d]),
                        profile(d), profile(d == n - 1 ? 0 : d + 1), profile(d == 0 ? n - 1 : d - 1));
        n_new[bin] = without_negligible(n_old[bin] + (change - turned));
        if (!s.image_of_cell.empty() && s.image_of_cell[cell] >= 0)
            s.set_profile(s.image_of_cell[cell], t.grid.stride(), f * n + d, Real(0.5), s.add_half != 0,
                          {own, g_x, g_y});
    }
    // What goes out over an edge, of which waves take so much.
    constexpr Real with_current(std::int32_t cell, std::int32_t e, int f, int d, Real waves) const {
        const std::int32_t neighbour = t.mesh.neighbour[e];
        const bool passes = neighbour >= 0 ? s.behind[e] >= 0 && s.turned.at(e) < 0 : t.open(neighbour);
        const Real drift = passes ? static_cast<Real>(dt) * t.drift[e] : Real(0);
        const std::int32_t upstream = neighbour >= 0 && t.drift[e] < 0 ? neighbour : cell;
        const Real through =
            lanes::multiply_add(drift, s.density[upstream * std::int64_t{s.density_row} + f], waves);
        return through < 0 ? through * t.obstruct(e, Real(1), d) : through;
    }

    // Waves that come over an edge between frames, as add_turned_inflow().
    constexpr Real turned_inflow(const Work& w, std::int32_t e, Real strength, int d) const {
        const std::int32_t turned = s.turned.at(e), there = s.slot_beyond[e];
        const lanes::Four out = lanes::load<lanes::Four>(s.turned.out.data() + 4 * turned);
        return s.turned.arriving(turned, d, t.grid.directions, [&](int at) {
            const Real outward = out.at[0] * t.cosine[at] + out.at[1] * t.sine[at];
            const Real face = leaving_invariant(out.at[2], out.at[3], row(w, there, half)[at],
                                                row(w, there, gradient_x)[at], row(w, there, gradient_y)[at]);
            return strength * t.obstruct(e, lanes::positive_part(outward), at) * face;
        });
    }

    // Share of what goes through an edge that spreads over it.
    constexpr Real spread_share(std::int32_t cell, std::int32_t e, int f) const {
        if (s.spread[e] == 0) return 0;
        const auto speed = [&](std::int32_t of) {
            return s.group_speed[of * std::int64_t{t.frequency_stride} + f];
        };
        return Spreading::bounded((speed(cell) + speed(t.mesh.neighbour[e])) * s.spread[e]);
    }
};

}  // namespace groundswell::sea
