#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "groundswell/exec/fetch_ahead.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/upwind/bins.hpp"
#include "groundswell/sea/propagation/upwind/upwind_workspace.hpp"

namespace groundswell::sea {
namespace {

// The cells that each owned cell reads and that none of the many before it has read: they are not in the cache.
class FreshReads {
public:
    explicit FreshReads(const voronoi::LocalMesh& mesh) : begin_{0} {
        std::vector<std::int32_t> last_read(static_cast<std::size_t>(mesh.total), -1 - remembered);
        const auto add = [&](std::int32_t reader, std::int32_t cell) {
            if (cell < 0) return;
            if (reader - last_read[cell] > remembered) cells_.push_back(cell);
            last_read[cell] = reader;
        };
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
            add(cell, cell);
            for (std::int32_t edge = mesh.edge_offset[cell]; edge < mesh.edge_offset[cell + 1]; ++edge)
                add(cell, mesh.neighbour[edge]);
            begin_.push_back(static_cast<std::int32_t>(cells_.size()));
        }
    }

    /// On behalf of an owned cell, or of none behind the last.
    std::span<const std::int32_t> of(std::int32_t cell) const {
        if (static_cast<std::size_t>(cell) + 1 >= begin_.size()) return {};
        return std::span(cells_).subspan(begin_[cell], begin_[cell + 1] - begin_[cell]);
    }

private:
    // Cells whose state stays in the second-level cache, beside what is written. 20 and 200 were 3 % slower.
    static constexpr std::int32_t remembered = 60;
    std::vector<std::int32_t> begin_, cells_;
};

constexpr int usual_edges = UpwindRows::usual_edges;

// All bins of the cell; asks memory for those of the cells `ahead` meanwhile.
template <class Lane, int fixed_edges>
void propagate_bins(const PropagationTables& t, const UpwindWorkspace& w, const UpwindCell& c,
                    std::span<const Real* const> ahead) {
    constexpr int values = sizeof(Lane) / sizeof(Real);
    const int n = t.grid.directions, bins = t.grid.bins();
    const int patterns = n / std::gcd(n, values), step = patterns * values / n;
    const auto propagate = [&](int row, int d, int end) {
        if (d + values > n)
            propagate_pattern<Lane, Lies::over_an_end, fixed_edges>(t, w, c, row, d, step, end);
        else if (d == 0 || d + values == n)
            propagate_pattern<Lane, Lies::at_an_end, fixed_edges>(t, w, c, row, d, step, end);
        else
            propagate_pattern<Lane, Lies::inside, fixed_edges>(t, w, c, row, d, step, end);
    };
    for (int pattern = 0; pattern < patterns; ++pattern) {
        for (const Real* block : ahead)
            exec::fetch_ahead(block, t.grid.stride() * sizeof(Real), pattern, patterns);
        propagate(pattern * values / n, pattern * values % n, bins - values);
    }
    // The last register ends where the cell does. What it has in common with the one before gets the same bits twice.
    propagate(t.grid.frequencies - 1, n - values, bins);
}

template <class Lane>
class UpwindKernel final : public PropagationKernel {
public:
    explicit UpwindKernel(const PropagationTables& tables) : t_(tables), fresh_reads_(tables.mesh) {}

    void propagate(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old, double dt) override {
        while (static_cast<int>(workspaces_.size()) < exec::threads()) workspaces_.emplace_back(t_);
        exec::for_each_cell(begin, end, [&](std::int32_t cell) {
            propagate_cell(cell, n_new, n_old, dt, workspaces_[exec::thread_index()]);
        });
    }

private:
    void propagate_cell(std::int32_t cell, Real* n_new, const Real* n_old, double dt,
                        UpwindWorkspace& w) const {
        const auto block = [&](std::int32_t of) { return static_cast<std::size_t>(of) * t_.grid.stride(); };
        w.prepare(t_, cell, n_old, static_cast<Real>(dt));
        const Real* const own = n_old + block(cell);
        Real* const beginning = w.beginning.data() + lanes::table_width;
        beginning[-1] = 0;
        std::memcpy(beginning, own, sizeof(Lane));
        const bool between_frames = !t_.rotated_edges_of(cell).empty();
        const bool drifts = t_.options.currents, lets_in = t_.lets_in(cell),
                   extra = between_frames || drifts || lets_in;
        if (extra) std::memset(w.rotated_inflow.data(), 0, w.rotated_inflow.size() * sizeof(Real));
        if (between_frames) add_rotated_inflow(t_, cell, w.rotated_inflow.data(), n_old, dt, w.rotated_work);
        if (drifts) add_drift(cell, own, static_cast<Real>(dt), w);
        if (lets_in) t_.inflow->add(t_, cell, w.rotated_inflow.data(), dt);
        const UpwindCell c{own, beginning, extra ? w.rotated_inflow.data() : nullptr,
                           t_.mesh.edge_offset[cell + 1] - t_.mesh.edge_offset[cell], n_new + block(cell)};

        // What the next cell needs and is not in the cache: its own place in n_new, and what it reads afresh.
        const Real* ahead[most_ahead];
        std::size_t number = 0;
        ahead[number++] = c.result + t_.grid.stride();
        for (const std::int32_t other : fresh_reads_.of(cell + 1)) {
            if (number == most_ahead) break;
            ahead[number++] = n_old + block(other);
            const std::size_t row = static_cast<std::size_t>(t_.frequency_stride) * sizeof(Real);
            exec::fetch_ahead(t_.wave_numbers(other), row, 0, 1);
            exec::fetch_ahead(t_.ratios(other), row, 0, 1);
        }
        if (c.edges <= usual_edges)
            propagate_bins<Lane, usual_edges>(t_, w, c, {ahead, number});
        else
            propagate_bins<Lane, 0>(t_, w, c, {ahead, number});
        if (w.turns_implicitly) turn(cell, c.result, dt, w);
    }

    // What the current brings over the edges less what it takes away.
    void add_drift(std::int32_t cell, const Real* own, Real dt, UpwindWorkspace& w) const {
        const std::int32_t first = t_.mesh.edge_offset[cell], last = t_.mesh.edge_offset[cell + 1];
        const int bins = t_.grid.bins();
        Real* __restrict change = w.rotated_inflow.data();
        Real leaves = 0;
        for (std::int32_t e = first; e < last; ++e) {
            const std::int32_t beyond = t_.mesh.neighbour[e];
            const Real drift = dt * t_.flow->drift[e];
            if (drift > 0 && t_.open(beyond)) leaves += drift;
            if (!(drift < 0) || beyond < 0 || t_.crosses_frames(cell, beyond)) continue;
            const Real* __restrict there = w.neighbour[e - first];
            if (!t_.lets_all_in(e)) {
                add_obstructed_drift(e, there, drift, w);
                continue;
            }
#pragma omp simd
            for (int bin = 0; bin < bins; ++bin) change[bin] -= drift * there[bin];
        }
        if (leaves == 0) return;
#pragma omp simd
        for (int bin = 0; bin < bins; ++bin) change[bin] -= leaves * own[bin];
    }

    void add_obstructed_drift(std::int32_t edge, const Real* there, Real drift, UpwindWorkspace& w) const {
        const int n = t_.grid.directions;
        Real* const entering = w.rotated_work.across.data();
        std::fill_n(entering, n, drift);
        t_.obstruct(edge, entering, 0, n);
        Real* change = w.rotated_inflow.data();
        for (int f = 0; f < t_.grid.frequencies; ++f, change += n, there += n)
            for (int d = 0; d < n; ++d) change[d] -= entering[d] * there[d];
    }

    void turn(std::int32_t cell, Real* result, double dt, const UpwindWorkspace& w) const {
        for (int f = 0; f < t_.grid.frequencies; ++f)
            if (t_.turns_implicitly(cell, f, dt))
                turn_implicitly(t_, result + f * t_.grid.directions, t_.ratios(cell)[f], w.step_x[f],
                                w.step_y[f]);
    }

    static constexpr std::size_t most_ahead = 8;

    const PropagationTables& t_;
    const FreshReads fresh_reads_;
    std::vector<UpwindWorkspace> workspaces_;
};

// The widest register that a row of directions fills.
template <int values>
std::unique_ptr<PropagationKernel> make_kernel(const PropagationTables& tables) {
    if constexpr (values > 4) {
        if (tables.grid.directions < values) return make_kernel<values / 2>(tables);
    }
    return std::make_unique<UpwindKernel<typename lanes::Register<values>::Lane>>(tables);
}

}  // namespace

std::unique_ptr<PropagationKernel> make_upwind_kernel(const PropagationTables& tables) {
    return make_kernel<lanes::width>(tables);
}

}  // namespace groundswell::sea
