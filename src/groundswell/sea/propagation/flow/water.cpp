#include <algorithm>
#include <cmath>
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
    find_still_limits(std::vector<std::uint8_t>(static_cast<std::size_t>(mesh.total), 1));
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
        rates[f] = static_cast<Real>(over_edges + cell_ratio * turn * std::hypot(s_x, s_y));
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

// Limits of the cells that changed, and of their neighbours.
void PropagationTables::find_still_limits(const std::vector<std::uint8_t>& changed) {
    const double limit = outflow_limit(options.scheme);
    exec::for_each_cell(0, mesh.total, [&](std::int32_t cell) {
        bool any = changed[cell] != 0;
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e)
            any = any || (mesh.neighbour[e] >= 0 && changed[mesh.neighbour[e]] != 0);
        if (!any) return;
        const double fastest = find_still_limit(cell);
        const std::size_t first = static_cast<std::size_t>(cell) * static_cast<std::size_t>(frequency_stride);
        std::copy_n(outflow_rate.data() + first, frequency_stride, flow->still_outflow_rate.data() + first);
        if (cell < mesh.owned)
            flow->still_steps[cell] =
                fastest > 0.0 ? limit / fastest : std::numeric_limits<double>::infinity();
    });
}

void PropagationTables::set_water(std::span<const CellForcing> cells, const DepthChanged& depth_changed) {
    const auto total = static_cast<std::size_t>(mesh.total);
    const double deep = deep_enough(grid), limit = outflow_limit(options.scheme);
    const int row = flow->row_length();
    if (options.levels) {
        std::vector<std::uint8_t> changed(total, 0);
        // J and W as they were; of owned cells that change alone.
        std::vector<std::vector<Real>> before(static_cast<std::size_t>(mesh.owned));
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
            flow->dry[c] = dry;
            if (cell < mesh.owned) {
                before[c].assign(flow->densities(cell), flow->densities(cell) + row);
                before[c].insert(before[c].end(), flow->potentials(cell), flow->potentials(cell) + row);
            }
            if (of_tables == flow->depth_of_tables[c]) return;
            flow->depth_of_tables[c] = of_tables;
            set_dispersion(cell, of_tables);
            flow->set_dispersion(*this, cell, of_tables);
        });
        if (std::ranges::find(changed, 1) != changed.end()) {
            find_still_limits(changed);
            exec::for_each_cell(0, mesh.owned, [&](std::int32_t cell) {
                if (changed[cell]) depth_changed(cell, before[cell].data(), before[cell].data() + row);
            });
        }
    }
    if (options.currents) flow->set_current(*this, cells);
    exec::for_each_cell(0, mesh.total, [&](std::int32_t cell) {
        const std::size_t first = static_cast<std::size_t>(cell) * static_cast<std::size_t>(frequency_stride);
        const Real added = flow->outflow[cell];
        for (int f = 0; f < grid.frequencies; ++f)
            outflow_rate[first + static_cast<std::size_t>(f)] =
                flow->still_outflow_rate[first + static_cast<std::size_t>(f)] + added;
        // A hair less than the bound: what enters over edges by the current is added up apart.
        if (cell < mesh.owned)
            flow->steps[cell] = (1.0 - 1e-5) / (1.0 / flow->still_steps[cell] + added / limit);
    });
}

}  // namespace groundswell::sea
