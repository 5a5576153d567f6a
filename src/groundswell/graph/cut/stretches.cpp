#include "groundswell/graph/cut/stretches.hpp"

namespace groundswell::graph {

std::vector<int> stretches(const Graph& graph, const std::vector<double>& share) {
    const std::int32_t cells = graph.cells();
    std::vector<double> factor;  // so that each constraint has the sum `cells`
    double whole = 0.0;
    for (const std::int64_t total : total_weights(graph)) {
        factor.push_back(total > 0 ? cells / static_cast<double>(total) : 0.0);
        whole += total > 0 ? cells : 0.0;
    }
    const auto weight_of = [&](std::int32_t cell) {
        double sum = 0.0;
        for (int k = 0; k < graph.constraints; ++k)
            sum += factor[k] * static_cast<double>(graph.weight(cell, k));
        return sum;
    };
    const auto parts = static_cast<std::int32_t>(share.size());
    const bool fill = !graph.cell_weight.empty() && parts <= cells;
    std::vector<int> part(cells);
    double reached = 0.0, before = 0.0;
    std::int32_t cell = 0;
    for (std::int32_t p = 0; p < parts; ++p) {
        reached += share[p];
        const std::int32_t first = cell, end = fill ? cells - (parts - 1 - p) : cells;
        for (; cell < end; ++cell) {
            const double weight = weight_of(cell);
            const bool wanted = p + 1 == parts || before + 0.5 * weight <= reached * whole;
            if (!wanted && !(fill && cell == first)) break;
            part[cell] = p;
            before += weight;
        }
    }
    return part;
}

}  // namespace groundswell::graph
