#include <cstring>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {
namespace {

// Working memory of one thread, about 30 kB: stays in the first-level cache.
struct UpwindWorkspace {
    int before;                               // what stands before direction 0 in a row of weights
    int weight_stride;                        // before + direction_stride
    exec::Array<Real> in_weight, out_weight;  // [edge][weight_stride] (n·d)− and (n·d)+
    exec::Array<Real> in_factor,
        out_factor;  // [edge][frequency_stride] dt dv/A k_e, times the neighbour's ratio for `in`
    exec::Array<Real> step_x, step_y;                    // [frequency_stride] dt S
    exec::Array<Real> explicit_step_x, explicit_step_y;  // the same; 0 where turning is implicit
    int beside, row_stride;              // of the next: values on both sides of a row, from row to row
    exec::Array<Real> invariant;         // [frequency][row_stride] own M with its cyclic neighbours
    exec::Array<Real> rotated_inflow;    // [bins]
    exec::Array<Real> rotated_work;      // of add_rotated_inflow()
    std::vector<const Real*> neighbour;  // [edge] state of the cell beyond

    UpwindWorkspace(const PropagationTables& tables, int beside_rows)
        : before(lanes::padded(beside_rows)),
          weight_stride(before + tables.direction_stride),
          beside(beside_rows + 1),
          row_stride(tables.grid.directions + 2 * beside) {
        const auto edges = static_cast<std::size_t>(tables.mesh.max_edges);
        const auto directions = static_cast<std::size_t>(weight_stride);
        const auto frequencies = static_cast<std::size_t>(tables.frequency_stride);
        in_weight = exec::Array<Real>(edges * directions);
        out_weight = exec::Array<Real>(edges * directions);
        in_factor = exec::Array<Real>(edges * frequencies);
        out_factor = exec::Array<Real>(edges * frequencies);
        step_x = exec::Array<Real>(frequencies);
        step_y = exec::Array<Real>(frequencies);
        explicit_step_x = exec::Array<Real>(frequencies);
        explicit_step_y = exec::Array<Real>(frequencies);
        invariant = exec::Array<Real>(static_cast<std::size_t>(tables.grid.frequencies * row_stride));
        std::memset(invariant.data(), 0, invariant.size() * sizeof(Real));
        rotated_inflow = exec::Array<Real>(static_cast<std::size_t>(tables.grid.bins()));
        rotated_work = exec::Array<Real>(tables.rotated_work_size());
        neighbour.resize(edges);
    }

    // Direction 0 of a row.
    Real* invariant_row(int f) { return invariant.data() + f * row_stride + beside; }
    Real* weight_row(exec::Array<Real>& weight, int edge) {
        return weight.data() + edge * weight_stride + before;
    }
};

void prepare_edges(const PropagationTables& t, std::int32_t cell, const Real* n_old, Real dt,
                   UpwindWorkspace& w) {
    const std::int32_t first = t.mesh.edge_offset[cell];
    const std::int32_t last = t.mesh.edge_offset[static_cast<std::size_t>(cell) + 1];
    const std::size_t stride = t.grid.stride();
    const Real* const k = t.wave_numbers(cell);
    using lanes::Lane;
    for (int f = 0; f < t.frequency_stride; f += lanes::width) {
        lanes::store(w.step_x.data() + f, Lane{});
        lanes::store(w.step_y.data() + f, Lane{});
    }
    for (std::int32_t edge = first; edge < last; ++edge) {
        const auto e = static_cast<std::size_t>(edge);
        const int slot = edge - first;
        const std::int32_t neighbour = t.mesh.neighbour[e];
        const bool leaves = t.open(neighbour);
        const bool enters = neighbour >= 0 && !t.crosses_frames(cell, neighbour);
        const std::int32_t beyond = neighbour >= 0 ? neighbour : cell;
        w.neighbour[slot] = n_old + static_cast<std::size_t>(beyond) * stride;

        const Real x = t.normal_x[e], y = t.normal_y[e];
        const Real in = enters ? Real(1) : Real(0), out = leaves ? Real(1) : Real(0);
        Real* const in_weight = w.weight_row(w.in_weight, slot);
        Real* const out_weight = w.weight_row(w.out_weight, slot);
        for (int d = -w.before; d < t.direction_stride; d += lanes::width) {
            const Lane across = x * lanes::load(t.cosine.data() + d) + y * lanes::load(t.sine.data() + d);
            lanes::store(in_weight + d, in * lanes::positive_part(-across));
            lanes::store(out_weight + d, out * lanes::positive_part(across));
        }

        const Real step = dt * t.rate[e];
        const Real* const k_beyond = t.wave_numbers(beyond);
        const Real* const ratio_beyond = t.ratios(beyond);
        Real* const in_factor = w.in_factor.data() + slot * t.frequency_stride;
        Real* const out_factor = w.out_factor.data() + slot * t.frequency_stride;
        for (int f = 0; f < t.frequency_stride; f += lanes::width) {
            const Lane factor = step * edge_wave_number(lanes::load(k + f), lanes::load(k_beyond + f));
            lanes::store(out_factor + f, factor);
            lanes::store(in_factor + f, factor * lanes::load(ratio_beyond + f));
            lanes::store(w.step_x.data() + f, lanes::load(w.step_x.data() + f) + factor * x);
            lanes::store(w.step_y.data() + f, lanes::load(w.step_y.data() + f) + factor * y);
        }
    }
}

// M = ratio·N of the cell, each row framed by its cyclic neighbours.
template <class Rows>
void prepare_invariant(const PropagationTables& t, const Rows& rows, const Real* own, const Real* ratio,
                       UpwindWorkspace& w) {
    const int n = t.grid.directions;
    rows.template cover<1>(0, t.grid.frequencies, [&]<class Block>(Block block, int f, int d) {
        rows.store_rows(block, w.invariant_row(f), w.row_stride, d,
                        Block::each(ratio + f) * Block::load(own + f * n + d, n));
    });
    for (int f = 0; f < t.grid.frequencies; ++f) {
        Real* const row = w.invariant_row(f);
        row[-1] = ratio[f] * own[f * n + n - 1];
        row[n] = ratio[f] * own[f * n];
    }
}

// A cell.
struct UpwindCell {
    const Real* own;        // [bins]
    const Real* invariant;  // [frequency][row_stride]
    int row_stride;
    const Real* const* neighbour;  // [edge] state of the cell beyond
    int edges, weight_stride, factor_stride;
    const Real *in_weight, *out_weight;  // [edge][weight_stride], from direction 0 on
    const Real *in_factor, *out_factor;  // [edge][factor_stride]
    const Real *step_x, *step_y;         // [frequency]; 0 where turning is implicit
    const Real* extra;                   // null, or [bins] what comes over edges between frames
};

// Sums over edges in mesh order, turning from the same N. `fixed_edges`: 0, or as many as there are.
template <class Block, int fixed_edges, class Rows>
void propagate_bins(const PropagationTables& t, const Rows& rows, const UpwindCell& c, int f, int first,
                    Real* result) {
    using Lane = typename Block::Lane;
    const int edges = fixed_edges > 0 ? fixed_edges : c.edges, n = t.grid.directions, bin = f * n + first;
    const Real* const invariant = c.invariant + f * c.row_stride + first;
    const Lane step_x = Block::each(c.step_x + f), step_y = Block::each(c.step_y + f);
    Lane out[Block::count], in[Block::count];
#pragma GCC unroll 4
    for (int r = 0; r < Block::count; ++r) {
        const int d = Block::start(first, r);
        const Lane upper = lanes::multiply_add(step_x, Block::same(t.turn_upper_x.data() + d),
                                               step_y * Block::same(t.turn_upper_y.data() + d));
        const Lane lower = lanes::multiply_add(step_x, Block::same(t.turn_lower_x.data() + d),
                                               step_y * Block::same(t.turn_lower_y.data() + d));
        out[r] = lanes::positive_part(upper) + lanes::positive_part(-lower);
        const Real* const here = Block::start(invariant, r);
        in[r] = lanes::multiply_add(lanes::positive_part(-upper), Block::load(here + 1, c.row_stride),
                                    lanes::positive_part(lower) * Block::load(here - 1, c.row_stride));
        if (c.extra) in[r] += Block::load(c.extra + Block::start(bin, r), n);
    }
#pragma GCC unroll 8
    for (int e = 0; e < edges; ++e) {
        const Lane out_factor = Block::each(c.out_factor + e * c.factor_stride + f),
                   in_factor = Block::each(c.in_factor + e * c.factor_stride + f);
        const Real* const out_weight = c.out_weight + e * c.weight_stride + first;
        const Real* const in_weight = c.in_weight + e * c.weight_stride + first;
        const Real* const beyond = c.neighbour[e] + bin;
#pragma GCC unroll 4
        for (int r = 0; r < Block::count; ++r) {
            out[r] = lanes::multiply_add(out_factor, Block::same(Block::start(out_weight, r)), out[r]);
            in[r] = lanes::multiply_add(in_factor * Block::same(Block::start(in_weight, r)),
                                        Block::load(Block::start(beyond, r), n), in[r]);
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < Block::count; ++r) {
        const Lane left =
            lanes::multiply_subtract(out[r], Block::load(Block::start(invariant, r), c.row_stride),
                                     Block::load(c.own + Block::start(bin, r), n));
        rows.store_rows(Block{}, result + f * n, n, Block::start(first, r), without_negligible(left + in[r]));
    }
}

template <class Rows>
void propagate_cell(const PropagationTables& t, const Rows& rows, std::int32_t cell, Real* n_new,
                    const Real* n_old, double dt, UpwindWorkspace& w) {
    const auto c = static_cast<std::size_t>(cell);
    const int edges = t.mesh.edge_offset[c + 1] - t.mesh.edge_offset[c], n = t.grid.directions;
    const Real* const ratio = t.ratios(cell);
    const Real* const own = n_old + c * t.grid.stride();
    Real* const result = n_new + c * t.grid.stride();
    prepare_edges(t, cell, n_old, static_cast<Real>(dt), w);
    prepare_invariant(t, rows, own, ratio, w);
    for (int f = 0; f < t.grid.frequencies; ++f) {
        const bool implicit = t.turns_implicitly(cell, f, dt);
        w.explicit_step_x[f] = implicit ? Real(0) : w.step_x[f];
        w.explicit_step_y[f] = implicit ? Real(0) : w.step_y[f];
    }

    const Real* extra = nullptr;
    if (!t.rotated_edges_of(cell).empty()) {
        std::memset(w.rotated_inflow.data(), 0, w.rotated_inflow.size() * sizeof(Real));
        add_rotated_inflow(t, cell, w.rotated_inflow.data(), n_old, dt, w.rotated_work.data());
        extra = w.rotated_inflow.data();
    }
    const UpwindCell of_cell{own,
                             w.invariant_row(0),
                             w.row_stride,
                             w.neighbour.data(),
                             edges,
                             w.weight_stride,
                             t.frequency_stride,
                             w.weight_row(w.in_weight, 0),
                             w.weight_row(w.out_weight, 0),
                             w.in_factor.data(),
                             w.out_factor.data(),
                             w.explicit_step_x.data(),
                             w.explicit_step_y.data(),
                             extra};
    rows.template cover<2>(0, t.grid.frequencies, [&]<class Block>(Block, int f, int d) {
        if (edges == 6)
            propagate_bins<Block, 6>(t, rows, of_cell, f, d, result);
        else
            propagate_bins<Block, 0>(t, rows, of_cell, f, d, result);
    });
    for (int f = 0; f < t.grid.frequencies; ++f)
        if (t.turns_implicitly(cell, f, dt))
            turn_implicitly(t, result + f * n, ratio[f], w.step_x[f], w.step_y[f]);
}

template <class Rows>
class UpwindKernel final : public PropagationKernel {
public:
    UpwindKernel(const PropagationTables& tables, const Rows& rows) : tables_(tables), rows_(rows) {}

    void propagate(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old, double dt) override {
        while (static_cast<int>(workspaces_.size()) < exec::threads())
            workspaces_.emplace_back(tables_, rows_.beside());
        exec::for_each_cell(begin, end, [&](std::int32_t cell) {
            propagate_cell(tables_, rows_, cell, n_new, n_old, dt, workspaces_[exec::thread_index()]);
        });
    }

private:
    const PropagationTables& tables_;
    const Rows rows_;
    std::vector<UpwindWorkspace> workspaces_;
};

}  // namespace

std::unique_ptr<PropagationKernel> make_upwind_kernel(const PropagationTables& tables) {
    return lanes::with_rows(tables.grid.directions, tables.grid.frequencies,
                            [&]<class Rows>(const Rows& rows) -> std::unique_ptr<PropagationKernel> {
                                return std::make_unique<UpwindKernel<Rows>>(tables, rows);
                            });
}

}  // namespace groundswell::sea
