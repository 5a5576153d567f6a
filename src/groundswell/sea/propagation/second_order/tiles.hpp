#pragma once

#include <cstdint>
#include <vector>

#include "groundswell/sea/propagation/tables.hpp"

/// Second order needs a cell's gradients and those of its neighbours. Gradients of the whole mesh would cost
/// as much memory as the state, so owned cells are taken in tiles of consecutive cells, compact along the
/// space-filling curve: the gradients of a tile and of the ring around it are made in cache, a few
/// frequencies at a time, used, and forgotten. A gradient is a function of its cell and the neighbours alone,
/// so tiles leave no trace in the result.
namespace groundswell::sea {

struct Tile {
    static constexpr std::int32_t most_cells = 128;
    static constexpr std::int32_t nothing = -1;

    std::int32_t begin = 0, end = 0;  ///< owned cells; slot i < end − begin is cell begin + i
    std::vector<std::int32_t> ring;   ///< the slots after those
    std::vector<std::int32_t>
        beyond;  ///< slot beyond each edge of the tile's cells, or `nothing` where frames differ too
    std::vector<std::int32_t> turned;  ///< slot beyond each of these edges whose frames differ

    std::int32_t cells() const { return end - begin; }
    std::int32_t slots() const { return cells() + static_cast<std::int32_t>(ring.size()); }
    std::int32_t cell(std::int32_t slot) const {
        return slot < cells() ? begin + slot : ring[slot - cells()];
    }
};

/// Tiles of all owned cells, ascending; none straddles the border of a group's interior, or it would read halo
/// cells while they arrive.
std::vector<Tile> make_tiles(const PropagationTables& tables, std::int32_t most_cells = Tile::most_cells);

}  // namespace groundswell::sea
