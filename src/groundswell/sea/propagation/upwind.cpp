#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "groundswell/exec/fetch_ahead.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/mesh/voronoi/fresh_reads.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/upwind_workspace.hpp"

// The bins of a cell are one row of registers, whatever the number of directions: a register holds bins of one frequency, or the
// last of one and the first of the next. Registers that begin at the same direction form a pattern: what depends on direction is
// read once for all of them.
namespace groundswell::sea {
namespace {

constexpr int usual_edges = UpwindWorkspace::usual_edges, factor_stride = UpwindWorkspace::factor_stride;

// Registers of a pattern that are worked on at once: with the 16 registers of AVX2, weights come from the cache each time.
constexpr int rows_at_once = lanes::width < 16 ? 2 : 1;

// What propagate_pattern() needs of a cell.
struct UpwindCell {
    const Real* own;        // [bins]
    const Real* beginning;  // own bins of the first register, with any finite number before
    const Real* extra;      // null, or [bins] what comes over edges between frames
    int edges;
    Real* __restrict result;  // [bins]
};

// Where the registers of a pattern lie: inside a row of directions, at an end of it or both, or over the end of one and the
// beginning of the next.
enum class Lies { inside, at_an_end, over_an_end };

// Numbers that a register of the pattern takes from its one or two rows, and its neighbours round the circle.
template <class Lane, Lies lies>
class Pattern {
public:
    // Registers that begin at direction `d` of `n`.
    Pattern(int n, int d) {
        constexpr int values = sizeof(Lane) / sizeof(Real);
        const int here = n - d;  // values of the first row
        const int first = d == 0 ? 0 : here < values ? here : -1, last = here <= values ? here - 1 : -1;
        const auto at = [](int place) { return lanes::broadcast<Lane>(static_cast<Real>(place)); };
        is_first_ = lanes::places<Lane>() == at(first);
        is_last_ = lanes::places<Lane>() == at(last);
        is_here_ = lanes::places<Lane>() < at(here);
        below_first_ = first < 0 ? 0 : first + n - 1;
        above_last_ = last < 0 ? 0 : last - n + 1;
    }

    /// One number for each row.
    Lane each(const Real* numbers) const {
        if constexpr (lies == Lies::over_an_end)
            return is_here_ ? lanes::broadcast<Lane>(numbers[0]) : lanes::broadcast<Lane>(numbers[1]);
        else
            return lanes::broadcast<Lane>(*numbers);
    }
    // Below the first bin of a row lies its last, above the last the first. `around`: what lies at own[bin].
    Lane below(const Real* own, const Real* around) const {
        const Lane inside = lanes::load<Lane>(around - 1);
        if constexpr (lies == Lies::inside) return inside;
        return is_first_ ? lanes::broadcast<Lane>(own[below_first_]) : inside;
    }
    Lane above(const Real* own) const {
        const Lane inside = lanes::load<Lane>(own + 1);
        if constexpr (lies == Lies::inside) return inside;
        return is_last_ ? lanes::broadcast<Lane>(own[above_last_]) : inside;
    }

private:
    using Condition = decltype(Lane{} < Lane{});
    Condition is_first_, is_last_, is_here_;
    int below_first_, above_last_;
};

// The registers that begin at direction `d`, of rows row, row + step, … and at bins below `end`. Sums over edges in mesh order,
// turning from the same N. `fixed_edges`: 0, or at least as many as there are.
template <class Lane, Lies lies, int fixed_edges>
void propagate_pattern(const PropagationTables& t, const UpwindWorkspace& w, const UpwindCell& c, int row,
                       int d, int step, int end) {
    constexpr int kept = fixed_edges > 0 ? fixed_edges : 1;
    const int n = t.grid.directions, edges = fixed_edges > 0 ? fixed_edges : c.edges, stride = step * n;
    const Pattern<Lane, lies> pattern(n, d);
    const auto weight = [&](const exec::Array<Real>& weights, int e) {
        return lanes::load<Lane>(weights.data() + e * w.weight_stride + d);
    };
    Lane in_weight[kept], out_weight[kept];
    const Real* neighbour[kept];
#pragma GCC unroll 8
    for (int e = 0; e < fixed_edges; ++e) {
        in_weight[e] = weight(w.in_weight, e);
        out_weight[e] = weight(w.out_weight, e);
        neighbour[e] = w.neighbour[e];
    }
    const auto direction = [&](const DirectionTable& table) { return lanes::load<Lane>(table.data() + d); };
    const Lane upper_x = direction(t.turn_upper_x), upper_y = direction(t.turn_upper_y);
    const Lane lower_x = direction(t.turn_lower_x), lower_y = direction(t.turn_lower_y);
    const Real* __restrict own = c.own;
    Real* __restrict result = c.result;

    const auto propagate = [&]<int at_once>(std::integral_constant<int, at_once>, int bin,
                                            const Real* factors) {
        Lane out[at_once], in[at_once];
#pragma GCC unroll 4
        for (int i = 0; i < at_once; ++i) {
            const int b = bin + i * stride;
            const Real* const numbers = factors + i * step;
            const Real* const around = lies == Lies::at_an_end && b == 0 ? c.beginning : own + b;
            const Lane x = pattern.each(numbers + UpwindWorkspace::turn_x * factor_stride);
            const Lane y = pattern.each(numbers + UpwindWorkspace::turn_y * factor_stride);
            const Lane upper = lanes::multiply_add(x, upper_x, y * upper_y);
            const Lane lower = lanes::multiply_add(x, lower_x, y * lower_y);
            out[i] = lanes::positive_part(upper) - lanes::negative_part(lower);
            in[i] = lanes::multiply_subtract(lanes::negative_part(upper), pattern.above(own + b),
                                             lanes::positive_part(lower) * pattern.below(own + b, around));
            if (c.extra) in[i] += lanes::load<Lane>(c.extra + b);
        }
#pragma GCC unroll 8
        for (int e = 0; e < edges; ++e) {
            const Real* const enters = factors + (UpwindWorkspace::first_edge + 2 * e) * factor_stride;
            const Real* const leaves = enters + factor_stride;
            const bool known = fixed_edges > 0;
            const Real* const beyond = known ? neighbour[e % kept] : w.neighbour[e];
            const Lane in_of_edge = known ? in_weight[e % kept] : weight(w.in_weight, e);
            const Lane out_of_edge = known ? out_weight[e % kept] : weight(w.out_weight, e);
#pragma GCC unroll 4
            for (int i = 0; i < at_once; ++i) {
                out[i] = lanes::multiply_add(pattern.each(leaves + i * step), out_of_edge, out[i]);
                in[i] = lanes::multiply_add(pattern.each(enters + i * step) * in_of_edge,
                                            lanes::load<Lane>(beyond + bin + i * stride), in[i]);
            }
        }
#pragma GCC unroll 4
        for (int i = 0; i < at_once; ++i) {
            const Lane value = lanes::load<Lane>(own + bin + i * stride);
            const Lane stays = lanes::multiply_subtract(out[i], value, value);
            lanes::store(result + bin + i * stride, without_negligible(stays + in[i]));
        }
    };
    int bin = row * n + d;
    const Real* factors = w.factors.data() + row;
    if constexpr (rows_at_once > 1) {
        const std::integral_constant<int, rows_at_once> several;
        for (; bin + (rows_at_once - 1) * stride < end;
             bin += rows_at_once * stride, factors += rows_at_once * step)
            propagate(several, bin, factors);
    }
    for (; bin < end; bin += stride, factors += step)
        propagate(std::integral_constant<int, 1>{}, bin, factors);
}

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
    const voronoi::FreshReads fresh_reads_;
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
