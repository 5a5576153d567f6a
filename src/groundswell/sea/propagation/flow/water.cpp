#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/propagation/flow.hpp"
#include "groundswell/sea/propagation/tables.hpp"

// What becomes of the tables when the water moves.
namespace groundswell::sea {

namespace {

// Beyond k d = 8 at the lowest frequency, tanh k d is 1 to 2·10⁻⁷: no wave feels the depth.
double deep_enough(const SpectralGrid& grid) {
    return 8.0 * base::gravity / (grid.sigma.front() * grid.sigma.front());
}

}  // namespace

// What leaves a cell in a current of 1 m/s in the direction in which that is most, s⁻¹.
double PropagationTables::widest_outflow(std::int32_t cell) const {
    double most = 0.0;
    for (int d = 0; d < grid.directions; ++d) {
        double out = 0.0;
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e)
            if (open(mesh.neighbour[e]))
                out += rate[e] * std::max(0.0, normal_x[e] * grid.cosine[d] + normal_y[e] * grid.sine[d]);
        most = std::max(most, out);
    }
    return most;
}

void PropagationTables::start_flow() {
    flow = std::make_unique<Flow>(*this);
    flow->still_steps.resize(static_cast<std::size_t>(mesh.owned));
    flow->steps = flow->still_steps;
    flow->depth_of_tables = mesh.depth;
    flow->widest_outflow.resize(static_cast<std::size_t>(mesh.total));
    exec::for_each_cell(0, mesh.total, [&](std::int32_t cell) {
        flow->widest_outflow[cell] = widest_outflow(cell);
        set_dispersion(cell, std::max(mesh.depth[cell], options.minimum_depth));
        flow->set_dispersion(*this, cell, std::max(mesh.depth[cell], options.minimum_depth));
    });
    std::vector<std::uint8_t> all(static_cast<std::size_t>(mesh.total), 1);
    find_still_limits(all);
}

// What find_limit() finds, for less: only frequencies that may set the step are looked at in every direction; of the others the
// row of outflow_rate holds a bound. Returns the largest share that leaves over edges, s⁻¹.
double PropagationTables::find_still_limit(std::int32_t cell) {
    const auto c = static_cast<std::size_t>(cell);
    Real* const rates = outflow_rate.data() + c * static_cast<std::size_t>(frequency_stride);
    std::fill_n(rates, frequency_stride, Real(0));
    const double turn = options.turning ? 0.5 / std::sin(0.5 * grid.direction_width) : 0.0;
    double fastest = 0.0;
    for (int f = 0; f < grid.frequencies; ++f) {
        const double k = wave_numbers(cell)[f], cell_ratio = ratios(cell)[f];
        double s_x = 0.0, s_y = 0.0, most = 0.0;
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e) {
            const std::int32_t neighbour = mesh.neighbour[e];
            const double k_edge =
                neighbour >= 0 ? edge_wave_number(k, static_cast<double>(wave_numbers(neighbour)[f])) : k;
            s_x += rate[e] * k_edge * normal_x[e];
            s_y += rate[e] * k_edge * normal_y[e];
            if (open(neighbour)) most = std::max(most, k_edge);
        }
        const double over_edges = cell_ratio * most * flow->widest_outflow[c];
        if (over_edges > fastest) fastest = std::max(fastest, outflow_over_edges(cell, f));
        rates[f] = static_cast<Real>(over_edges + cell_ratio * turn * std::hypot(s_x, s_y) +
                                     spread_outflow(cell, f));
    }
    return fastest;
}

// The largest share of a bin of this frequency that leaves over edges, s⁻¹.
double PropagationTables::outflow_over_edges(std::int32_t cell, int f) const {
    const double k = wave_numbers(cell)[f];
    double most = 0.0;
    for (int d = 0; d < grid.directions; ++d) {
        double out = 0.0;
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e) {
            const std::int32_t neighbour = mesh.neighbour[e];
            if (!open(neighbour)) continue;
            const double k_edge =
                neighbour >= 0 ? edge_wave_number(k, static_cast<double>(wave_numbers(neighbour)[f])) : k;
            out +=
                rate[e] * k_edge * std::max(0.0, normal_x[e] * grid.cosine[d] + normal_y[e] * grid.sine[d]);
        }
        most = std::max(most, out);
    }
    return ratios(cell)[f] * most;
}

// Limits of the cells that changed, and of their neighbours, which are marked too.
void PropagationTables::find_still_limits(std::vector<std::uint8_t>& changed) {
    const double limit = outflow_limit(options.scheme);
    const std::vector<std::uint8_t> itself = changed;
    exec::for_each_cell(0, mesh.total, [&](std::int32_t cell) {
        bool any = itself[cell] != 0;
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e)
            any = any || (mesh.neighbour[e] >= 0 && itself[mesh.neighbour[e]] != 0);
        if (!any) return;
        changed[cell] = 1;
        const double fastest = find_still_limit(cell);
        if (cell < mesh.owned)
            flow->still_steps[cell] =
                fastest > 0.0 ? limit / fastest : std::numeric_limits<double>::infinity();
    });
}

// Marks the cells whose depth is another one, and tells of those that are owned.
bool PropagationTables::set_levels(std::span<const CellForcing> cells, const DepthChanged& depth_changed,
                                   std::vector<std::uint8_t>& changed) {
    const double deep = deep_enough(grid);
    const int row = flow->row_length();
    std::atomic<bool> any{false};
    std::vector<std::vector<Real>> before_of(static_cast<std::size_t>(exec::threads()),
                                             std::vector<Real>(2 * static_cast<std::size_t>(row)));
    exec::for_each_cell(0, mesh.total, [&](std::int32_t cell) {
        const auto c = static_cast<std::size_t>(cell);
        const double depth = mesh.depth[c] + static_cast<double>(cells[c].water_level);
        flow->depth[c] = depth;
        const std::uint8_t dry = depth < options.dry_depth ? 1 : 0;
        // Deep cells keep the tables of the mesh's depth, so that these never depend on what was before.
        const bool is_deep = mesh.depth[c] > deep && depth > deep;
        const double of_tables = is_deep ? mesh.depth[c] : std::max(depth, options.minimum_depth);
        if (of_tables == flow->depth_of_tables[c] && dry == flow->dry[c]) return;
        changed[c] = 1;
        any = true;
        flow->dry[c] = dry;
        // J and W as they were.
        std::vector<Real>& before = before_of[exec::thread_index()];
        std::copy_n(flow->densities(cell), row, before.data());
        std::copy_n(flow->potentials(cell), row, before.data() + row);
        if (of_tables != flow->depth_of_tables[c]) {
            flow->depth_of_tables[c] = of_tables;
            set_dispersion(cell, of_tables);
            flow->set_dispersion(*this, cell, of_tables);
        }
        if (cell < mesh.owned) depth_changed(cell, before.data(), before.data() + row);
    });
    return any;
}

bool PropagationTables::set_water(std::span<const CellForcing> cells, const DepthChanged& depth_changed) {
    const double limit = outflow_limit(options.scheme);
    std::vector<std::uint8_t> changed(static_cast<std::size_t>(mesh.total), 0);
    bool any = options.levels && set_levels(cells, depth_changed, changed);
    if (any) find_still_limits(changed);
    any = (options.currents && flow->set_current(*this, cells, changed)) || any;
    if (!any && !flow->steps_are_new) return false;
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        if (!flow->steps_are_new && changed[cell] == 0) continue;
        // A hair less than the bound: what enters over edges by the current is added up apart.
        flow->steps[cell] =
            (1.0 - 1e-5) / (1.0 / flow->still_steps[cell] + static_cast<double>(flow->outflow[cell]) / limit);
    }
    flow->steps_are_new = false;
    return true;
}

}  // namespace groundswell::sea
