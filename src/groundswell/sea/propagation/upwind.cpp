#include <cstring>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {
namespace {

using exec::Real;
using lanes::Lane;

// Working memory of one thread, about 30 kB: stays in the first-level cache.
struct Workspace {
    exec::Array<Real> in_weight, out_weight;  // [edge][direction_stride] (n·d)− and (n·d)+
    exec::Array<Real> in_factor,
        out_factor;  // [edge][frequency_stride] dt dv/A k_e, times the neighbour's ratio for `in`
    exec::Array<Real> step_x, step_y;    // [frequency_stride] dt S
    exec::Array<Real> invariant;         // [frequency][directions + 2] own M with its cyclic neighbours
    exec::Array<Real> rotated_inflow;    // [bins]
    exec::Array<Real> rotated_work;      // of add_rotated_inflow()
    std::vector<const Real*> neighbour;  // [edge] state of the cell beyond

    explicit Workspace(const PropagationTables& tables) {
        const auto edges = static_cast<std::size_t>(tables.mesh.max_edges);
        const auto directions = static_cast<std::size_t>(tables.direction_stride);
        const auto frequencies = static_cast<std::size_t>(tables.frequency_stride);
        in_weight = exec::Array<Real>(edges * directions);
        out_weight = exec::Array<Real>(edges * directions);
        in_factor = exec::Array<Real>(edges * frequencies);
        out_factor = exec::Array<Real>(edges * frequencies);
        step_x = exec::Array<Real>(frequencies);
        step_y = exec::Array<Real>(frequencies);
        const auto bins = static_cast<std::size_t>(tables.grid.bins());
        invariant = exec::Array<Real>(bins + 2 * static_cast<std::size_t>(tables.grid.frequencies));
        rotated_inflow = exec::Array<Real>(bins);
        rotated_work = exec::Array<Real>(tables.rotated_work_size());
        neighbour.resize(edges);
    }
};

void prepare_edges(const PropagationTables& t, std::int32_t cell, const Real* n_old, Real dt, Workspace& w) {
    const std::int32_t first = t.mesh.edge_offset[static_cast<std::size_t>(cell)];
    const std::int32_t last = t.mesh.edge_offset[static_cast<std::size_t>(cell) + 1];
    const std::size_t stride = t.grid.stride();
    const Real* const k = t.wave_numbers(cell);
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
        w.neighbour[static_cast<std::size_t>(slot)] = n_old + static_cast<std::size_t>(beyond) * stride;

        const Real x = t.normal_x[e], y = t.normal_y[e];
        const Real in = enters ? Real(1) : Real(0), out = leaves ? Real(1) : Real(0);
        Real* const in_weight = w.in_weight.data() + slot * t.direction_stride;
        Real* const out_weight = w.out_weight.data() + slot * t.direction_stride;
        for (int d = 0; d < t.direction_stride; d += lanes::width) {
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
void prepare_invariant(const PropagationTables& t, const Real* n, const Real* ratio, Workspace& w) {
    const int directions = t.grid.directions, registers = lanes::count(directions);
    for (int f = 0; f < t.grid.frequencies; ++f, n += directions) {
        Real* const row = w.invariant.data() + f * (directions + 2);
        for (int i = 0; i < registers; ++i) {
            const int d = lanes::start(i, directions);
            lanes::store(row + 1 + d, ratio[f] * lanes::load(n + d));
        }
        row[0] = ratio[f] * n[directions - 1];
        row[directions + 1] = ratio[f] * n[0];
    }
}

// One cell: sums over edges in mesh order, turning from the same N.
void propagate_cell(const PropagationTables& t, std::int32_t cell, Real* n_new, const Real* n_old, double dt,
                    Workspace& w) {
    const auto c = static_cast<std::size_t>(cell);
    const int directions = t.grid.directions, registers = lanes::count(directions);
    const int edges = t.mesh.edge_offset[c + 1] - t.mesh.edge_offset[c];
    const Real* const ratio = t.ratios(cell);
    const Real* const own = n_old + c * t.grid.stride();
    Real* const result = n_new + c * t.grid.stride();
    prepare_edges(t, cell, n_old, static_cast<Real>(dt), w);
    prepare_invariant(t, own, ratio, w);

    const Real* extra = nullptr;
    if (!t.rotated_edges_of(cell).empty()) {
        std::memset(w.rotated_inflow.data(), 0, w.rotated_inflow.size() * sizeof(Real));
        add_rotated_inflow(t, cell, w.rotated_inflow.data(), n_old, dt, w.rotated_work.data());
        extra = w.rotated_inflow.data();
    }
    const Real* const* const neighbour = w.neighbour.data();
    for (int f = 0; f < t.grid.frequencies; ++f) {
        const int row = f * directions;
        const bool implicit = t.turns_implicitly(cell, f, dt);
        const Real step_x = implicit ? Real(0) : w.step_x[static_cast<std::size_t>(f)];
        const Real step_y = implicit ? Real(0) : w.step_y[static_cast<std::size_t>(f)];
        for (int i = 0; i < registers; ++i) {
            const int d = lanes::start(i, directions);
            const Real* const invariant = w.invariant.data() + f * (directions + 2) + 1 + d;
            const Lane upper = lanes::load(t.turn_upper_x.data() + d) * step_x +
                               lanes::load(t.turn_upper_y.data() + d) * step_y;
            const Lane lower = lanes::load(t.turn_lower_x.data() + d) * step_x +
                               lanes::load(t.turn_lower_y.data() + d) * step_y;
            Lane out = lanes::positive_part(upper) + lanes::positive_part(-lower);
            Lane in = lanes::positive_part(lower) * lanes::load(invariant - 1) +
                      lanes::positive_part(-upper) * lanes::load(invariant + 1);
            if (extra) in += lanes::load(extra + row + d);
            for (int e = 0; e < edges; ++e) {
                const int weight = e * t.direction_stride + d, factor = e * t.frequency_stride + f;
                out += w.out_factor.data()[factor] * lanes::load(w.out_weight.data() + weight);
                in += (w.in_factor.data()[factor] * lanes::load(w.in_weight.data() + weight)) *
                      lanes::load(neighbour[e] + row + d);
            }
            lanes::store(
                result + row + d,
                without_negligible((lanes::load(own + row + d) - out * lanes::load(invariant)) + in));
        }
        if (implicit)
            turn_implicitly(t, result + row, ratio[f], w.step_x[static_cast<std::size_t>(f)],
                            w.step_y[static_cast<std::size_t>(f)]);
    }
}

class UpwindKernel final : public PropagationKernel {
public:
    explicit UpwindKernel(const PropagationTables& tables) : tables_(tables) {}

    void propagate(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old, double dt) override {
        while (static_cast<int>(workspaces_.size()) < exec::threads()) workspaces_.emplace_back(tables_);
        exec::for_each_cell(begin, end, [&](std::int32_t cell) {
            propagate_cell(tables_, cell, n_new, n_old, dt, workspaces_[exec::thread_index()]);
        });
    }

private:
    const PropagationTables& tables_;
    std::vector<Workspace> workspaces_;
};

}  // namespace

std::unique_ptr<PropagationKernel> make_upwind_kernel(const PropagationTables& tables) {
    return std::make_unique<UpwindKernel>(tables);
}

}  // namespace groundswell::sea
