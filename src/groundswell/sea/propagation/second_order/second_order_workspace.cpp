#include "groundswell/sea/propagation/second_order/second_order_workspace.hpp"

#include <algorithm>

#include "groundswell/sea/propagation/kernels.hpp"

namespace groundswell::sea {

namespace {

// What depends on cell and frequency.
void prepare_frequencies(const PropagationTables& t, std::int32_t cell, std::int32_t slot, bool updated,
                         double dt, SecondOrderWorkspace& w) {
    const int row = slot * t.frequency_stride;
    const Real half_step = static_cast<Real>(0.5 * dt);
    for (int f = 0; f < t.grid.frequencies; ++f) {
        const bool implicit = t.turns_implicitly(cell, f, dt);
        w.travel[row + f] = half_step * t.group_speeds(cell)[f];
        w.turn_x[row + f] = Real(0.25) * t.ratios(cell)[f] * w.step_x[row + f];
        w.turn_y[row + f] = Real(0.25) * t.ratios(cell)[f] * w.step_y[row + f];
        w.central[row + f] = implicit ? Real(0) : Real(0.5);
        w.excess[row + f] = implicit ? Real(1) : t.largest_excess(cell, f, dt);
        if (!updated) continue;
        w.explicit_step_x[row + f] = implicit ? Real(0) : w.step_x[row + f];
        w.explicit_step_y[row + f] = implicit ? Real(0) : w.step_y[row + f];
    }
}

// What spreads over an edge, from the strength of what goes through.
void prepare_spread(const PropagationTables& t, std::int32_t cell, std::int32_t e, const Real* strength,
                    Real* spread) {
    const std::int32_t neighbour = t.mesh.neighbour[e];
    std::fill_n(spread, t.frequency_stride, Real(0));
    if (!t.spreads(cell, neighbour)) return;
    const Real *own = t.group_speeds(cell), *beyond = t.group_speeds(neighbour);
    for (int f = 0; f < t.frequency_stride; f += lanes::width)
        lanes::store(spread + f, lanes::load(strength + f) * t.spreading.share(lanes::load(own + f),
                                                                               lanes::load(beyond + f),
                                                                               t.mesh.edge_distance[e]));
}

// What enters where the mesh ends, and what a current takes over edges between frames, for all frequencies.
void prepare_more(const PropagationTables& t, std::int32_t cell, std::int32_t slot, const Real* n_old,
                  double dt, SecondOrderWorkspace& w) {
    Real* const change = w.rotated_change.data() + slot * t.grid.stride();
    std::fill_n(change, t.grid.bins(), Real(0));
    if (t.inflow) t.inflow->add(t, cell, change, dt);
    add_rotated_drift(t, cell, change, n_old, dt, w.rotated_work);
}

}  // namespace

std::vector<Tile> make_tiles(const PropagationTables& t, std::int32_t most_cells) {
    std::vector<Tile> tiles;
    std::vector<std::int32_t> slot_of(t.mesh.total, Tile::nothing);
    const auto add_tiles = [&](std::int32_t first, std::int32_t last) {
        for (std::int32_t begin = first; begin < last; begin += most_cells) {
            Tile tile;
            tile.begin = begin;
            tile.end = std::min(begin + most_cells, last);
            for (std::int32_t cell = tile.begin; cell < tile.end; ++cell) slot_of[cell] = cell - begin;
            for (std::int32_t cell = tile.begin; cell < tile.end; ++cell) {
                for (std::int32_t e = t.mesh.edge_offset[cell]; e < t.mesh.edge_offset[cell + 1]; ++e) {
                    const std::int32_t neighbour = t.mesh.neighbour[e];
                    if (neighbour < 0) {
                        tile.beyond.push_back(Tile::nothing);
                        continue;
                    }
                    if (slot_of[neighbour] == Tile::nothing) {
                        slot_of[neighbour] = tile.slots();
                        tile.ring.push_back(neighbour);
                    }
                    const bool turned = t.crosses_frames(cell, neighbour);
                    if (turned) tile.turned.push_back(slot_of[neighbour]);
                    tile.beyond.push_back(turned ? Tile::nothing : slot_of[neighbour]);
                }
            }
            for (std::int32_t slot = 0; slot < tile.slots(); ++slot) slot_of[tile.cell(slot)] = Tile::nothing;
            tiles.push_back(std::move(tile));
        }
    };
    for (const mesh::CellGroup& group : t.mesh.groups) {
        for (const mesh::CellRange cells : {group.interior, group.rim}) add_tiles(cells.begin, cells.end);
    }
    return tiles;
}

EdgeTerms edge_terms(const PropagationTables& t, std::int32_t cell, std::int32_t e,
                     const std::array<Real, 3>& matrix) {
    const std::int32_t neighbour = t.mesh.neighbour[e];
    const Real x = t.normal_x[e], y = t.normal_y[e];
    EdgeTerms terms{neighbour >= 0,
                    t.crosses_frames(cell, neighbour),
                    neighbour < 0 ? t.beyond_rim(cell, e) : nullptr,
                    0,
                    0,
                    0,
                    0,
                    0};
    if (!terms.between && terms.at_rim == nullptr) return terms;
    // To where the value beyond lies, and to the face.
    const Real distance =
        static_cast<Real>(terms.between ? t.mesh.edge_distance[e] : t.distance_to_rim(cell, e));
    const auto [xx, xy, yy] = matrix;
    terms.gradient_x = (xx * x + xy * y) / distance;
    terms.gradient_y = (xy * x + yy * y) / distance;
    terms.reach = terms.between ? Real(0.5) * distance : distance;
    terms.half_x = terms.reach * x;
    terms.half_y = terms.reach * y;
    return terms;
}

void prepare_slot(const PropagationTables& t, const Tile& tile, std::int32_t slot, const Real* n_old,
                  double dt, SecondOrderWorkspace& w) {
    const std::int32_t cell = tile.cell(slot);
    const std::int32_t first = t.mesh.edge_offset[cell], last = t.mesh.edge_offset[cell + 1];
    const bool updated = slot < tile.cells();
    const int frequencies = t.frequency_stride;
    const std::array<Real, 3> matrix = t.gradient_matrix(cell);
    Real* const step_x = w.step_x.data() + slot * frequencies;
    Real* const step_y = w.step_y.data() + slot * frequencies;
    std::fill_n(step_x, frequencies, Real(0));
    std::fill_n(step_y, frequencies, Real(0));
    w.reach[slot] = 0;
    std::size_t turned = 0;  // edges
    GradientTerms* gradient = w.gradients.data() + slot * w.max_edges;
    const Real* const k = t.wave_numbers(cell);
    for (std::int32_t e = first; e < last; ++e) {
        const std::int32_t neighbour = t.mesh.neighbour[e];
        const EdgeTerms terms = edge_terms(t, cell, e, matrix);
        const bool passes = terms.between || (neighbour == voronoi::coast && t.open(neighbour));
        const Real x = t.normal_x[e], y = t.normal_y[e];
        w.reach[slot] = std::max(w.reach[slot], terms.reach);
        if (terms.between || terms.at_rim)
            *gradient++ = {terms.at_rim   ? terms.at_rim
                           : terms.turned ? w.turned_state.data() + turned++ * t.grid.stride()
                                          : n_old + neighbour * t.grid.stride(),
                           t.ratios(terms.at_rim ? cell : neighbour),
                           terms.gradient_x,
                           terms.gradient_y,
                           terms.half_x,
                           terms.half_y};
        const int edge = slot * w.max_edges + (e - first);
        if (updated) {
            w.half_x[edge] = terms.half_x;
            w.half_y[edge] = terms.half_y;
            if (t.flow) {
                w.drift[edge] = passes && !terms.turned ? static_cast<Real>(dt) * t.flow->drift[e] : Real(0);
                w.density[edge] =
                    t.flow->densities(neighbour >= 0 && t.flow->drift[e] < 0 ? neighbour : cell);
            }
        }
        const Real step = static_cast<Real>(dt) * t.rate[e];
        const Real* const k_beyond = t.wave_numbers(neighbour >= 0 ? neighbour : cell);
        Real* const strength = w.strength.data() + edge * frequencies;
        for (int f = 0; f < frequencies; f += lanes::width) {
            const lanes::Lane along = step * edge_wave_number(lanes::load(k + f), lanes::load(k_beyond + f));
            lanes::store(step_x + f, lanes::multiply_add(x, along, lanes::load(step_x + f)));
            lanes::store(step_y + f, lanes::multiply_add(y, along, lanes::load(step_y + f)));
            if (updated) lanes::store(strength + f, passes ? along : lanes::Lane{});
        }
        if (updated && t.spreading.any())
            prepare_spread(t, cell, e, strength, w.spread.data() + edge * frequencies);
    }
    if (t.flow) {
        w.travel_x[slot] = static_cast<Real>(0.5 * dt) * t.flow->x[cell];
        w.travel_y[slot] = static_cast<Real>(0.5 * dt) * t.flow->y[cell];
    }
    prepare_frequencies(t, cell, slot, updated, dt, w);
    w.gradient_count[slot] = static_cast<int>(gradient - (w.gradients.data() + slot * w.max_edges));
    w.turned[slot] = turned > 0 ? 1 : 0;
    if (!updated) return;
    w.gets_more[slot] = turned > 0 || t.lets_in(cell) ? 1 : 0;
    if (w.gets_more[slot]) prepare_more(t, cell, slot, n_old, dt, w);
}

void set_aside(const PropagationTables& t, std::int32_t edge, int slot_edge, int beside,
               SecondOrderWorkspace& w) {
    const int row = slot_edge * w.across_stride + lanes::table_width;
    const Real* const across = w.across.data() + row;
    Real* const aside = w.aside.data() + row;
    const Real bend = t.spreading.along - t.spreading.across;
    for (int d = -lanes::padded(beside); d < t.grid.directions; d += lanes::width) {
        const lanes::Lane along = lanes::load(across + d);
        lanes::store(aside + d,
                     lanes::multiply_add(bend * along, along, lanes::broadcast(t.spreading.across)));
    }
    if (!t.lets_all_in(edge)) t.obstruct(edge, aside, 0, t.grid.directions);
}

void obstruct_edge(const PropagationTables& t, std::int32_t edge, int slot_edge, int beside,
                   SecondOrderWorkspace& w) {
    const int first = -lanes::padded(beside), last = lanes::padded(t.grid.directions);
    const int row = slot_edge * w.across_stride + lanes::table_width;
    if (t.options.currents) {  // of waves and current together, whichever way that is
        Real* const share = w.shares.data() + row;
        std::fill(share + first, share + last, Real(1));
        t.obstruct(edge, share, first, last);
        w.share[slot_edge] = share;
        return;
    }
    Real* const across = w.across.data() + row;
    for (int d = first; d < last; ++d)
        if (across[d] < 0) t.obstruct(edge, across, d, d + 1);
}

}  // namespace groundswell::sea
