#include "groundswell/sea/clusters/images.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

namespace {

using voronoi::LocalMesh;

std::vector<int> clusters_of(const LocalMesh& mesh) {
    std::vector<int> cluster(mesh.total);
    for (std::size_t g = 0; g < mesh.groups.size(); ++g) {
        for (const mesh::CellRange range : {mesh.groups[g].owned(), mesh.groups[g].halo})
            std::fill(cluster.begin() + range.begin, cluster.begin() + range.end, static_cast<int>(g));
    }
    return cluster;
}

std::span<const std::int32_t> neighbours(const LocalMesh& mesh, std::int32_t cell) {
    return std::span(mesh.neighbour)
        .subspan(mesh.edge_offset[cell], mesh.edge_offset[cell + 1] - mesh.edge_offset[cell]);
}

// Cells that read what lies beyond their edges.
std::vector<char> find_readers(const LocalMesh& mesh, const std::vector<int>& cluster) {
    std::vector<char> reads(mesh.total, 0);
    std::fill_n(reads.begin(), mesh.owned, 1);
    for (std::int32_t cell = mesh.owned; cell < mesh.total && mesh.layers > 1; ++cell) {
        reads[cell] = std::ranges::any_of(neighbours(mesh, cell), [&](std::int32_t beyond) {
            return beyond >= 0 && beyond < mesh.owned && cluster[beyond] == cluster[cell];
        });
    }
    return reads;
}

// Which cells have an image for which other cluster, in the order of ClusterBorder::source.
std::vector<ClusterBorder> find_borders(const LocalMesh& mesh, const std::vector<int>& cluster,
                                        const std::vector<char>& reads) {
    std::vector<ClusterBorder> borders;
    for (int to = 0; std::cmp_less(to, mesh.groups.size()); ++to) {
        for (const int from : {to + 1, to - 1}) {
            if (from < 0 || std::cmp_greater_equal(from, mesh.groups.size())) continue;
            ClusterBorder border{from, to};
            std::vector<std::int32_t> outer, halo;
            for (std::int32_t cell = 0; cell < mesh.total; ++cell) {
                if (cluster[cell] != from) continue;
                const auto around = neighbours(mesh, cell);
                // The owner of a cell knows all that touch it, and what is read here is one of its images therefore.
                const bool touches = std::ranges::any_of(around, [&](std::int32_t beyond) {
                    return beyond >= 0 && cluster[beyond] == to && (cell < mesh.owned || reads[beyond]);
                });
                if (!touches) continue;
                const bool inner =
                    std::ranges::all_of(around, [&](std::int32_t beyond) { return beyond < mesh.owned; });
                (cell >= mesh.owned ? halo : inner ? border.source : outer).push_back(cell);
            }
            border.inner = static_cast<std::int32_t>(border.source.size());
            border.source.insert(border.source.end(), outer.begin(), outer.end());
            border.owned = static_cast<std::int32_t>(border.source.size());
            border.source.insert(border.source.end(), halo.begin(), halo.end());
            borders.push_back(std::move(border));
        }
    }
    return borders;
}

void append_image(LocalMesh& mesh, std::int32_t cell) {
    const auto copy = [&](auto& values) {
        const auto value = values[cell];
        values.push_back(value);
    };
    copy(mesh.id);
    copy(mesh.owner);
    copy(mesh.mesh_cell);
    copy(mesh.face);
    copy(mesh.lon);
    copy(mesh.lat);
    copy(mesh.depth);
    copy(mesh.area);
    mesh.edge_offset.push_back(mesh.edge_offset.back());
    ++mesh.total;
}

}  // namespace

ClusteredMesh::ClusteredMesh(LocalMesh given) : mesh(std::move(given)), first_image(mesh.total) {
    const std::vector<int> cluster = clusters_of(mesh);
    const std::vector<char> reads = find_readers(mesh, cluster);
    borders = find_borders(mesh, cluster, reads);
    // By reading cluster and cell.
    std::map<std::pair<int, std::int32_t>, std::int32_t> image;
    for (ClusterBorder& border : borders) {
        border.first = mesh.total;
        for (const std::int32_t cell : border.source) {
            image[{border.to, cell}] = mesh.total;
            append_image(mesh, cell);
        }
    }
    for (std::int32_t cell = 0; cell < first_image; ++cell) {
        if (!reads[cell]) continue;
        for (std::int32_t e = mesh.edge_offset[cell]; e < mesh.edge_offset[cell + 1]; ++e) {
            const std::int32_t beyond = mesh.neighbour[e];
            if (beyond < 0 || cluster[beyond] == cluster[cell]) continue;
            const auto found = image.find({cluster[cell], beyond});
            GS_ASSERT(found != image.end());
            mesh.neighbour[e] = found->second;
        }
    }
}

}  // namespace groundswell::sea
