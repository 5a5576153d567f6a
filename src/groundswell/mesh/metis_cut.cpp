#include "groundswell/mesh/metis_cut.hpp"

#include <metis.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/pieces.hpp"

namespace groundswell::mesh {
namespace {

/// With fewer cells to a part METIS leaves parts empty.
constexpr std::int64_t fewest_cells_per_part = 4;

/// Consecutive stretches whose lengths are proportional to `share` (of sum 1), to the nearest cell.
std::vector<int> stretches(std::int32_t cells, const std::vector<double>& share) {
    std::vector<int> part(cells);
    double reached = 0.0;
    std::int32_t begin = 0;
    for (std::size_t p = 0; p < share.size(); ++p) {
        reached += share[p];
        const bool last = p + 1 == share.size();
        const auto end = last ? cells : static_cast<std::int32_t>(std::lround(reached * cells));
        for (std::int32_t c = begin; c < end; ++c) part[c] = static_cast<int>(p);
        begin = std::max(begin, end);
    }
    return part;
}

/// The graph with each sea but the first tied by one edge to an earlier one, so that METIS can be asked for
/// connected parts (it ends the program if the graph is not connected). The seas then form a tree, so a part
/// that is connected in this graph is connected inside every sea of the old one.
Graph bridge_seas(const Graph& graph) {
    const std::vector<std::int32_t> sea = seas_of(graph);
    std::vector<std::pair<std::int32_t, std::int32_t>> bridges;  // both ways
    std::int32_t seas = 0;
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        if (sea[c] < seas) continue;
        // The lowest cell of a sea: the cell before it belongs to an earlier sea, and is near on the curve.
        if (seas > 0) bridges.insert(bridges.end(), {{c, c - 1}, {c - 1, c}});
        ++seas;
    }
    if (bridges.empty()) return graph;
    std::ranges::sort(bridges);
    Graph joined;
    joined.neighbour.reserve(graph.neighbour.size() + bridges.size());
    auto bridge = bridges.begin();
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        joined.neighbour.insert(joined.neighbour.end(), graph.neighbour.begin() + graph.offset[c],
                                graph.neighbour.begin() + graph.offset[c + 1]);
        for (; bridge != bridges.end() && bridge->first == c; ++bridge)
            joined.neighbour.push_back(bridge->second);
        joined.offset.push_back(static_cast<std::int32_t>(joined.neighbour.size()));
    }
    return joined;
}

}  // namespace

std::vector<int> cut(const Graph& graph, const std::vector<double>& share, double slack) {
    const auto parts = static_cast<idx_t>(share.size());
    if (parts == 1) return std::vector<int>(graph.cells(), 0);
    const double smallest = *std::ranges::min_element(share);
    if (smallest * graph.cells() < static_cast<double>(fewest_cells_per_part))
        return stretches(graph.cells(), share);

    static_assert(sizeof(idx_t) == sizeof(std::int32_t) && sizeof(int) == sizeof(std::int32_t),
                  "METIS built with 64-bit indices needs its own copy of the graph");
    const Graph joined = bridge_seas(graph);
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_SEED] = 20240906;
    options[METIS_OPTION_CONTIG] = 1;
    options[METIS_OPTION_UFACTOR] = std::max<idx_t>(1, static_cast<idx_t>(std::lround(1000.0 * slack)));
    idx_t cells = graph.cells(), constraints = 1, edge_cut = 0, part_count = parts;
    std::vector<real_t> weight(share.begin(), share.end());
    std::vector<int> part(graph.cells());
    // METIS takes its input by plain pointers and does not write to it.
    const int status =
        METIS_PartGraphKway(&cells, &constraints, const_cast<idx_t*>(joined.offset.data()),
                            const_cast<idx_t*>(joined.neighbour.data()), nullptr, nullptr, nullptr,
                            &part_count, weight.data(), nullptr, options, &edge_cut, part.data());
    if (status == METIS_ERROR_MEMORY) throw base::RunFailure("METIS: not enough memory to cut the mesh");
    GS_ASSERT(status == METIS_OK);
    return part;
}

std::int64_t most_cells(double mean, double imbalance) {
    const auto wanted = static_cast<std::int64_t>(std::ceil((1.0 + imbalance) * mean));
    return std::max(wanted, static_cast<std::int64_t>(std::floor(mean)) + 2);
}

std::vector<double> equal_shares(std::size_t parts) {
    return std::vector<double>(parts, 1.0 / static_cast<double>(parts));
}

}  // namespace groundswell::mesh
