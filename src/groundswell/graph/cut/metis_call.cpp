#include "groundswell/graph/cut/metis_call.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/termination.hpp"

namespace groundswell::graph {
namespace {

/// METIS adds weights up in its own integers, and some of these sums twice.
constexpr std::int64_t largest_sum = std::numeric_limits<idx_t>::max() / 4;

template <class Value>
std::vector<idx_t> as_indices(const std::vector<Value>& values) {
    return {values.begin(), values.end()};
}

/// Weights in METIS' integers, every `stride`-th scaled down where their sum would not fit; none becomes 0.
void scale(const std::vector<std::int64_t>& weight, std::size_t first, std::size_t stride,
           std::vector<idx_t>& scaled) {
    std::int64_t sum = 0;
    for (std::size_t i = first; i < weight.size(); i += stride) sum += weight[i];
    const double factor = static_cast<double>(largest_sum) / static_cast<double>(sum);
    for (std::size_t i = first; i < weight.size(); i += stride) {
        const auto whole = static_cast<double>(weight[i]);
        const std::int64_t fitting = sum <= largest_sum ? weight[i] : std::llround(factor * whole);
        scaled[i] = static_cast<idx_t>(weight[i] > 0 ? std::max<std::int64_t>(1, fitting) : 0);
    }
}

}  // namespace

Graph bridge_components(const Graph& graph, const std::vector<std::int32_t>& component) {
    std::vector<std::pair<std::int32_t, std::int32_t>> bridges;  // both ways
    std::int32_t components = 0;
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        if (component[c] < components) continue;
        // The lowest cell of a component: the cell before it belongs to an earlier one, and is near on the
        // curve.
        if (components > 0) bridges.insert(bridges.end(), {{c, c - 1}, {c - 1, c}});
        ++components;
    }
    if (bridges.empty()) return graph;
    std::ranges::sort(bridges);
    Graph joined;
    joined.constraints = graph.constraints;
    joined.cell_weight = graph.cell_weight;
    joined.neighbour.reserve(graph.neighbour.size() + bridges.size());
    auto bridge = bridges.begin();
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        const auto around = graph.around(c);
        joined.neighbour.insert(joined.neighbour.end(), around.begin(), around.end());
        if (!graph.edge_weight.empty())
            joined.edge_weight.insert(joined.edge_weight.end(), graph.edge_weight.begin() + graph.offset[c],
                                      graph.edge_weight.begin() + graph.offset[c + 1]);
        for (; bridge != bridges.end() && bridge->first == c; ++bridge) {
            joined.neighbour.push_back(bridge->second);
            if (!graph.edge_weight.empty()) joined.edge_weight.push_back(1);
        }
        joined.end_row();
    }
    return joined;
}

std::vector<int> call_metis(const Graph& joined, const std::vector<double>& share, const ByConstraint& slack,
                            Scheme scheme, idx_t seed) {
    if (joined.offset.back() > std::numeric_limits<idx_t>::max())
        base::refuse("METIS", "neighbours in the mesh", std::to_string(joined.offset.back()),
                     "at most 2147483647 with 32-bit indices; partition \"curve\" has no limit");
    std::vector<idx_t> offset = as_indices(joined.offset), neighbour;
    // METIS takes its input by plain pointers and does not write to it.
    idx_t* beyond = nullptr;
    if constexpr (sizeof(idx_t) == sizeof(std::int32_t)) {
        beyond = const_cast<idx_t*>(reinterpret_cast<const idx_t*>(joined.neighbour.data()));
    } else {
        neighbour = as_indices(joined.neighbour);
        beyond = neighbour.data();
    }
    std::vector<idx_t> cell_weight(joined.cell_weight.size()), edge_weight(joined.edge_weight.size());
    const auto stride = static_cast<std::size_t>(joined.constraints);
    if (!cell_weight.empty())
        for (std::size_t k = 0; k < stride; ++k) scale(joined.cell_weight, k, stride, cell_weight);
    if (!edge_weight.empty()) scale(joined.edge_weight, 0, 1, edge_weight);

    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_SEED] = seed;
    if (scheme == Scheme::connected) options[METIS_OPTION_CONTIG] = 1;
    std::vector<real_t> tolerance, target;  // by constraint; [parts][constraints]
    for (const double s : slack) {
        const idx_t thousandths = std::max<idx_t>(1, static_cast<idx_t>(std::lround(1000.0 * s)));
        options[METIS_OPTION_UFACTOR] = thousandths;  // of a single constraint
        tolerance.push_back(static_cast<real_t>(1.0 + 0.001 * static_cast<double>(thousandths)));
    }
    for (const double s : share) target.insert(target.end(), stride, static_cast<real_t>(s));
    idx_t cells = joined.cells(), constraints = joined.constraints, edge_cut = 0;
    auto parts = static_cast<idx_t>(share.size());
    std::vector<idx_t> part(cells);
    const auto method = scheme == Scheme::connected ? METIS_PartGraphKway : METIS_PartGraphRecursive;
    // METIS takes SIGTERM for itself, and leaves what it does by a jump out of the signal handler: out of malloc too,
    // whose lock is never given back then.
    const base::TerminationWaits waits;
    const int status = method(&cells, &constraints, offset.data(), beyond,
                              cell_weight.empty() ? nullptr : cell_weight.data(), nullptr,
                              edge_weight.empty() ? nullptr : edge_weight.data(), &parts, target.data(),
                              constraints == 1 ? nullptr : tolerance.data(), options, &edge_cut, part.data());
    if (status == METIS_ERROR_MEMORY) throw base::RunFailure("METIS: not enough memory to cut the mesh");
    GS_ASSERT(status == METIS_OK);
    return {part.begin(), part.end()};
}

}  // namespace groundswell::graph
