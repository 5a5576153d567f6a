#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/propagation/image_profiles.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/tables.hpp"
#include "groundswell/sea/propagation/tiles.hpp"

namespace groundswell::sea {
namespace {

constexpr int group_frequencies = 4;

// Face values stay this much (relative) above 0, so that rounding cannot make one negative.
constexpr Real positive_margin = 32 * std::numeric_limits<Real>::epsilon();

struct EdgeTerms {
    const Real* state;  // of the cell beyond; null where M beyond takes no part
    const Real* ratio;
    Real gradient_x, gradient_y;  // times (M beyond − M): contribution to the gradient
    Real half_x, half_y;          // from the centre to the middle of the edge, m
};

// Working memory of one thread, about half of a second-level cache.
struct SecondOrderWorkspace {
    // M as a linear function: [frequency of the group][slot][field][row_stride], rows framed by cyclic
    // neighbours.
    enum Field { invariant, half, gradient_x, gradient_y, gradient_direction, fields };
    exec::Array<Real> profile;
    exec::Array<Real> step_x, step_y;  // [slot][frequency_stride] dt S
    exec::Array<Real> strength;  // [tile's cell][edge][frequency_stride] dt dv/A k_e; 0 where nothing passes
    std::vector<EdgeTerms> edges;      // [slot][edge]
    exec::Array<Real> rotated_change;  // [tile's cells with rotated edges][bins]
    exec::Array<Real> rotated_work;    // of add_rotated_inflow()
    Tile alone;                        // of one slot
    int beside, row_stride, slots, max_edges;

    // beside_rows: values on both sides of a row beyond its neighbours.
    SecondOrderWorkspace(const PropagationTables& t, int beside_rows, int most_slots)
        : beside(beside_rows + 1),
          row_stride(t.grid.directions + 2 * beside),
          slots(most_slots + 1),
          max_edges(t.mesh.max_edges) {
        const auto slot_count = static_cast<std::size_t>(slots);
        const auto frequencies = static_cast<std::size_t>(t.frequency_stride);
        profile =
            exec::Array<Real>(group_frequencies * slot_count * fields * static_cast<std::size_t>(row_stride));
        std::memset(profile.data(), 0, profile.size() * sizeof(Real));
        step_x = exec::Array<Real>(slot_count * frequencies);
        step_y = exec::Array<Real>(slot_count * frequencies);
        strength = exec::Array<Real>(static_cast<std::size_t>(Tile::most_cells * max_edges) * frequencies);
        edges.resize(slot_count * static_cast<std::size_t>(max_edges));
        rotated_change = exec::Array<Real>(t.rotated_edges.empty() ? 0 : Tile::most_cells * t.grid.stride());
        rotated_work = exec::Array<Real>(t.rotated_work_size());
    }

    // First direction of a row. The last slot stays zero: what lies beyond a coast.
    Real* row(int group_frequency, int slot, int field) {
        return profile.data() + ((group_frequency * slots + slot) * fields + field) * row_stride + beside;
    }
    int zero_slot() const { return slots - 1; }
};

template <class Rows>
class SecondOrderKernel final : public PropagationKernel {
public:
    SecondOrderKernel(const PropagationTables& tables, const Rows& rows)
        : t_(tables), rows_(rows), tiles_(make_tiles(tables)), images_(tables.grid) {
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
    using Lane = typename Rows::Lane;
    void make_workspaces() {
        while (static_cast<int>(workspaces_.size()) < exec::threads())
            workspaces_.emplace_back(t_, rows_.beside(), most_slots_);
    }

    void set_profile(std::int32_t cell, std::int32_t image, const Real* n_old, double dt,
                     SecondOrderWorkspace& w) const {
        w.alone.ring = {cell};  // a tile of no cells to propagate
        prepare_slot(w.alone, 0, n_old, dt, w);
        for (int first = 0; first < t_.grid.frequencies; first += group_frequencies) {
            const int last = std::min(first + group_frequencies, t_.grid.frequencies);
            make_profiles(cell, 0, first, last, n_old, dt, w);
            for (int f = first; f < last; ++f) images_.write(image, f, face_rows(f - first, 0, w));
        }
    }

    static ImageProfiles::Rows face_rows(int group_frequency, std::int32_t slot, SecondOrderWorkspace& w) {
        return {w.row(group_frequency, slot, SecondOrderWorkspace::half),
                w.row(group_frequency, slot, SecondOrderWorkspace::gradient_x),
                w.row(group_frequency, slot, SecondOrderWorkspace::gradient_y)};
    }

    static Lane load(const Real* values) { return lanes::load<Lane>(values); }

    // Cells of the tile that also lie in [begin, end).
    void propagate_tile(const Tile& tile, std::int32_t begin, std::int32_t end, Real* n_new,
                        const Real* n_old, double dt, SecondOrderWorkspace& w) const {
        for (std::int32_t slot = 0; slot < tile.slots(); ++slot) {
            if (!images_.is_image(tile.cell(slot))) prepare_slot(tile, slot, n_old, dt, w);
        }
        for (int first = 0; first < t_.grid.frequencies; first += group_frequencies) {
            const int last = std::min(first + group_frequencies, t_.grid.frequencies);
            for (std::int32_t slot = 0; slot < tile.slots(); ++slot) {
                const std::int32_t cell = tile.cell(slot);
                if (!images_.is_image(cell)) {
                    make_profiles(cell, slot, first, last, n_old, dt, w);
                    continue;
                }
                for (int f = first; f < last; ++f) images_.read(cell, f, face_rows(f - first, slot, w));
            }
            const std::int32_t* beyond = tile.beyond.data();
            for (std::int32_t slot = 0; slot < tile.cells(); ++slot) {
                const std::int32_t cell = tile.begin + slot;
                if (begin <= cell && cell < end) {
                    update_cell(cell, slot, beyond, first, last, n_new, n_old, dt, w);
                    for (int f = first; f < last; ++f)
                        images_.keep_half_of(cell, f, face_rows(f - first, slot, w));
                }
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
        const Real* const k = t_.wave_numbers(cell);
        for (std::int32_t e = first; e < last; ++e) {
            const std::int32_t neighbour = t_.mesh.neighbour[e];
            const bool regular = neighbour >= 0 && !t_.crosses_frames(cell, neighbour);
            const bool passes = regular || (neighbour == voronoi::coast && t_.open(neighbour));
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
                const lanes::Lane along =
                    step * edge_wave_number(lanes::load(k + f), lanes::load(k_beyond + f));
                lanes::store(step_x + f, lanes::load(step_x + f) + along * x);
                lanes::store(step_y + f, lanes::load(step_y + f) + along * y);
                if (updated) lanes::store(strength + f, passes ? along : lanes::Lane{});
            }
        }
        if (updated && !t_.rotated_edges_of(cell).empty()) prepare_rotated(cell, slot, n_old, dt, w);
    }

    // Edges between frames, first order: what enters less what leaves, for all frequencies.
    void prepare_rotated(std::int32_t cell, std::int32_t slot, const Real* n_old, double dt,
                         SecondOrderWorkspace& w) const {
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
                       double dt, SecondOrderWorkspace& w) const {
        const int n = t_.grid.directions;
        const Real* const ratio = t_.ratios(cell);
        for (int f = first; f < last; ++f) {
            const Real* const own = n_old + cell * t_.grid.stride() + f * n;
            Real* const invariant = w.row(f - first, slot, SecondOrderWorkspace::invariant);
            for (int i = 0; i < rows_.count(); ++i) {
                const int d = rows_.start(i, f);
                lanes::store(invariant + d, ratio[f] * load(own + d));
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
            for (int i = 0; i < rows_.count(); ++i)
                make_profile(rows + rows_.start(i, f), w.row_stride, edges, edge_count, f, rows_.start(i, f),
                             travel, implicit, excess, turn_x, turn_y);
            for (const int field : {SecondOrderWorkspace::half, SecondOrderWorkspace::gradient_direction}) {
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
        const Lane m = load(rows);
        Lane highest = m, lowest = m, g_x{}, g_y{};
        for (int e = 0; e < edge_count; ++e) {
            if (!edges[e].state) continue;
            const Lane beyond = edges[e].ratio[f] * load(edges[e].state + bin);
            const Lane rise = beyond - m;
            highest = lanes::maximum(highest, beyond);
            lowest = lanes::minimum(lowest, beyond);
            g_x += edges[e].gradient_x * rise;
            g_y += edges[e].gradient_y * rise;
        }
        const Lane down = m - load(rows - 1), up = load(rows + 1) - m;
        Lane g_direction = Real(0.5) * (down + up);
        if (implicit) g_direction = Lane{};
        const Lane cosine = load(t_.cosine.data() + d), sine = load(t_.sine.data() + d);
        const Lane turning = (load(t_.turn_upper_x.data() + d) + load(t_.turn_lower_x.data() + d)) * turn_x +
                             (load(t_.turn_upper_y.data() + d) + load(t_.turn_lower_y.data() + d)) * turn_y;
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
            const Lane bound = Real(2) * lanes::minimum(lanes::absolute(down), lanes::absolute(up));
            const Lane steepest = lanes::minimum(lanes::absolute(g_direction), bound);
            const Lane signed_slope = g_direction > 0 ? steepest : -steepest;
            g_direction = down * up > 0 ? signed_slope : Lane{};
            // And no face value below 0 or so far above M that the bin could run out.
            change = scale * change + turning * g_direction;
            const Lane face =
                lanes::maximum(scale * lanes::maximum(rise, fall), Real(0.5) * lanes::absolute(g_direction));
            const Lane reach = (1 + positive_margin) * (lanes::absolute(change) + face);
            const Lane room = excess * m;
            const Lane keep = reach > room ? room / reach : one;
            change *= keep;
            g_x *= keep * scale;
            g_y *= keep * scale;
            g_direction *= keep;
        } else {
            change += turning * g_direction;
        }
        lanes::store(rows + SecondOrderWorkspace::half * row_stride, m - change);
        lanes::store(rows + SecondOrderWorkspace::gradient_x * row_stride, g_x);
        lanes::store(rows + SecondOrderWorkspace::gradient_y * row_stride, g_y);
        lanes::store(rows + SecondOrderWorkspace::gradient_direction * row_stride, g_direction);
    }

    void update_cell(std::int32_t cell, std::int32_t slot, const std::int32_t* beyond, int first, int last,
                     Real* n_new, const Real* n_old, double dt, SecondOrderWorkspace& w) const {
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
            for (int i = 0; i < rows_.count(); ++i) {
                const int d = rows_.start(i, f);
                const Real* const half_row = rows + SecondOrderWorkspace::half * stride + d;
                const Lane half = load(half_row);
                const Lane g_x = load(rows + SecondOrderWorkspace::gradient_x * stride + d);
                const Lane g_y = load(rows + SecondOrderWorkspace::gradient_y * stride + d);
                const Lane cosine = load(t_.cosine.data() + d), sine = load(t_.sine.data() + d);
                Lane change{};
                if (rotated) change = load(rotated + f * n + d);
                for (int e = 0; e < edge_count; ++e) {
                    const int other = beyond[e] == Tile::nothing ? w.zero_slot() : beyond[e];
                    const Real* const other_rows = w.row(f - first, other, 0) + d;
                    const Lane across =
                        t_.normal_x[first_edge + e] * cosine + t_.normal_y[first_edge + e] * sine;
                    const Lane leaving = half + (edges[e].half_x * g_x + edges[e].half_y * g_y);
                    const Lane entering =
                        load(other_rows + SecondOrderWorkspace::half * stride) -
                        (edges[e].half_x * load(other_rows + SecondOrderWorkspace::gradient_x * stride) +
                         edges[e].half_y * load(other_rows + SecondOrderWorkspace::gradient_y * stride));
                    change -=
                        (strength[e * t_.frequency_stride] * across) * (across > 0 ? leaving : entering);
                }
                if (!implicit) change -= turning_change(rows + d, stride, d, step_x, step_y);
                rows_.store_row(n_new + row, d, without_negligible(load(n_old + row + d) + change));
            }
            if (implicit) turn_implicitly(t_, n_new + row, t_.ratios(cell)[f], step_x, step_y);
        }
    }

    // Flux through the upper side of the bins less that through the lower.
    Lane turning_change(const Real* rows, int stride, int d, Real step_x, Real step_y) const {
        const Real* const half = rows + SecondOrderWorkspace::half * stride;
        const Real* const slope = rows + SecondOrderWorkspace::gradient_direction * stride;
        const Lane upper =
            load(t_.turn_upper_x.data() + d) * step_x + load(t_.turn_upper_y.data() + d) * step_y;
        const Lane lower =
            load(t_.turn_lower_x.data() + d) * step_x + load(t_.turn_lower_y.data() + d) * step_y;
        const Lane own = load(half), own_slope = Real(0.5) * load(slope);
        const Lane above = load(half + 1) - Real(0.5) * load(slope + 1);
        const Lane below = load(half - 1) + Real(0.5) * load(slope - 1);
        const Lane upper_face = upper > 0 ? own + own_slope : above;
        const Lane lower_face = lower > 0 ? below : own - own_slope;
        return upper * upper_face - lower * lower_face;
    }

    const PropagationTables& t_;
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
                                return std::make_unique<SecondOrderKernel<Rows>>(tables, rows);
                            });
}

}  // namespace groundswell::sea
