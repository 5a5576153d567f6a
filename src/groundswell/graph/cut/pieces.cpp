#include "groundswell/graph/cut/pieces.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "groundswell/graph/cut/balance.hpp"

namespace groundswell::graph {
namespace {

/// Cells of one part that hang together: consecutive ones of Pieces::cells.
struct Piece {
    int part = 0;
    std::int32_t component = 0;
    std::size_t begin = 0, end = 0;

    std::size_t cells() const { return end - begin; }
};

struct Pieces {
    std::vector<Piece> pieces;
    std::vector<std::int32_t> cells;

    std::span<const std::int32_t> cells_of(const Piece& piece) const {
        return std::span(cells).subspan(piece.begin, piece.cells());
    }
};

/// All pieces in order of their lowest cell.
Pieces pieces_of(const Graph& graph, const std::vector<std::int32_t>& component,
                 const std::vector<int>& part) {
    Pieces found;
    found.cells.reserve(part.size());
    std::vector<char> seen(part.size(), 0);
    for (std::int32_t seed = 0; seed < graph.cells(); ++seed) {
        if (seen[seed]) continue;
        Piece piece{part[seed], component[seed], found.cells.size(), 0};
        found.cells.push_back(seed);
        seen[seed] = 1;
        for (std::size_t next = piece.begin; next < found.cells.size(); ++next) {
            const std::int32_t c = found.cells[next];
            for (const std::int32_t other : graph.around(c)) {
                if (seen[other] || part[other] != piece.part) continue;
                seen[other] = 1;
                found.cells.push_back(other);
            }
        }
        piece.end = found.cells.size();
        found.pieces.push_back(piece);
    }
    return found;
}

/// Leaves out the largest piece of each part in each component, and puts the others in order, smallest first.
void keep_stray_pieces(std::vector<Piece>& pieces) {
    std::map<std::pair<int, std::int32_t>, std::size_t> largest;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto [place, fresh] = largest.try_emplace({pieces[i].part, pieces[i].component}, i);
        if (!fresh && pieces[i].cells() > pieces[place->second].cells()) place->second = i;
    }
    std::vector<Piece> stray;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (largest.at({pieces[i].part, pieces[i].component}) != i) stray.push_back(pieces[i]);
    }
    std::ranges::stable_sort(stray, {}, &Piece::cells);
    pieces = std::move(stray);
}

int count_parts(const std::vector<Piece>& stray, int parts) {
    std::vector<char> broken(parts, 0);
    for (const Piece& piece : stray) broken[piece.part] = 1;
    return static_cast<int>(std::ranges::count(broken, 1));
}

}  // namespace

std::vector<std::int32_t> components_of(const Graph& graph) {
    std::vector<std::int32_t> component(graph.cells(), 0);
    const std::vector<int> one_part(graph.cells(), 0);
    const Pieces found = pieces_of(graph, component, one_part);
    for (std::size_t i = 0; i < found.pieces.size(); ++i) {
        for (const std::int32_t c : found.cells_of(found.pieces[i]))
            component[c] = static_cast<std::int32_t>(i);
    }
    return component;
}

int count_disconnected_parts(const Graph& graph, const std::vector<std::int32_t>& component,
                             const std::vector<int>& part, int parts) {
    std::vector<Piece> stray = pieces_of(graph, component, part).pieces;
    keep_stray_pieces(stray);
    return count_parts(stray, parts);
}

int join_stray_pieces(const Graph& graph, const std::vector<std::int32_t>& component,
                      const std::vector<int>& host_of_part, std::span<const std::int64_t> most,
                      std::vector<int>& part, int parts) {
    const int constraints = graph.constraints;
    std::vector<std::int64_t> weight = weights_of_parts(graph, part, parts);
    // A piece that joins another may itself have been what held a third together, so look again a few times.
    for (int round = 0; round < 8; ++round) {
        bool moved = false;
        Pieces found = pieces_of(graph, component, part);
        keep_stray_pieces(found.pieces);
        for (const Piece& piece : found.pieces) {
            std::map<int, std::int64_t> shared;  // weight of the edges to the parts around
            std::vector<std::int64_t> moving(constraints, 0);
            for (const std::int32_t c : found.cells_of(piece)) {
                for (int k = 0; k < constraints; ++k) moving[k] += graph.weight(c, k);
                for (std::int64_t j = graph.offset[c]; j < graph.offset[c + 1]; ++j) {
                    const int other = part[graph.neighbour[j]];
                    if (other != piece.part && host_of_part[other] == host_of_part[piece.part])
                        shared[other] += graph.weight_across(j);
                }
            }
            const auto has_room = [&](int other) {
                for (int k = 0; k < constraints; ++k) {
                    if (weight[std::int64_t{other} * constraints + k] + moving[k] > most[k]) return false;
                }
                return true;
            };
            int target = -1;
            for (const auto& [other, edges] : shared)
                if ((target < 0 || edges > shared[target]) && has_room(other)) target = other;
            if (target < 0) continue;
            for (const std::int32_t c : found.cells_of(piece)) part[c] = target;
            for (int k = 0; k < constraints; ++k) {
                weight[std::int64_t{piece.part} * constraints + k] -= moving[k];
                weight[std::int64_t{target} * constraints + k] += moving[k];
            }
            moved = true;
        }
        if (!moved) return count_parts(found.pieces, parts);
    }
    return count_disconnected_parts(graph, component, part, parts);
}

}  // namespace groundswell::graph
