#include "groundswell/mesh/culling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/local_mesh.hpp"

namespace groundswell::mesh {

std::vector<std::int32_t> connected_waters(const GlobalMesh& mesh, std::int32_t& count) {
    std::vector<std::int32_t> water(mesh.lon.size(), -1);
    std::vector<std::int32_t> stack;
    count = 0;
    for (std::int32_t seed = 0; seed < mesh.cells(); ++seed) {
        if (water[seed] >= 0) continue;
        water[seed] = count;
        stack.push_back(seed);
        while (!stack.empty()) {
            const std::int32_t c = stack.back();
            stack.pop_back();
            for (std::int64_t j = mesh.offset[c]; j < mesh.offset[c + 1]; ++j) {
                const std::int32_t other = mesh.neighbour[j];
                if (other == coast || water[other] >= 0) continue;
                water[other] = count;
                stack.push_back(other);
            }
        }
        ++count;
    }
    return water;
}

GlobalMesh cull(GlobalMesh mesh, const CullOptions& options, CullReport& report) {
    report = {};
    report.mesh_cells = mesh.cells();
    std::vector<std::int32_t> wet;
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        if (mesh.depth[c] > options.dry_depth) wet.push_back(c);
    }
    report.land = report.mesh_cells - static_cast<std::int64_t>(wet.size());
    if (wet.empty()) {
        const double deepest = *std::ranges::max_element(mesh.depth);
        base::refuse(mesh.source, "bottomDepth", fmt::format("{} m at most", deepest),
                     fmt::format("at least one cell deeper than {} m", options.dry_depth));
    }
    if (report.land > 0) mesh = take_cells(std::move(mesh), wet);

    std::int32_t waters = 0;
    const std::vector<std::int32_t> water = connected_waters(mesh, waters);
    std::vector<std::int64_t> size(waters, 0);
    for (const std::int32_t w : water) ++size[w];
    const auto largest = static_cast<double>(*std::ranges::max_element(size));
    const auto is_sea = [&](std::int32_t w) {
        return static_cast<double>(size[w]) >= options.smallest_sea_share * largest;
    };
    for (std::int32_t w = 0; w < waters; ++w) (is_sea(w) ? report.seas : report.enclosed_waters) += 1;
    if (report.enclosed_waters == 0) return mesh;

    std::vector<std::int32_t> sea;
    for (std::int32_t c = 0; c < mesh.cells(); ++c) {
        if (is_sea(water[c])) sea.push_back(c);
    }
    report.enclosed = mesh.cells() - static_cast<std::int64_t>(sea.size());
    return take_cells(std::move(mesh), sea);
}

}  // namespace groundswell::mesh
