#include "groundswell/mesh/pieces.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace groundswell::mesh {
namespace {

struct Piece {
    int part = 0;
    std::int32_t sea = 0;
    std::vector<std::int32_t> cells;
};

/// Cells of one part that hang together, in order of their lowest cell.
std::vector<Piece> pieces_of(const Graph& graph, const std::vector<std::int32_t>& sea,
                             const std::vector<int>& part) {
    std::vector<Piece> pieces;
    std::vector<char> seen(part.size(), 0);
    for (std::int32_t seed = 0; seed < graph.cells(); ++seed) {
        if (seen[seed]) continue;
        Piece piece{part[seed], sea[seed], {seed}};
        seen[seed] = 1;
        for (std::size_t next = 0; next < piece.cells.size(); ++next) {
            const std::int32_t c = piece.cells[next];
            for (std::int32_t j = graph.offset[c]; j < graph.offset[c + 1]; ++j) {
                const std::int32_t other = graph.neighbour[j];
                if (seen[other] || part[other] != piece.part) continue;
                seen[other] = 1;
                piece.cells.push_back(other);
            }
        }
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

/// All pieces but the largest of each part in each sea, smallest first.
std::vector<Piece> stray_pieces(const Graph& graph, const std::vector<std::int32_t>& sea,
                                const std::vector<int>& part) {
    std::vector<Piece> pieces = pieces_of(graph, sea, part);
    std::map<std::pair<int, std::int32_t>, std::size_t> largest;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto [place, fresh] = largest.try_emplace({pieces[i].part, pieces[i].sea}, i);
        if (!fresh && pieces[i].cells.size() > pieces[place->second].cells.size()) place->second = i;
    }
    std::vector<Piece> stray;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (largest.at({pieces[i].part, pieces[i].sea}) != i) stray.push_back(std::move(pieces[i]));
    }
    std::ranges::stable_sort(stray, {}, [](const Piece& p) { return p.cells.size(); });
    return stray;
}

}  // namespace

std::vector<std::int32_t> seas_of(const Graph& graph) {
    std::vector<std::int32_t> sea(graph.cells(), 0);
    const std::vector<int> one_part(graph.cells(), 0);
    const std::vector<Piece> pieces = pieces_of(graph, sea, one_part);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        for (const std::int32_t c : pieces[i].cells) sea[c] = static_cast<std::int32_t>(i);
    }
    return sea;
}

int count_disconnected_parts(const Graph& graph, const std::vector<std::int32_t>& sea,
                             const std::vector<int>& part, int parts) {
    std::vector<char> broken(parts, 0);
    for (const Piece& piece : stray_pieces(graph, sea, part)) broken[piece.part] = 1;
    return static_cast<int>(std::ranges::count(broken, 1));
}

void join_stray_pieces(const Graph& graph, const std::vector<std::int32_t>& sea,
                       const std::vector<int>& host_of_part, std::int64_t most_cells, std::vector<int>& part,
                       int parts) {
    std::vector<std::int64_t> size(parts, 0);
    for (const int p : part) ++size[p];
    // A piece that joins another may itself have been what held a third together, so look again a few times.
    for (int round = 0; round < 8; ++round) {
        bool moved = false;
        for (const Piece& piece : stray_pieces(graph, sea, part)) {
            std::map<int, std::int64_t> shared;
            for (const std::int32_t c : piece.cells) {
                for (std::int32_t j = graph.offset[c]; j < graph.offset[c + 1]; ++j) {
                    const int other = part[graph.neighbour[j]];
                    if (other != piece.part && host_of_part[other] == host_of_part[piece.part])
                        ++shared[other];
                }
            }
            const auto cells = static_cast<std::int64_t>(piece.cells.size());
            int target = -1;
            for (const auto& [other, edges] : shared) {
                if (size[other] + cells <= most_cells && (target < 0 || edges > shared[target]))
                    target = other;
            }
            if (target < 0) continue;
            for (const std::int32_t c : piece.cells) part[c] = target;
            size[piece.part] -= cells;
            size[target] += cells;
            moved = true;
        }
        if (!moved) return;
    }
}

}  // namespace groundswell::mesh
