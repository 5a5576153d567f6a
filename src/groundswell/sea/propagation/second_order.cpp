#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/tables.hpp"

// Second order needs a cell's gradients and those of its neighbours. Gradients of the whole mesh would cost
// as much memory as the state, so owned cells are taken in tiles of consecutive cells, compact along the
// space-filling curve: the gradients of a tile and of the ring around it are made in cache, a few frequencies
// at a time, used, and forgotten. A gradient is a function of its cell and the neighbours alone, so tiles
// leave no trace in the result.
namespace groundswell::sea {
namespace {

using exec::Real;
using lanes::Lane;

constexpr std::int32_t tile_cells = 64;
constexpr int group_frequencies = 4;

Lane absolute(Lane x) {
    return x > 0 ? x : -x;
}

struct Tile {
    std::int32_t begin = 0, end = 0;   // owned cells; slot i < end − begin is cell begin + i
    std::vector<std::int32_t> ring;    // the slots after those
    std::vector<std::int32_t> beyond;  // slot beyond each edge of the tile's cells, or `nothing`

    std::int32_t cells() const { return end - begin; }
    std::int32_t slots() const { return cells() + static_cast<std::int32_t>(ring.size()); }
    std::int32_t cell(std::int32_t slot) const {
        return slot < cells() ? begin + slot : ring[slot - cells()];
    }
};

constexpr std::int32_t nothing = -1;

// Face values stay this much (relative) above 0, so that rounding cannot make one negative.
constexpr Real positive_margin = 32 * std::numeric_limits<Real>::epsilon();

std::vector<Tile> make_tiles(const PropagationTables& t) {
    std::vector<Tile> tiles;
    std::vector<std::int32_t> slot_of(static_cast<std::size_t>(t.mesh.total), nothing);
    const auto add_tiles = [&](std::int32_t first, std::int32_t last) {
        for (std::int32_t begin = first; begin < last; begin += tile_cells) {
            Tile tile;
            tile.begin = begin;
            tile.end = std::min(begin + tile_cells, last);
            for (std::int32_t cell = tile.begin; cell < tile.end; ++cell) slot_of[cell] = cell - begin;
            for (std::int32_t cell = tile.begin; cell < tile.end; ++cell) {
                for (std::int32_t e = t.mesh.edge_offset[cell]; e < t.mesh.edge_offset[cell + 1]; ++e) {
                    const std::int32_t neighbour = t.mesh.neighbour[e];
                    if (neighbour < 0 || t.crosses_frames(cell, neighbour)) {
                        tile.beyond.push_back(nothing);
                        continue;
                    }
                    if (slot_of[neighbour] == nothing) {
                        slot_of[neighbour] = tile.slots();
                        tile.ring.push_back(neighbour);
                    }
                    tile.beyond.push_back(slot_of[neighbour]);
                }
            }
            for (std::int32_t slot = 0; slot < tile.slots(); ++slot) slot_of[tile.cell(slot)] = nothing;
            tiles.push_back(std::move(tile));
        }
    };
    // A tile must not straddle the border of the interior, or it would read halo cells while they arrive.
    add_tiles(0, t.mesh.interior);
    add_tiles(t.mesh.interior, t.mesh.owned);
    return tiles;
}

struct EdgeTerms {
    const Real* state;  // of the cell beyond; null where M beyond takes no part
    const Real* ratio;
    Real gradient_x, gradient_y;  // times (M beyond − M): contribution to the gradient
    Real half_x, half_y;          // from the centre to the middle of the edge, m
};

// Working memory of one thread, about half of a second-level cache.
struct Workspace {
    // M as a linear function: [frequency of the group][slot][field][directions + 2], rows framed by cyclic
    // neighbours.
    enum Field { invariant, half, gradient_x, gradient_y, gradient_direction, fields };
    exec::Array<Real> profile;
    exec::Array<Real> step_x, step_y;  // [slot][frequency_stride] dt S
    exec::Array<Real> strength;  // [tile's cell][edge][frequency_stride] dt dv/A k_e; 0 where nothing passes
    std::vector<EdgeTerms> edges;      // [slot][edge]
    exec::Array<Real> rotated_change;  // [tile's cells with rotated edges][bins]
    exec::Array<Real> rotated_work;    // of add_rotated_inflow()
    int row_stride, slots, max_edges;

    Workspace(const PropagationTables& t, int most_slots)
        : row_stride(t.grid.directions + 2), slots(most_slots + 1), max_edges(t.mesh.max_edges) {
        const auto slot_count = static_cast<std::size_t>(slots);
        const auto frequencies = static_cast<std::size_t>(t.frequency_stride);
        profile =
            exec::Array<Real>(group_frequencies * slot_count * fields * static_cast<std::size_t>(row_stride));
        std::memset(profile.data(), 0, profile.size() * sizeof(Real));
        step_x = exec::Array<Real>(slot_count * frequencies);
        step_y = exec::Array<Real>(slot_count * frequencies);
        strength = exec::Array<Real>(static_cast<std::size_t>(tile_cells * max_edges) * frequencies);
        edges.resize(slot_count * static_cast<std::size_t>(max_edges));
        rotated_change = exec::Array<Real>(t.rotated_edges.empty() ? 0 : tile_cells * t.grid.stride());
        rotated_work = exec::Array<Real>(t.rotated_work_size());
    }

    // First direction of a row. The last slot stays zero: what lies beyond a coast.
    Real* row(int group_frequency, int slot, int field) {
        return profile.data() + ((group_frequency * slots + slot) * fields + field) * row_stride + 1;
    }
    int zero_slot() const { return slots - 1; }
};

class SecondOrderKernel final : public PropagationKernel {
public:
    explicit SecondOrderKernel(const PropagationTables& tables) : t_(tables), tiles_(make_tiles(tables)) {
        for (const Tile& tile : tiles_) most_slots_ = std::max(most_slots_, tile.slots());
    }

    void propagate(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old, double dt) override {
        while (static_cast<int>(workspaces_.size()) < exec::threads())
            workspaces_.emplace_back(t_, most_slots_);
        const auto first =
            std::partition_point(tiles_.begin(), tiles_.end(), [&](const Tile& x) { return x.end <= begin; });
        const auto last =
            std::partition_point(first, tiles_.end(), [&](const Tile& x) { return x.begin < end; });
        exec::for_each_cell(static_cast<std::int32_t>(first - tiles_.begin()),
                            static_cast<std::int32_t>(last - tiles_.begin()), [&](std::int32_t tile) {
                                propagate_tile(tiles_[tile], begin, end, n_new, n_old, dt,
                                               workspaces_[exec::thread_index()]);
                            });
    }

private:
    // Cells of the tile that also lie in [begin, end).
    void propagate_tile(const Tile& tile, std::int32_t begin, std::int32_t end, Real* n_new,
                        const Real* n_old, double dt, Workspace& w) const {
        for (std::int32_t slot = 0; slot < tile.slots(); ++slot) prepare_slot(tile, slot, n_old, dt, w);
        for (int first = 0; first < t_.grid.frequencies; first += group_frequencies) {
            const int last = std::min(first + group_frequencies, t_.grid.frequencies);
            for (std::int32_t slot = 0; slot < tile.slots(); ++slot)
                make_profiles(tile.cell(slot), slot, first, last, n_old, dt, w);
            const std::int32_t* beyond = tile.beyond.data();
            for (std::int32_t slot = 0; slot < tile.cells(); ++slot) {
                const std::int32_t cell = tile.begin + slot;
                if (begin <= cell && cell < end)
                    update_cell(cell, slot, beyond, first, last, n_new, n_old, dt, w);
                beyond += t_.mesh.edge_offset[cell + 1] - t_.mesh.edge_offset[cell];
            }
        }
    }

    void prepare_slot(const Tile& tile, std::int32_t slot, const Real* n_old, double dt, Workspace& w) const {
        const std::int32_t cell = tile.cell(slot);
        const std::int32_t first = t_.mesh.edge_offset[cell], last = t_.mesh.edge_offset[cell + 1];
        const bool updated = slot < tile.cells();
        const int frequencies = t_.frequency_stride;
        const auto [xx, xy, yy] = t_.gradient_matrix(cell);
        Real* const step_x = w.step_x.data() + slot * frequencies;
        Real* const step_y = w.step_y.data() + slot * frequencies;
        std::fill_n(step_x, frequencies, Real(0));
        std::fill_n(step_y, frequencies, Real(0));
        const Real* const k = t_.wave_numbers(cell);
        for (std::int32_t e = first; e < last; ++e) {
            const std::int32_t neighbour = t_.mesh.neighbour[e];
            const bool regular = neighbour >= 0 && !t_.crosses_frames(cell, neighbour);
            const bool passes = regular || (neighbour == mesh::coast && t_.open(neighbour));
            const Real x = t_.normal_x[e], y = t_.normal_y[e];
            EdgeTerms& terms = w.edges[slot * w.max_edges + (e - first)];
            terms = {};
            if (regular) {
                const Real distance = static_cast<Real>(t_.mesh.edge_distance[e]);
                terms = {n_old + neighbour * t_.grid.stride(),
                         t_.ratios(neighbour),
                         (xx * x + xy * y) / distance,
                         (xy * x + yy * y) / distance,
                         Real(0.5) * distance * x,
                         Real(0.5) * distance * y};
            }
            const Real step = static_cast<Real>(dt) * t_.rate[e];
            const Real* const k_beyond = t_.wave_numbers(neighbour >= 0 ? neighbour : cell);
            Real* const strength = w.strength.data() + (slot * w.max_edges + (e - first)) * frequencies;
            for (int f = 0; f < frequencies; f += lanes::width) {
                const Lane along = step * edge_wave_number(lanes::load(k + f), lanes::load(k_beyond + f));
                lanes::store(step_x + f, lanes::load(step_x + f) + along * x);
                lanes::store(step_y + f, lanes::load(step_y + f) + along * y);
                if (updated) lanes::store(strength + f, passes ? along : Lane{});
            }
        }
        if (updated && !t_.rotated_edges_of(cell).empty()) prepare_rotated(cell, slot, n_old, dt, w);
    }

    // Edges between frames, first order: what enters less what leaves, for all frequencies.
    void prepare_rotated(std::int32_t cell, std::int32_t slot, const Real* n_old, double dt,
                         Workspace& w) const {
        Real* const change = w.rotated_change.data() + slot * t_.grid.stride();
        std::fill_n(change, t_.grid.bins(), Real(0));
        add_rotated_inflow(t_, cell, change, n_old, dt, w.rotated_work.data());
        const Real* const own = n_old + cell * t_.grid.stride();
        for (const RotatedEdge& edge : t_.rotated_edges_of(cell)) {
            const Real step = static_cast<Real>(dt) * t_.rate[edge.edge];
            const Real* const k_beyond = t_.wave_numbers(t_.mesh.neighbour[edge.edge]);
            for (int f = 0; f < t_.grid.frequencies; ++f) {
                const Real factor =
                    step * edge_wave_number(t_.wave_numbers(cell)[f], k_beyond[f]) * t_.ratios(cell)[f];
                for (int d = 0; d < t_.grid.directions; ++d) {
                    const Real across =
                        t_.normal_x[edge.edge] * t_.cosine[d] + t_.normal_y[edge.edge] * t_.sine[d];
                    const int bin = f * t_.grid.directions + d;
                    if (across > 0) change[bin] -= factor * across * own[bin];
                }
            }
        }
    }

    // Fills the rows of a slot for frequencies first ≤ f < last.
    void make_profiles(std::int32_t cell, std::int32_t slot, int first, int last, const Real* n_old,
                       double dt, Workspace& w) const {
        const int n = t_.grid.directions;
        const Real* const ratio = t_.ratios(cell);
        for (int f = first; f < last; ++f) {
            const Real* const own = n_old + cell * t_.grid.stride() + f * n;
            Real* const invariant = w.row(f - first, slot, Workspace::invariant);
            for (int i = 0; i < lanes::count(n); ++i) {
                const int d = lanes::start(i, n);
                lanes::store(invariant + d, ratio[f] * lanes::load(own + d));
            }
            invariant[-1] = ratio[f] * own[n - 1];
            invariant[n] = ratio[f] * own[0];
        }
        const EdgeTerms* const edges = w.edges.data() + slot * w.max_edges;
        const int edge_count = t_.mesh.edge_offset[cell + 1] - t_.mesh.edge_offset[cell];
        for (int f = first; f < last; ++f) {
            Real* const rows = w.row(f - first, slot, 0);
            const bool implicit = t_.turns_implicitly(cell, f, dt);
            const Real excess = implicit ? Real(1) : t_.largest_excess(cell, f, dt);
            const Real travel = static_cast<Real>(0.5 * dt) * t_.group_speeds(cell)[f];
            const Real turn_x = Real(0.25) * ratio[f] * w.step_x[slot * t_.frequency_stride + f];
            const Real turn_y = Real(0.25) * ratio[f] * w.step_y[slot * t_.frequency_stride + f];
            for (int i = 0; i < lanes::count(n); ++i)
                make_profile(rows + lanes::start(i, n), w.row_stride, edges, edge_count, f,
                             lanes::start(i, n), travel, implicit, excess, turn_x, turn_y);
            for (const int field : {Workspace::half, Workspace::gradient_direction}) {
                Real* const row = rows + field * w.row_stride;
                row[-1] = row[n - 1];
                row[n] = row[0];
            }
        }
    }

    // One register of directions from d on; `rows` points at M there, the other fields follow row_stride
    // apart.
    void make_profile(Real* rows, int row_stride, const EdgeTerms* edges, int edge_count, int f, int d,
                      Real travel, bool implicit, Real excess, Real turn_x, Real turn_y) const {
        const int bin = f * t_.grid.directions + d;
        const Lane m = lanes::load(rows);
        Lane highest = m, lowest = m, g_x{}, g_y{};
        for (int e = 0; e < edge_count; ++e) {
            if (!edges[e].state) continue;
            const Lane beyond = edges[e].ratio[f] * lanes::load(edges[e].state + bin);
            const Lane rise = beyond - m;
            highest = lanes::maximum(highest, beyond);
            lowest = lanes::minimum(lowest, beyond);
            g_x += edges[e].gradient_x * rise;
            g_y += edges[e].gradient_y * rise;
        }
        const Lane down = m - lanes::load(rows - 1), up = lanes::load(rows + 1) - m;
        Lane g_direction = Real(0.5) * (down + up);
        if (implicit) g_direction = Lane{};
        const Lane cosine = lanes::load(t_.cosine.data() + d), sine = lanes::load(t_.sine.data() + d);
        const Lane turning =
            (lanes::load(t_.turn_upper_x.data() + d) + lanes::load(t_.turn_lower_x.data() + d)) * turn_x +
            (lanes::load(t_.turn_upper_y.data() + d) + lanes::load(t_.turn_lower_y.data() + d)) * turn_y;
        Lane change = travel * (g_x * cosine + g_y * sine);
        if (t_.options.limiter) {
            // In space, Barth & Jespersen (1989, AIAA 89-0366): values at the edges stay between the
            // neighbours'.
            Lane rise{}, fall{};
            for (int e = 0; e < edge_count; ++e) {
                const Lane to_edge = edges[e].half_x * g_x + edges[e].half_y * g_y;
                rise = lanes::maximum(rise, to_edge);
                fall = lanes::maximum(fall, -to_edge);
            }
            const Lane one = Lane{} + Real(1);
            const Lane room_up = highest - m, room_down = m - lowest;
            const Lane scale_up = rise > room_up ? room_up / rise : one;
            const Lane scale_down = fall > room_down ? room_down / fall : one;
            const Lane scale = lanes::minimum(scale_up, scale_down);
            // In direction, the monotonised central slope (van Leer 1977).
            const Lane bound = Real(2) * lanes::minimum(absolute(down), absolute(up));
            const Lane steepest = lanes::minimum(absolute(g_direction), bound);
            const Lane signed_slope = g_direction > 0 ? steepest : -steepest;
            g_direction = down * up > 0 ? signed_slope : Lane{};
            // And no face value below 0 or so far above M that the bin could run out.
            change = scale * change + turning * g_direction;
            const Lane face =
                lanes::maximum(scale * lanes::maximum(rise, fall), Real(0.5) * absolute(g_direction));
            const Lane reach = (1 + positive_margin) * (absolute(change) + face);
            const Lane room = excess * m;
            const Lane keep = reach > room ? room / reach : one;
            change *= keep;
            g_x *= keep * scale;
            g_y *= keep * scale;
            g_direction *= keep;
        } else {
            change += turning * g_direction;
        }
        lanes::store(rows + Workspace::half * row_stride, m - change);
        lanes::store(rows + Workspace::gradient_x * row_stride, g_x);
        lanes::store(rows + Workspace::gradient_y * row_stride, g_y);
        lanes::store(rows + Workspace::gradient_direction * row_stride, g_direction);
    }

    void update_cell(std::int32_t cell, std::int32_t slot, const std::int32_t* beyond, int first, int last,
                     Real* n_new, const Real* n_old, double dt, Workspace& w) const {
        const int n = t_.grid.directions, stride = w.row_stride;
        const std::int32_t first_edge = t_.mesh.edge_offset[cell];
        const int edge_count = t_.mesh.edge_offset[cell + 1] - first_edge;
        const EdgeTerms* const edges = w.edges.data() + slot * w.max_edges;
        const Real* rotated = nullptr;
        if (!t_.rotated_edges_of(cell).empty()) rotated = w.rotated_change.data() + slot * t_.grid.stride();
        for (int f = first; f < last; ++f) {
            const Real* const rows = w.row(f - first, slot, 0);
            const bool implicit = t_.turns_implicitly(cell, f, dt);
            const Real* const strength = w.strength.data() + slot * w.max_edges * t_.frequency_stride + f;
            const Real step_x = w.step_x[slot * t_.frequency_stride + f],
                       step_y = w.step_y[slot * t_.frequency_stride + f];
            const std::size_t row = cell * t_.grid.stride() + f * n;
            for (int i = 0; i < lanes::count(n); ++i) {
                const int d = lanes::start(i, n);
                const Real* const half_row = rows + Workspace::half * stride + d;
                const Lane half = lanes::load(half_row);
                const Lane g_x = lanes::load(rows + Workspace::gradient_x * stride + d);
                const Lane g_y = lanes::load(rows + Workspace::gradient_y * stride + d);
                const Lane cosine = lanes::load(t_.cosine.data() + d), sine = lanes::load(t_.sine.data() + d);
                Lane change{};
                if (rotated) change = lanes::load(rotated + f * n + d);
                for (int e = 0; e < edge_count; ++e) {
                    const int other = beyond[e] == nothing ? w.zero_slot() : beyond[e];
                    const Real* const other_rows = w.row(f - first, other, 0) + d;
                    const Lane across =
                        t_.normal_x[first_edge + e] * cosine + t_.normal_y[first_edge + e] * sine;
                    const Lane leaving = half + (edges[e].half_x * g_x + edges[e].half_y * g_y);
                    const Lane entering =
                        lanes::load(other_rows + Workspace::half * stride) -
                        (edges[e].half_x * lanes::load(other_rows + Workspace::gradient_x * stride) +
                         edges[e].half_y * lanes::load(other_rows + Workspace::gradient_y * stride));
                    change -=
                        (strength[e * t_.frequency_stride] * across) * (across > 0 ? leaving : entering);
                }
                if (!implicit) change -= turning_change(rows + d, stride, d, step_x, step_y);
                lanes::store(n_new + row + d, without_negligible(lanes::load(n_old + row + d) + change));
            }
            if (implicit) turn_implicitly(t_, n_new + row, t_.ratios(cell)[f], step_x, step_y);
        }
    }

    // Flux through the upper side of the bins less that through the lower.
    Lane turning_change(const Real* rows, int stride, int d, Real step_x, Real step_y) const {
        const Real* const half = rows + Workspace::half * stride;
        const Real* const slope = rows + Workspace::gradient_direction * stride;
        const Lane upper = lanes::load(t_.turn_upper_x.data() + d) * step_x +
                           lanes::load(t_.turn_upper_y.data() + d) * step_y;
        const Lane lower = lanes::load(t_.turn_lower_x.data() + d) * step_x +
                           lanes::load(t_.turn_lower_y.data() + d) * step_y;
        const Lane own = lanes::load(half), own_slope = Real(0.5) * lanes::load(slope);
        const Lane above = lanes::load(half + 1) - Real(0.5) * lanes::load(slope + 1);
        const Lane below = lanes::load(half - 1) + Real(0.5) * lanes::load(slope - 1);
        const Lane upper_face = upper > 0 ? own + own_slope : above;
        const Lane lower_face = lower > 0 ? below : own - own_slope;
        return upper * upper_face - lower * lower_face;
    }

    const PropagationTables& t_;
    const std::vector<Tile> tiles_;
    std::int32_t most_slots_ = 0;
    std::vector<Workspace> workspaces_;
};

}  // namespace

std::unique_ptr<PropagationKernel> make_second_order_kernel(const PropagationTables& tables) {
    return std::make_unique<SecondOrderKernel>(tables);
}

}  // namespace groundswell::sea
