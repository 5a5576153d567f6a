#include "groundswell/mesh/voronoi/parts/outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/voronoi/mpas/mpas_arrays.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"

namespace groundswell::voronoi {
namespace {

constexpr std::int64_t piece_rows = 65536;  // in memory at a time: a few megabytes

/// Calls `use(rows)` for all cells of the file, piece by piece.
template <class Use>
void in_pieces(const MpasFile& file, Use use) {
    for (std::int64_t begin = 0; begin < file.cells(); begin += piece_rows)
        use(RowRange{begin, std::min<std::int64_t>(file.cells(), begin + piece_rows)});
}

std::vector<std::int32_t> read_wet_rows(const MpasFile& file, const std::string& path,
                                        const ReadOptions& options, const CullOptions& cull,
                                        OutlineSum& sum) {
    std::vector<std::int32_t> wet;
    double deepest = -std::numeric_limits<double>::infinity();
    in_pieces(file, [&](RowRange rows) {
        const std::vector<double> depth = options.uniform_depth
                                              ? std::vector<double>(rows.rows(), *options.uniform_depth)
                                              : file.cell_numbers("bottomDepth", rows);
        for (std::size_t i = 0; i < depth.size(); ++i) {
            sum.add_depth(rows.begin + static_cast<std::int64_t>(i), depth[i]);
            deepest = std::max(deepest, depth[i]);
            if (depth[i] > cull.dry_depth)
                wet.push_back(static_cast<std::int32_t>(rows.begin + static_cast<std::int64_t>(i)));
        }
    });
    require_sea(path, !wet.empty(), deepest, cull);
    return wet;
}

[[noreturn]] void report_change(const std::string& path, const std::string& key, const std::string& value) {
    base::refuse(path, key, value, "a file that nobody changes while it is read");
}

/// The graph of wet cells, numbered as they stand in `wet`.
graph::Graph read_graph(const MpasFile& file, const std::string& path, const std::vector<std::int32_t>& wet,
                        OutlineSum& sum) {
    std::vector<std::int32_t> number(file.cells(), -1);
    for (std::size_t i = 0; i < wet.size(); ++i) number[wet[i]] = static_cast<std::int32_t>(i);
    graph::Graph graph;
    graph.offset.reserve(wet.size() + 1);
    graph.neighbour.reserve(6 * wet.size());  // on average it is a little less
    in_pieces(file, [&](RowRange rows) {
        const std::vector<std::int32_t> sides = file.cell_indices("nEdgesOnCell", rows, false),
                                        neighbours = file.cell_indices("cellsOnCell", rows, true);
        for (std::int64_t row = rows.begin; row < rows.end; ++row) {
            const std::int64_t i = row - rows.begin;
            if (sides[i] < 0 || sides[i] > file.max_edges())
                report_change(path, fmt::format("nEdgesOnCell({})", row + 1), std::to_string(sides[i]));
            const auto around = std::span(neighbours).subspan(i * file.max_edges(), sides[i]);
            sum.add_neighbours(row, around);
            if (number[row] < 0) continue;
            for (const std::int32_t other : around) {
                if (other < 0 || other > file.cells())
                    report_change(path, fmt::format("cellsOnCell({})", row + 1), std::to_string(other));
                if (other != 0 && number[other - 1] >= 0) graph.neighbour.push_back(number[other - 1]);
            }
            graph.end_row();
        }
    });
    return graph;
}

std::vector<std::uint64_t> read_positions(const MpasFile& file, const std::vector<std::int32_t>& wet,
                                          OutlineSum& sum) {
    std::vector<std::uint64_t> position;
    position.reserve(wet.size());
    in_pieces(file, [&](RowRange rows) {
        const std::vector<double> lon = file.cell_numbers("lonCell", rows),
                                  lat = file.cell_numbers("latCell", rows);
        for (std::int64_t i = 0; i < rows.rows(); ++i) sum.add_place(rows.begin + i, lon[i], lat[i]);
        while (position.size() < wet.size() && wet[position.size()] < rows.end) {
            const std::int64_t i = wet[position.size()] - rows.begin;
            position.push_back(curve_position(wrap_longitude(lon[i]), lat[i]));
        }
    });
    return position;
}

}  // namespace

Outline read_outline(const std::string& path, const ReadOptions& options, const CullOptions& cull,
                     std::int32_t cells_of_file, std::uint64_t sum_of_file, CullReport& report) {
    const MpasFile file(path);
    if (file.cells() != cells_of_file) report_change(path, "nCells", std::to_string(file.cells()));
    OutlineSum sum;
    Outline outline;
    outline.mesh_cells = file.cells();
    report = {};
    report.mesh_cells = file.cells();
    std::vector<std::int32_t> wet = read_wet_rows(file, path, options, cull, sum);
    report.land = file.cells() - static_cast<std::int64_t>(wet.size());
    graph::Graph graph = read_graph(file, path, wet, sum);
    std::vector<std::int32_t> cells = cells_of_seas(graph, cull, report);
    {
        // Cells stand in file order so far, which settles the order of cells at one place.
        const std::vector<std::uint64_t> position = read_positions(file, wet, sum);
        if (sum.value() != sum_of_file) report_change(path, "", "");
        std::ranges::sort(cells, [&](std::int32_t a, std::int32_t b) {
            return position[a] != position[b] ? position[a] < position[b] : a < b;
        });
    }
    outline.graph = graph::take_cells(graph, cells);
    graph = {};
    for (std::int32_t& c : cells) c = wet[c];
    outline.row = std::move(cells);
    outline.bytes_read = file.bytes_read();
    return outline;
}

}  // namespace groundswell::voronoi
