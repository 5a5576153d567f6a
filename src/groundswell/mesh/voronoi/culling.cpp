#include "groundswell/mesh/voronoi/culling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/graph/cut/pieces.hpp"

namespace groundswell::voronoi {

void require_sea(const std::string& source, bool any_wet, double deepest, const CullOptions& options) {
    if (any_wet) return;
    base::refuse(source, "bottomDepth", fmt::format("{} m at most", deepest),
                 fmt::format("at least one cell deeper than {} m", options.dry_depth));
}

std::vector<std::int32_t> cells_of_seas(const graph::Graph& wet, const CullOptions& options,
                                        CullReport& report) {
    const std::vector<std::int32_t> water = graph::components_of(wet);
    std::vector<std::int64_t> size;
    for (const std::int32_t w : water) {
        if (static_cast<std::size_t>(w) >= size.size()) size.resize(static_cast<std::size_t>(w) + 1, 0);
        ++size[w];
    }
    const auto largest = static_cast<double>(*std::ranges::max_element(size));
    const auto is_sea = [&](std::int32_t w) {
        return static_cast<double>(size[w]) >= options.smallest_sea_share * largest;
    };
    for (std::int32_t w = 0; w < static_cast<std::int32_t>(size.size()); ++w)
        (is_sea(w) ? report.seas : report.enclosed_waters) += 1;
    std::vector<std::int32_t> sea;
    for (std::int32_t c = 0; c < wet.cells(); ++c) {
        if (is_sea(water[c])) sea.push_back(c);
    }
    report.enclosed = wet.cells() - static_cast<std::int64_t>(sea.size());
    return sea;
}

GlobalMesh cull(GlobalMesh mesh, const CullOptions& options, CullReport& report) {
    report = {};
    report.mesh_cells = mesh.cells();
    std::vector<std::int32_t> wet;
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        if (mesh.depth[c] > options.dry_depth) wet.push_back(c);
    }
    report.land = report.mesh_cells - static_cast<std::int64_t>(wet.size());
    require_sea(mesh.source, !wet.empty(), *std::ranges::max_element(mesh.depth), options);
    if (report.land > 0) mesh = take_cells(std::move(mesh), wet);
    const std::vector<std::int32_t> sea = cells_of_seas(graph_of(mesh), options, report);
    return report.enclosed > 0 ? take_cells(std::move(mesh), sea) : mesh;
}

}  // namespace groundswell::voronoi
