#include <algorithm>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/second_order/second_order_profiles.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {
namespace {
constexpr int group_frequencies = SecondOrderWorkspace::group_frequencies;
// Registers of a row that are worked on at once: as many as leave room for what they have in common.
constexpr int at_once = 2;

// `flows`: with a current.
template <class Rows, bool flows>
class SecondOrderKernel final : public PropagationKernel, SecondOrderProfiles<flows> {
public:
    SecondOrderKernel(const PropagationTables& tables, const Rows& rows)
        : SecondOrderProfiles<flows>(tables), rows_(rows), tiles_(make_tiles(tables)), images_(tables.grid) {
        for (const Tile& tile : tiles_) most_slots_ = std::max(most_slots_, tile.slots());
    }

    void propagate(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old, double dt) override {
        make_workspaces();
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
    void use_images(std::int32_t first, Real* profiles) override { images_.use(first, profiles); }
    void set_profiles(std::span<const std::int32_t> cells, std::int32_t first, const Real* n_old,
                      double dt) override {
        make_workspaces();
        exec::for_each_cell(0, static_cast<std::int32_t>(cells.size()), [&](std::int32_t i) {
            set_profile(cells[i], first + i, n_old, dt, workspaces_[exec::thread_index()]);
        });
    }
    void keep_half_profiles(std::span<const std::int32_t> image_of_cell, bool add) override {
        images_.keep_half(image_of_cell, add);
    }

private:
    void make_workspaces() {
        while (static_cast<int>(workspaces_.size()) < exec::threads())
            workspaces_.emplace_back(t_, rows_.beside(), most_slots_);
    }

    void set_profile(std::int32_t cell, std::int32_t image, const Real* n_old, double dt,
                     SecondOrderWorkspace& w) const {
        w.alone.ring = {cell};  // a tile of no cells to propagate
        prepare_slot(t_, w.alone, 0, n_old, dt, w);
        for (int first = 0; first < t_.grid.frequencies; first += group_frequencies) {
            const int last = std::min(first + group_frequencies, t_.grid.frequencies);
            make_profiles(cell, 0, first, last, n_old, w);
            for (int f = first; f < last; ++f) images_.write(image, f, face_rows(0, f - first, w));
        }
    }

    static ImageProfiles::Rows face_rows(std::int32_t slot, int group_frequency, SecondOrderWorkspace& w) {
        Real* const row = w.row(slot, group_frequency);
        return {row + SecondOrderWorkspace::half * w.row_stride,
                row + SecondOrderWorkspace::gradient_x * w.row_stride,
                row + SecondOrderWorkspace::gradient_y * w.row_stride};
    }

    // Cells of the tile that also lie in [begin, end).
    void propagate_tile(const Tile& tile, std::int32_t begin, std::int32_t end, Real* n_new,
                        const Real* n_old, double dt, SecondOrderWorkspace& w) const {
        for (std::int32_t slot = 0; slot < tile.slots(); ++slot) {
            if (!images_.is_image(tile.cell(slot))) prepare_slot(t_, tile, slot, n_old, dt, w);
        }
        for (int first = 0; first < t_.grid.frequencies; first += group_frequencies) {
            const int last = std::min(first + group_frequencies, t_.grid.frequencies);
            for (std::int32_t slot = 0; slot < tile.slots(); ++slot) {
                const std::int32_t cell = tile.cell(slot);
                if (!images_.is_image(cell)) {
                    make_profiles(cell, slot, first, last, n_old, w);
                    continue;
                }
                for (int f = first; f < last; ++f) images_.read(cell, f, face_rows(slot, f - first, w));
            }
            const std::int32_t *beyond = tile.beyond.data(), *turned = tile.turned.data();
            for (std::int32_t slot = 0; slot < tile.cells(); ++slot) {
                const std::int32_t cell = tile.begin + slot;
                if (w.turned[slot]) turned = add_turned_inflow(t_, cell, slot, turned, first, last, dt, w);
                if (begin <= cell && cell < end) {
                    update_cell(cell, slot, beyond, first, last, n_new, n_old, dt, w);
                    for (int f = first; f < last; ++f)
                        images_.keep_half_of(cell, f, face_rows(slot, f - first, w));
                }
                beyond += t_.mesh.edge_offset[cell + 1] - t_.mesh.edge_offset[cell];
            }
        }
    }

    // Fills the rows of a slot for frequencies first ≤ f < last.
    void make_profiles(std::int32_t cell, std::int32_t slot, int first, int last, const Real* n_old,
                       SecondOrderWorkspace& w) const {
        const int n = t_.grid.directions, row = slot * t_.frequency_stride;
        const Real* const ratio = t_.ratios(cell);
        const Real* const own = n_old + cell * t_.grid.stride();
        if (w.turned[slot]) turn_neighbours(t_, cell, first, last, n_old, w);
        // All rows before the first is used: what was just written is slow to read at another place.
        rows_.template cover<1>(first, last, [&]<class Block>(Block block, int f, int d) {
            rows_.store_rows(block, w.invariant_row(f - first), w.row_stride, d,
                             Block::each(ratio + f) * Block::load(own + f * n + d, n));
        });
        for (int f = first; f < last; ++f) {
            Real* const invariant = w.invariant_row(f - first);
            invariant[-1] = ratio[f] * own[f * n + n - 1];
            invariant[n] = ratio[f] * own[f * n];
        }
        const SecondOrderProfile profile{w.invariant_row(0),
                                         w.row(slot, 0),
                                         w.row_stride,
                                         w.gradient_count[slot],
                                         first,
                                         w.gradients.data() + slot * w.max_edges,
                                         w.travel.data() + row,
                                         w.central.data() + row,
                                         w.excess.data() + row,
                                         w.turn_x.data() + row,
                                         w.turn_y.data() + row,
                                         flows ? w.travel_x[slot] : Real(0),
                                         flows ? w.travel_y[slot] : Real(0),
                                         w.reach[slot]};
        if (profile.edges == 6)
            make_rows<6>(profile, last);
        else
            make_rows<0>(profile, last);
        for (int f = first; f < last; ++f) {
            for (const int field : {SecondOrderWorkspace::half, SecondOrderWorkspace::gradient_direction}) {
                Real* const values = w.row(slot, f - first) + field * w.row_stride;
                values[-1] = values[n - 1];
                values[n] = values[0];
            }
        }
    }

    // `fixed_edges`: 0, or as many as there are.
    template <int fixed_edges>
    void make_rows(const SecondOrderProfile& p, int last) const {
        rows_.template cover<at_once>(p.first, last, [&]<class Block>(Block, int f, int d) {
            this->template make_profile<Block, fixed_edges>(p, f, d);
        });
    }

    void update_cell(std::int32_t cell, std::int32_t slot, const std::int32_t* beyond, int first, int last,
                     Real* n_new, const Real* n_old, double dt, SecondOrderWorkspace& w) const {
        const int n = t_.grid.directions;
        const std::int32_t first_edge = t_.mesh.edge_offset[cell];
        const int edges = t_.mesh.edge_offset[cell + 1] - first_edge;
        const bool spreads = t_.spreading.any();
        for (int e = 0; e < edges; ++e) {
            const Real x = t_.normal_x[first_edge + e], y = t_.normal_y[first_edge + e];
            Real* const across = w.across.data() + e * w.across_stride + lanes::table_width;
            for (int d = -lanes::padded(rows_.beside()); d < n; d += lanes::width)
                lanes::store(across + d, lanes::multiply_add(x, lanes::load(t_.cosine.data() + d),
                                                             y * lanes::load(t_.sine.data() + d)));
            if (spreads) set_aside(t_, first_edge + e, e, rows_.beside(), w);
            if (flows) w.share[e] = nullptr;
            if (!t_.lets_all_in(first_edge + e)) obstruct_edge(t_, first_edge + e, e, rows_.beside(), w);
            w.beyond[e] = w.row(beyond[e] == Tile::nothing ? w.zero_slot() : beyond[e], 0);
        }
        const std::size_t block = cell * t_.grid.stride();
        const SecondOrderUpdate update{
            w.row(slot, 0),
            w.beyond.data(),
            edges,
            first,
            w.strength.data() + slot * w.max_edges * t_.frequency_stride,
            w.half_x.data() + slot * w.max_edges,
            w.half_y.data() + slot * w.max_edges,
            spreads ? w.spread.data() + slot * w.max_edges * t_.frequency_stride : nullptr,
            flows ? w.drift.data() + slot * w.max_edges : nullptr,
            flows ? w.density.data() + slot * w.max_edges : nullptr,
            w.across.data() + lanes::table_width,
            spreads ? w.aside.data() + lanes::table_width : nullptr,
            w.explicit_step_x.data() + slot * t_.frequency_stride,
            w.explicit_step_y.data() + slot * t_.frequency_stride,
            w.gets_more[slot] ? w.rotated_change.data() + slot * t_.grid.stride() : nullptr,
            n_old + block,
            n_new + block};
        rows_.template cover<at_once>(first, last, [&]<class Block>(Block, int f, int d) {
            spreads ? update_bins<Block, true>(update, f, d, w) : update_bins<Block, false>(update, f, d, w);
        });
        for (int f = first; f < last; ++f)
            if (t_.turns_implicitly(cell, f, dt))
                turn_implicitly(t_, n_new + block + f * n, t_.ratios(cell)[f],
                                w.step_x[slot * t_.frequency_stride + f],
                                w.step_y[slot * t_.frequency_stride + f]);
    }

    template <class Block, bool spreads>
    __attribute__((always_inline)) void update_bins(const SecondOrderUpdate& u, int f, int d,
                                                    const SecondOrderWorkspace& w) const {
        using Lane = typename Block::Lane;
        const int n = t_.grid.directions, bin = f * n + d;
        const int along_x = SecondOrderWorkspace::gradient_x * w.row_stride,
                  along_y = SecondOrderWorkspace::gradient_y * w.row_stride,
                  stride = SecondOrderWorkspace::fields * w.row_stride;
        const int row = (f - u.first) * stride + d;
        Lane half[Block::count], g_x[Block::count], g_y[Block::count], change[Block::count];
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r) {
            const Real* const own = u.own + Block::start(row, r);
            half[r] = Block::load(own, stride);
            g_x[r] = Block::load(own + along_x, stride);
            g_y[r] = Block::load(own + along_y, stride);
            change[r] = u.rotated ? Block::load(u.rotated + Block::start(bin, r), n) : Lane{};
        }
        for (int e = 0; e < u.edges; ++e) {
            const Real half_x = u.half_x[e], half_y = u.half_y[e];
            const Lane step = Block::each(u.strength + e * t_.frequency_stride + f);
            Lane spread{};
            if constexpr (spreads) spread = Block::each(u.spread + e * t_.frequency_stride + f);
            const Real* const normal = u.across + e * w.across_stride + d;
            const Real* const beyond = u.beyond[e] + row;
#pragma GCC unroll 4
            for (int r = 0; r < Block::count; ++r) {
                const Real* const there = Block::start(beyond, r);
                Lane across = Block::same(Block::start(normal, r));
                Lane through = step * across;
                if constexpr (flows) {
                    through = lanes::multiply_add(u.drift[e], Block::each(u.density[e] + f), through);
                    if (w.share[e] != nullptr)
                        through =
                            through < 0 ? through * Block::same(Block::start(w.share[e] + d, r)) : through;
                    across = through;
                }
                const Lane leaving = leaving_invariant(half_x, half_y, half[r], g_x[r], g_y[r]);
                const Lane half_there = Block::load(there, stride);
                const Lane entering =
                    entering_invariant(half_x, half_y, half_there, Block::load(there + along_x, stride),
                                       Block::load(there + along_y, stride));
                change[r] = lanes::multiply_subtract(through, across > 0 ? leaving : entering, change[r]);
                if constexpr (spreads) {
                    const Lane aside = Block::same(Block::start(u.aside + e * w.across_stride + d, r));
                    change[r] = lanes::multiply_add(spread * aside, half_there - half[r], change[r]);
                }
            }
        }
        const Lane step_x = Block::each(u.step_x + f), step_y = Block::each(u.step_y + f);
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r) {
            const int at = Block::start(d, r);
            const Lane turned =
                turning_change<Block>(u.own + Block::start(row, r), w.row_stride, at, step_x, step_y);
            const Lane old = Block::load(u.n_old + Block::start(bin, r), n);
            rows_.store_rows(Block{}, u.n_new + f * n, n, at, without_negligible(old + (change[r] - turned)));
        }
    }

    // Flux through the upper side of the bins less that through the lower.
    template <class Block, class Lane = typename Block::Lane>
    __attribute__((always_inline)) Lane turning_change(const Real* half, int row_stride, int d, Lane step_x,
                                                       Lane step_y) const {
        const int stride = SecondOrderWorkspace::fields * row_stride;
        const auto load = [stride](const Real* at) { return Block::load(at, stride); };
        const Real* const slope = half + SecondOrderWorkspace::gradient_direction * row_stride;
        const Lane upper = lanes::multiply_add(step_x, Block::same(t_.turn_upper_x.data() + d),
                                               step_y * Block::same(t_.turn_upper_y.data() + d));
        const Lane lower = lanes::multiply_add(step_x, Block::same(t_.turn_lower_x.data() + d),
                                               step_y * Block::same(t_.turn_lower_y.data() + d));
        const auto at = [&](int side) {
            return DirectionProfile<Lane>{load(half + side), load(slope + side)};
        };
        return turning_out<Lane>(upper, lower, at(0), at(1), at(-1));
    }

    using SecondOrderProfiles<flows>::t_;
    const Rows rows_;
    const std::vector<Tile> tiles_;
    std::int32_t most_slots_ = 1;
    std::vector<SecondOrderWorkspace> workspaces_;
    ImageProfiles images_;
};

}  // namespace

std::unique_ptr<PropagationKernel> make_second_order_kernel(const PropagationTables& tables) {
    return lanes::with_rows(tables.grid.directions, tables.grid.frequencies,
                            [&]<class Rows>(const Rows& rows) -> std::unique_ptr<PropagationKernel> {
                                if (tables.options.currents)
                                    return std::make_unique<SecondOrderKernel<Rows, true>>(tables, rows);
                                return std::make_unique<SecondOrderKernel<Rows, false>>(tables, rows);
                            });
}

}  // namespace groundswell::sea
