#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/second_order_workspace.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {
namespace {

constexpr int group_frequencies = SecondOrderWorkspace::group_frequencies;

// Registers of a row that are worked on at once: as many as leave room for what they have in common.
constexpr int at_once = 2;

// Face values stay this much (relative) above 0, so that rounding cannot make one negative.
constexpr Real positive_margin = 32 * std::numeric_limits<Real>::epsilon();

template <class Rows>
class SecondOrderKernel final : public PropagationKernel {
public:
    SecondOrderKernel(const PropagationTables& tables, const Rows& rows)
        : t_(tables), rows_(rows), tiles_(make_tiles(tables)) {
        for (const Tile& tile : tiles_) most_slots_ = std::max(most_slots_, tile.slots());
        turn_x_ = DirectionTable(t_.direction_stride);
        turn_y_ = DirectionTable(t_.direction_stride);
        for (int d = -lanes::table_width; d < t_.direction_stride; ++d) {
            turn_x_.data()[d] = t_.turn_upper_x.data()[d] + t_.turn_lower_x.data()[d];
            turn_y_.data()[d] = t_.turn_upper_y.data()[d] + t_.turn_lower_y.data()[d];
        }
    }

    void propagate(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old, double dt) override {
        while (static_cast<int>(workspaces_.size()) < exec::threads())
            workspaces_.emplace_back(t_, rows_.beside(), most_slots_);
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
                        const Real* n_old, double dt, SecondOrderWorkspace& w) const {
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

    void prepare_slot(const Tile& tile, std::int32_t slot, const Real* n_old, double dt,
                      SecondOrderWorkspace& w) const {
        const std::int32_t cell = tile.cell(slot);
        const std::int32_t first = t_.mesh.edge_offset[cell], last = t_.mesh.edge_offset[cell + 1];
        const bool updated = slot < tile.cells();
        const int frequencies = t_.frequency_stride;
        const auto [xx, xy, yy] = t_.gradient_matrix(cell);
        Real* const step_x = w.step_x.data() + slot * frequencies;
        Real* const step_y = w.step_y.data() + slot * frequencies;
        std::fill_n(step_x, frequencies, Real(0));
        std::fill_n(step_y, frequencies, Real(0));
        GradientTerms* gradient = w.gradients.data() + slot * w.max_edges;
        const Real* const k = t_.wave_numbers(cell);
        for (std::int32_t e = first; e < last; ++e) {
            const std::int32_t neighbour = t_.mesh.neighbour[e];
            const bool regular = neighbour >= 0 && !t_.crosses_frames(cell, neighbour);
            const bool passes = regular || (neighbour == voronoi::coast && t_.open(neighbour));
            const Real x = t_.normal_x[e], y = t_.normal_y[e];
            const Real distance = regular ? static_cast<Real>(t_.mesh.edge_distance[e]) : Real(0);
            const Real half_x = Real(0.5) * distance * x, half_y = Real(0.5) * distance * y;
            if (regular)
                *gradient++ = {n_old + neighbour * t_.grid.stride(),
                               t_.ratios(neighbour),
                               (xx * x + xy * y) / distance,
                               (xy * x + yy * y) / distance,
                               half_x,
                               half_y};
            const int edge = slot * w.max_edges + (e - first);
            if (updated) {
                w.half_x[edge] = half_x;
                w.half_y[edge] = half_y;
            }
            const Real step = static_cast<Real>(dt) * t_.rate[e];
            const Real* const k_beyond = t_.wave_numbers(neighbour >= 0 ? neighbour : cell);
            Real* const strength = w.strength.data() + edge * frequencies;
            for (int f = 0; f < frequencies; f += lanes::width) {
                const lanes::Lane along =
                    step * edge_wave_number(lanes::load(k + f), lanes::load(k_beyond + f));
                lanes::store(step_x + f, lanes::multiply_add(x, along, lanes::load(step_x + f)));
                lanes::store(step_y + f, lanes::multiply_add(y, along, lanes::load(step_y + f)));
                if (updated) lanes::store(strength + f, passes ? along : lanes::Lane{});
            }
        }
        w.gradient_count[slot] = static_cast<int>(gradient - (w.gradients.data() + slot * w.max_edges));
        if (!updated) return;
        w.turns[slot] = t_.rotated_edges_of(cell).empty() ? 0 : 1;
        if (w.turns[slot]) prepare_rotated(cell, slot, n_old, dt, w);
    }

    // Edges between frames, first order: what enters less what leaves, for all frequencies.
    void prepare_rotated(std::int32_t cell, std::int32_t slot, const Real* n_old, double dt,
                         SecondOrderWorkspace& w) const {
        Real* const change = w.rotated_change.data() + slot * t_.grid.stride();
        std::fill_n(change, t_.grid.bins(), Real(0));
        add_rotated_inflow(t_, cell, change, n_old, dt, w.rotated_work.data());
        take_rotated_outflow(t_, cell, change, n_old + cell * t_.grid.stride(), dt, w.rotated_work.data());
    }

    // Fills the rows of a slot for frequencies first ≤ f < last.
    void make_profiles(std::int32_t cell, std::int32_t slot, int first, int last, const Real* n_old,
                       double dt, SecondOrderWorkspace& w) const {
        const int n = t_.grid.directions;
        const Real* const ratio = t_.ratios(cell);
        // All rows before the first is used: what was just written is slow to read at another place.
        for (int f = first; f < last; ++f) {
            const Real* const own = n_old + cell * t_.grid.stride() + f * n;
            Real* const invariant = w.invariant_row(f - first);
            rows_.template cover<1>(f, [&]<class Block>(Block, int d) {
                lanes::store(invariant + d, ratio[f] * lanes::load<typename Block::Lane>(own + d));
            });
            invariant[-1] = ratio[f] * own[n - 1];
            invariant[n] = ratio[f] * own[0];
        }
        for (int f = first; f < last; ++f) {
            const bool implicit = t_.turns_implicitly(cell, f, dt);
            const Row row{w.invariant_row(f - first),
                          w.row(slot, f - first),
                          w.row_stride,
                          w.gradient_count[slot],
                          w.gradients.data() + slot * w.max_edges,
                          f,
                          static_cast<Real>(0.5 * dt) * t_.group_speeds(cell)[f],
                          implicit ? Real(0) : Real(0.5),
                          implicit ? Real(1) : t_.largest_excess(cell, f, dt),
                          Real(0.25) * ratio[f] * w.step_x[slot * t_.frequency_stride + f],
                          Real(0.25) * ratio[f] * w.step_y[slot * t_.frequency_stride + f]};
            if (row.edges == 6)
                make_row<6>(row);
            else
                make_row<0>(row);
        }
        for (int f = first; f < last; ++f) {
            for (const int field : {SecondOrderWorkspace::half, SecondOrderWorkspace::gradient_direction}) {
                Real* const values = w.row(slot, f - first) + field * w.row_stride;
                values[-1] = values[n - 1];
                values[n] = values[0];
            }
        }
    }

    // What one row of a profile is made from.
    struct Row {
        const Real* invariant;  // M
        Real* profile;          // fields row_stride apart
        int row_stride, edges;
        const GradientTerms* edge;
        int f;
        Real travel;          // of half a step, m
        Real central;         // half, or 0 where turning is implicit and takes no slope
        Real excess;          // as PropagationTables::largest_excess
        Real turn_x, turn_y;  // a quarter of a step's turning
    };

    // `fixed_edges`: 0, or as many as there are.
    template <int fixed_edges>
    void make_row(const Row& row) const {
        rows_.template cover<at_once>(
            row.f, [&]<class Block>(Block, int d) { make_profile<Block, fixed_edges>(row, d); });
    }

    template <class Block, int fixed_edges>
    void make_profile(const Row& row, int d) const {
        using Lane = typename Block::Lane;
        const int edges = fixed_edges > 0 ? fixed_edges : row.edges;
        const int bin = row.f * t_.grid.directions + d;
        Lane m[Block::count], highest[Block::count], lowest[Block::count], g_x[Block::count],
            g_y[Block::count];
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r) {
            m[r] = lanes::load<Lane>(row.invariant + Block::start(d, r));
            highest[r] = lowest[r] = g_x[r] = g_y[r] = Lane{};
        }
#pragma GCC unroll 8
        for (int e = 0; e < edges; ++e) {
            const GradientTerms& edge = row.edge[e];
            const Real ratio = edge.ratio[row.f];
#pragma GCC unroll 4
            for (int r = 0; r < Block::count; ++r) {
                const Lane rise =
                    lanes::multiply_add(ratio, lanes::load<Lane>(edge.state + Block::start(bin, r)), -m[r]);
                highest[r] = lanes::maximum(rise, highest[r]);
                lowest[r] = lanes::minimum(rise, lowest[r]);
                g_x[r] = lanes::multiply_add(edge.gradient_x, rise, g_x[r]);
                g_y[r] = lanes::multiply_add(edge.gradient_y, rise, g_y[r]);
            }
        }
        // How far the values at the edges lie above and below M.
        Lane rise[Block::count], fall[Block::count];
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r) rise[r] = fall[r] = Lane{};
#pragma GCC unroll 8
        for (int e = 0; e < edges; ++e) {
            const GradientTerms& edge = row.edge[e];
#pragma GCC unroll 4
            for (int r = 0; r < Block::count; ++r) {
                const Lane to_edge = lanes::multiply_add(edge.half_x, g_x[r], edge.half_y * g_y[r]);
                rise[r] = lanes::maximum(to_edge, rise[r]);
                fall[r] = lanes::minimum(to_edge, fall[r]);
            }
        }
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r)
            finish_profile(row, Block::start(d, r), m[r], highest[r], -lowest[r], g_x[r], g_y[r], rise[r],
                           -fall[r]);
    }

    // Limits the slopes of a register and takes M to the middle of the step. room_up, room_down: how far the neighbours lie
    // above and below M; rise, fall: how far the values at the edges do.
    template <class Lane>
    __attribute__((always_inline)) void finish_profile(const Row& row, int d, Lane m, Lane room_up,
                                                       Lane room_down, Lane g_x, Lane g_y, Lane rise,
                                                       Lane fall) const {
        const auto load = [](const Real* values) { return lanes::load<Lane>(values); };
        const Lane below = load(row.invariant + d - 1), above = load(row.invariant + d + 1);
        Lane g_direction = row.central * (above - below);
        const Lane turning =
            lanes::multiply_add(row.turn_x, load(turn_x_.data() + d), row.turn_y * load(turn_y_.data() + d));
        Lane change =
            row.travel * lanes::multiply_add(g_x, load(t_.cosine.data() + d), g_y * load(t_.sine.data() + d));
        if (t_.options.limiter) {
            const Lane one = lanes::broadcast<Lane>(1);
            // In space, Barth & Jespersen (1989, AIAA 89-0366): values at the edges stay between the neighbours'. Of the
            // two quotients the smaller one, found by products to save a division.
            const auto up_is_nearer = room_up * fall < room_down * rise;
            const Lane room_there = up_is_nearer ? room_up : room_down;
            const Lane reach_there = up_is_nearer ? rise : fall;
            const Lane scale = reach_there > room_there ? room_there / reach_there : one;
            // In direction, the monotonised central slope (van Leer 1977).
            const Lane down = m - below, up = above - m;
            const Lane least = lanes::minimum(lanes::absolute(down), lanes::absolute(up));
            const Lane steepest = lanes::minimum(lanes::absolute(g_direction), least + least);
            g_direction = down * up > 0 ? lanes::with_sign(steepest, down) : Lane{};
            // And no face value below 0 or so far above M that the bin could run out.
            change = lanes::multiply_add(scale, change, turning * g_direction);
            const Lane face =
                lanes::maximum(scale * lanes::maximum(rise, fall), Real(0.5) * lanes::absolute(g_direction));
            const Lane reach = (1 + positive_margin) * (lanes::absolute(change) + face);
            const Lane room = row.excess * m;
            const Lane keep = reach > room ? room / reach : one;
            change *= keep;
            g_x *= keep * scale;
            g_y *= keep * scale;
            g_direction *= keep;
        } else {
            change = lanes::multiply_add(turning, g_direction, change);
        }
        Real* const profile = row.profile + d;
        lanes::store(profile + SecondOrderWorkspace::half * row.row_stride, m - change);
        lanes::store(profile + SecondOrderWorkspace::gradient_x * row.row_stride, g_x);
        lanes::store(profile + SecondOrderWorkspace::gradient_y * row.row_stride, g_y);
        lanes::store(profile + SecondOrderWorkspace::gradient_direction * row.row_stride, g_direction);
    }

    void update_cell(std::int32_t cell, std::int32_t slot, const std::int32_t* beyond, int first, int last,
                     Real* n_new, const Real* n_old, double dt, SecondOrderWorkspace& w) const {
        const int n = t_.grid.directions;
        const std::int32_t first_edge = t_.mesh.edge_offset[cell];
        const int edges = t_.mesh.edge_offset[cell + 1] - first_edge;
        for (int e = 0; e < edges; ++e) {
            const Real x = t_.normal_x[first_edge + e], y = t_.normal_y[first_edge + e];
            Real* const across = w.across.data() + e * w.across_stride + lanes::table_width;
            for (int d = -lanes::table_width; d < t_.direction_stride; d += lanes::width)
                lanes::store(across + d, lanes::multiply_add(x, lanes::load(t_.cosine.data() + d),
                                                             y * lanes::load(t_.sine.data() + d)));
            w.beyond[e] = w.row(beyond[e] == Tile::nothing ? w.zero_slot() : beyond[e], 0);
        }
        const Real* rotated = nullptr;
        if (w.turns[slot]) rotated = w.rotated_change.data() + slot * t_.grid.stride();
        for (int f = first; f < last; ++f) {
            const std::size_t row = cell * t_.grid.stride() + f * n;
            const int own = (f - first) * SecondOrderWorkspace::fields * w.row_stride;
            const bool implicit = t_.turns_implicitly(cell, f, dt);
            const Update update{w.row(slot, 0) + own,
                                w.beyond.data(),
                                own,
                                edges,
                                w.strength.data() + slot * w.max_edges * t_.frequency_stride + f,
                                w.half_x.data() + slot * w.max_edges,
                                w.half_y.data() + slot * w.max_edges,
                                w.across.data() + lanes::table_width,
                                implicit,
                                w.step_x[slot * t_.frequency_stride + f],
                                w.step_y[slot * t_.frequency_stride + f],
                                rotated ? rotated + f * n : nullptr,
                                n_old + row,
                                n_new + row};
            rows_.template cover<at_once>(
                f, [&]<class Block>(Block, int d) { update_bins<Block>(update, d, w); });
            if (implicit) turn_implicitly(t_, n_new + row, t_.ratios(cell)[f], update.step_x, update.step_y);
        }
    }

    // One row of a cell.
    struct Update {
        const Real* own;            // its profile
        const Real* const* beyond;  // [edge] profiles of the neighbours' first row of the group
        int row;                    // from there on
        int edges;
        const Real* strength;  // [edge][frequency_stride]
        const Real *half_x, *half_y;
        const Real* across;
        bool implicit;
        Real step_x, step_y;
        const Real* rotated;  // null, or what comes over edges between frames
        const Real* n_old;
        Real* n_new;
    };

    template <class Block>
    void update_bins(const Update& u, int d, const SecondOrderWorkspace& w) const {
        using Lane = typename Block::Lane;
        const auto load = [](const Real* values) { return lanes::load<Lane>(values); };
        const int along_x = SecondOrderWorkspace::gradient_x * w.row_stride,
                  along_y = SecondOrderWorkspace::gradient_y * w.row_stride;
        Lane half[Block::count], g_x[Block::count], g_y[Block::count], change[Block::count];
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r) {
            const Real* const own = u.own + Block::start(d, r);
            half[r] = load(own);
            g_x[r] = load(own + along_x);
            g_y[r] = load(own + along_y);
            change[r] = u.rotated ? load(u.rotated + Block::start(d, r)) : Lane{};
        }
        for (int e = 0; e < u.edges; ++e) {
            const Real half_x = u.half_x[e], half_y = u.half_y[e], step = u.strength[e * t_.frequency_stride];
            const Real* const normal = u.across + e * w.across_stride + d;
            const Real* const beyond = u.beyond[e] + u.row + d;
#pragma GCC unroll 4
            for (int r = 0; r < Block::count; ++r) {
                const Real* const there = Block::start(beyond, r);
                const Lane across = load(Block::start(normal, r));
                const Lane leaving =
                    lanes::multiply_add(half_x, g_x[r], lanes::multiply_add(half_y, g_y[r], half[r]));
                const Lane entering = lanes::multiply_subtract(
                    half_x, load(there + along_x),
                    lanes::multiply_subtract(half_y, load(there + along_y), load(there)));
                change[r] =
                    lanes::multiply_subtract(step * across, across > 0 ? leaving : entering, change[r]);
            }
        }
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r) {
            const int at = Block::start(d, r);
            if (!u.implicit)
                change[r] -= turning_change<Lane>(u.own + at, w.row_stride, at, u.step_x, u.step_y);
            rows_.store_row(u.n_new, at, without_negligible(load(u.n_old + at) + change[r]));
        }
    }

    // Flux through the upper side of the bins less that through the lower.
    template <class Lane>
    __attribute__((always_inline)) Lane turning_change(const Real* half, int row_stride, int d, Real step_x,
                                                       Real step_y) const {
        const auto load = [](const Real* values) { return lanes::load<Lane>(values); };
        const Real* const slope = half + SecondOrderWorkspace::gradient_direction * row_stride;
        const Lane upper = lanes::multiply_add(step_x, load(t_.turn_upper_x.data() + d),
                                               step_y * load(t_.turn_upper_y.data() + d));
        const Lane lower = lanes::multiply_add(step_x, load(t_.turn_lower_x.data() + d),
                                               step_y * load(t_.turn_lower_y.data() + d));
        const Lane own = load(half), own_slope = load(slope);
        const Lane above = lanes::multiply_subtract(Real(0.5), load(slope + 1), load(half + 1));
        const Lane below = lanes::multiply_add(Real(0.5), load(slope - 1), load(half - 1));
        const Lane upper_face = upper > 0 ? lanes::multiply_add(Real(0.5), own_slope, own) : above;
        const Lane lower_face = lower > 0 ? below : lanes::multiply_subtract(Real(0.5), own_slope, own);
        return lanes::multiply_add(upper, upper_face, -(lower * lower_face));
    }

    const PropagationTables& t_;
    const Rows rows_;
    const std::vector<Tile> tiles_;
    std::int32_t most_slots_ = 0;
    DirectionTable turn_x_, turn_y_;  // of both sides of a bin together
    std::vector<SecondOrderWorkspace> workspaces_;
};

}  // namespace

std::unique_ptr<PropagationKernel> make_second_order_kernel(const PropagationTables& tables) {
    return lanes::with_rows(tables.grid.directions, tables.grid.frequencies,
                            [&]<class Rows>(const Rows& rows) -> std::unique_ptr<PropagationKernel> {
                                return std::make_unique<SecondOrderKernel<Rows>>(tables, rows);
                            });
}

}  // namespace groundswell::sea
