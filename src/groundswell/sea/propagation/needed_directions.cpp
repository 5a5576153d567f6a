#include <algorithm>
#include <cstddef>

#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {
namespace {

// The least cyclic range that holds all marked bins: what remains beside the longest run of unmarked ones.
halo::RowRange covering_range(const std::uint8_t* marked, int directions) {
    const int any = static_cast<int>(std::find(marked, marked + directions, 1) - marked);
    if (any == directions) return {};
    int gap = 0, longest = 0, after = any;  // `after`: the marked bin behind the longest gap
    for (int i = 1; i <= directions; ++i) {
        const int bin = any + i < directions ? any + i : any + i - directions;
        if (!marked[bin]) {
            ++gap;
            continue;
        }
        if (gap > longest) {
            longest = gap;
            after = bin;
        }
        gap = 0;
    }
    return {after, directions - longest};
}

}  // namespace

void PropagationTables::mark_along(Real x, Real y, std::uint8_t* marked) const {
    for (int d = 0; d < grid.directions; ++d)
        if (x * cosine[d] + y * sine[d] > 0) marked[d] = 1;
}

halo::RowRange PropagationTables::directions_along(Real x, Real y) const {
    std::vector<std::uint8_t> marked(grid.directions, 0);
    mark_along(x, y, marked.data());
    return covering_range(marked.data(), grid.directions);
}

std::vector<halo::RowRange> PropagationTables::needed_directions() const {
    const int n = grid.directions;
    const auto halo = static_cast<std::size_t>(mesh.total - mesh.owned);
    if (options.scheme != PropagationScheme::upwind || options.currents) return {halo, halo::RowRange{0, n}};

    // Marks are made with the very expressions of the kernels, in their precision: a bin whose normal
    // component rounds to a number above zero counts, however small.
    std::vector<std::uint8_t> marked(halo * n, 0);
    const auto mark = [&](std::int32_t neighbour, Real x, Real y) {
        mark_along(x, y, marked.data() + static_cast<std::size_t>(neighbour - mesh.owned) * n);
    };
    for (std::int32_t cell = mesh.interior(); cell < mesh.owned; ++cell) {
        for (std::int32_t edge = mesh.edge_offset[cell]; edge < mesh.edge_offset[cell + 1]; ++edge) {
            const std::int32_t neighbour = mesh.neighbour[edge];
            if (neighbour >= mesh.owned && !crosses_frames(cell, neighbour))
                mark(neighbour, -normal_x[edge], -normal_y[edge]);
        }
        for (const RotatedEdge& edge : rotated_edges_of(cell)) {
            const std::int32_t neighbour = mesh.neighbour[edge.edge];
            if (neighbour >= mesh.owned) mark(neighbour, edge.normal_x, edge.normal_y);
        }
    }
    std::vector<halo::RowRange> ranges(halo);
    for (std::size_t h = 0; h < halo; ++h) ranges[h] = covering_range(marked.data() + h * n, n);
    return ranges;
}

}  // namespace groundswell::sea
