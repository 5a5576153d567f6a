#include "groundswell/sea/propagation/second_order/tiles.hpp"

#include <algorithm>

namespace groundswell::sea {

std::vector<Tile> make_tiles(const PropagationTables& t, std::int32_t most_cells) {
    std::vector<Tile> tiles;
    std::vector<std::int32_t> slot_of(t.mesh.total, Tile::nothing);
    const auto add_tiles = [&](std::int32_t first, std::int32_t last) {
        for (std::int32_t begin = first; begin < last; begin += most_cells) {
            Tile tile;
            tile.begin = begin;
            tile.end = std::min(begin + most_cells, last);
            for (std::int32_t cell = tile.begin; cell < tile.end; ++cell) slot_of[cell] = cell - begin;
            for (std::int32_t cell = tile.begin; cell < tile.end; ++cell) {
                for (std::int32_t e = t.mesh.edge_offset[cell]; e < t.mesh.edge_offset[cell + 1]; ++e) {
                    const std::int32_t neighbour = t.mesh.neighbour[e];
                    if (neighbour < 0) {
                        tile.beyond.push_back(Tile::nothing);
                        continue;
                    }
                    if (slot_of[neighbour] == Tile::nothing) {
                        slot_of[neighbour] = tile.slots();
                        tile.ring.push_back(neighbour);
                    }
                    const bool turned = t.crosses_frames(cell, neighbour);
                    if (turned) tile.turned.push_back(slot_of[neighbour]);
                    tile.beyond.push_back(turned ? Tile::nothing : slot_of[neighbour]);
                }
            }
            for (std::int32_t slot = 0; slot < tile.slots(); ++slot) slot_of[tile.cell(slot)] = Tile::nothing;
            tiles.push_back(std::move(tile));
        }
    };
    for (const mesh::CellGroup& group : t.mesh.groups) {
        for (const mesh::CellRange cells : {group.interior, group.rim}) add_tiles(cells.begin, cells.end);
    }
    return tiles;
}

}  // namespace groundswell::sea
