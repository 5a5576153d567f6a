#include "groundswell/mesh/voronoi/parts/curve_places.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <span>

#include "groundswell/base/make_unique.hpp"
#include "groundswell/graph/curve/curve.hpp"
#include "groundswell/graph/distributed_components.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::voronoi {
namespace {

using parallel::RowBlocks;
using parallel::SparseExchange;

/// Cells that this rank has of a water, asked of the rank that has read the row that names it.
struct WaterQuestion {
    std::int64_t row;
    std::int64_t cells;
};

/// Picks the named waters that are large enough, as cells_of_seas() finds it; fills in the report.
std::map<std::int64_t, bool> find_seas(MPI_Comm comm, SparseExchange& exchange, const RowBlocks& blocks,
                                       const std::map<std::int64_t, std::int64_t>& cells_of_water,
                                       const CullOptions& options, CullReport& report) {
    std::vector<WaterQuestion> questions;
    for (const auto& [row, cells] : cells_of_water) questions.push_back({row, cells});
    std::vector<std::int64_t> size(blocks.mine(), 0);
    double largest = 0.0;
    const auto is_sea = [&](std::int64_t cells) {
        return static_cast<double>(cells) >= options.smallest_sea_share * largest;
    };
    const auto answers = parallel::ask_owners<char, WaterQuestion>(
        exchange, blocks, questions,
        [&](const WaterQuestion& question) { size[question.row - blocks.begin()] += question.cells; },
        [&] {
            for (const std::int64_t cells : size) largest = std::max(largest, static_cast<double>(cells));
            largest = parallel::max(comm, largest);
            std::int64_t seas = 0, waters = 0, enclosed = 0;
            for (const std::int64_t cells : size) {
                if (cells == 0) continue;
                (is_sea(cells) ? seas : waters) += 1;
                if (!is_sea(cells)) enclosed += cells;
            }
            report.seas = static_cast<int>(parallel::sum(comm, seas));
            report.enclosed_waters = static_cast<int>(parallel::sum(comm, waters));
            report.enclosed = parallel::sum(comm, enclosed);
        },
        [&](const WaterQuestion& question) -> char {
            return is_sea(size[question.row - blocks.begin()]) ? 1 : 0;
        });
    std::map<std::int64_t, bool> found;
    for (std::size_t i = 0; i < questions.size(); ++i) found[questions[i].row] = answers[i] != 0;
    return found;
}

/// One cell of each connected piece of the part.
std::vector<std::int32_t> pieces_of(const LocalMesh& mesh) {
    std::vector<std::int32_t> pieces, queue;
    std::vector<char> seen(mesh.owned, 0);
    for (std::int32_t seed = 0; seed < mesh.owned; ++seed) {
        if (seen[seed]) continue;
        pieces.push_back(seed);
        seen[seed] = 1;
        queue.assign(1, seed);
        while (!queue.empty()) {
            const std::int32_t c = queue.back();
            queue.pop_back();
            for (std::int32_t j = mesh.edge_offset[c]; j < mesh.edge_offset[c + 1]; ++j) {
                const std::int32_t n = mesh.neighbour[j];
                if (n < 0 || n >= mesh.owned || seen[n]) continue;
                seen[n] = 1;
                queue.push_back(n);
            }
        }
    }
    return pieces;
}

}  // namespace

CurvePlaces places_along_curve(MPI_Comm comm, SparseExchange& exchange, Slab& slab,
                               const CullOptions& options, CullReport& report) {
    const RowBlocks& blocks = slab.cells;
    const GlobalMesh& mesh = slab.mesh;
    const std::int32_t cells = mesh.cells();
    std::vector<char> wet;
    double deepest = -std::numeric_limits<double>::infinity();
    for (const double depth : mesh.depth) {
        wet.push_back(depth > options.dry_depth);
        deepest = std::max(deepest, depth);
    }
    const std::int64_t land = std::ranges::count(wet, 0);
    report = {};
    report.mesh_cells = blocks.rows;
    report.land = parallel::sum(comm, land);
    deepest = parallel::max(comm, deepest);
    parallel::agree(comm,
                    [&] { require_sea(mesh.source, report.land < report.mesh_cells, deepest, options); });

    cull_neighbours(exchange, slab, wet);
    CurvePlaces places;
    places.water = graph::components_of(comm, exchange, blocks, mesh.offset, mesh.neighbour);
    std::map<std::int64_t, std::int64_t> cells_of_water;
    for (std::int32_t c = 0; c < cells; ++c) {
        if (wet[c]) ++cells_of_water[places.water[c]];
    }
    const auto is_sea = find_seas(comm, exchange, blocks, cells_of_water, options, report);

    places.place.resize(cells);
    for (std::int32_t c = 0; c < cells; ++c) {
        if (wet[c] && is_sea.at(places.water[c])) places.place[c].id = 0;
    }
    cut_again_by_group(comm, exchange, slab, places);
    return places;
}

void cut_again_by_group(MPI_Comm comm, SparseExchange& exchange, const Slab& slab, CurvePlaces& places) {
    std::vector<graph::CurveCell> on_curve;
    for (std::size_t c = 0; c < places.place.size(); ++c) {
        const CellPlace& place = places.place[c];
        if (place.id >= 0)
            on_curve.push_back({curve_position(slab.mesh.lon[c], slab.mesh.lat[c]),
                                slab.cells.begin() + static_cast<std::int64_t>(c), 1, place.group});
    }
    const int parts = parallel::size_of(comm);
    const std::vector<graph::CurvePlace> found = graph::cut_along_curve(comm, exchange, on_curve, parts);
    for (std::size_t i = 0; i < found.size(); ++i) {
        CellPlace& place = places.place[on_curve[i].row - slab.cells.begin()];
        place.id = static_cast<std::int32_t>(found[i].place);
        place.part = found[i].part;
    }
}

graph::PartitionReport measure_parts(MPI_Comm comm, SparseExchange& exchange, const RowBlocks& slabs,
                                     const CurvePlaces& places, int host, const LocalMesh& mesh) {
    const int ranks = parallel::size_of(comm);
    graph::PartitionReport report;
    report.method = graph::PartitionMethod::curve;

    // Halos are mutual: every owner of halo cells tells its host.
    std::vector<int> owners(mesh.owner.begin() + mesh.owned, mesh.owner.end());
    base::make_unique(owners);
    std::vector<parallel::Parcel> outgoing;
    for (const int owner : owners) outgoing.push_back(parallel::pack_parcel<int>(owner, std::span(&host, 1)));
    std::map<int, int> host_of;
    for (const parallel::Parcel& parcel : exchange(outgoing))
        host_of[parcel.rank] = parallel::unpack_parcel<int>(parcel)[0];
    for (std::int32_t c = 0; c < mesh.owned; ++c) {
        for (std::int32_t j = mesh.edge_offset[c]; j < mesh.edge_offset[c + 1]; ++j) {
            const std::int32_t n = mesh.neighbour[j];
            if (n < mesh.owned || mesh.id[n] < mesh.id[c]) continue;
            ++report.edge_cut;
            if (host_of.at(mesh.owner[n]) != host) ++report.host_cut;
        }
    }
    report.edge_cut = parallel::sum(comm, report.edge_cut);
    report.host_cut = parallel::sum(comm, report.host_cut);
    report.edge_cut_weight = report.edge_cut;
    report.host_cut_weight = report.host_cut;
    const double mean = static_cast<double>(mesh.global_cells) / ranks;
    report.imbalance = static_cast<double>(parallel::max(comm, std::int64_t{mesh.owned})) / mean - 1.0;
    report.imbalance_of[0] = report.imbalance;
    report.empty_parts = static_cast<int>(parallel::sum(comm, std::int64_t{mesh.owned == 0 ? 1 : 0}));

    const std::vector<std::int32_t> pieces = pieces_of(mesh);
    std::vector<std::int64_t> rows;
    for (const std::int32_t c : pieces) rows.push_back(mesh.mesh_cell[c] - 1);
    std::ranges::sort(rows);
    std::vector<std::int64_t> waters = parallel::ask_owners<std::int64_t, std::int64_t>(
        exchange, slabs, rows, [&](std::int64_t row) { return places.water[row - slabs.begin()]; });
    base::make_unique(waters);
    report.disconnected_parts =
        static_cast<int>(parallel::sum(comm, std::int64_t{waters.size() < pieces.size() ? 1 : 0}));
    return report;
}

}  // namespace groundswell::voronoi
