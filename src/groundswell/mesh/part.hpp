// One rank's part of an unstructured mesh: the cells that it owns and the halo of cells around them, in groups.
// Knows nothing of what a cell is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace groundswell::mesh {

/// Mark beyond a side in place of a cell: nothing, the mesh ends there.
inline constexpr std::int32_t nothing = -1;
/// A cell, but this rank does not hold it. Only beyond sides of halo cells.
inline constexpr std::int32_t absent = -2;

/// Local cells [begin, end).
struct CellRange {
    std::int32_t begin = 0, end = 0;

    std::int32_t cells() const { return end - begin; }
    bool operator==(const CellRange&) const = default;
};

/// Cells that are updated and exchanged together: all of them in a model with one time step, those of a
/// cluster where clusters have time steps of their own.
struct CellGroup {
    CellRange interior;  ///< owned, and no halo cell of any group lies within `layers` rings: can be updated
                         ///< before the halo arrives
    CellRange rim;       ///< owned, the others
    CellRange halo;      ///< owned by other ranks

    CellRange owned() const { return {interior.begin, rim.end}; }
};

/// Local order of cells:
///
///     interior and rim of group 0, interior and rim of group 1, …       [0, owned)
///     halo of group 0, halo of group 1, …                               [owned, total)
///
/// Inside `interior` and `rim` cells ascend by id. A group's halo is grouped by owner rank ascending, and
/// ascends by id inside an owner's, so that the whole cells which one neighbour sends of a group lie next to
/// each other in the order they are sent.
struct Part {
    // The whole mesh, the same on every rank.
    std::int64_t global_cells = 0;
    /// Hash of all cells; does not depend on ranks.
    std::uint64_t identity = 0;
    int layers = 1;  ///< rings of halo

    std::int32_t owned = 0;
    std::int32_t total = 0;
    std::vector<CellGroup> groups;  ///< at least one, the same number on every rank

    std::vector<std::int64_t> id;  ///< [total], 0..global_cells-1
    std::vector<int> owner;        ///< [total], rank

    /// Ids of the owned cells, in local order; and of the halo cells.
    std::span<const std::int64_t> owned_ids() const { return ids({0, owned}); }
    std::span<const std::int64_t> halo_ids() const { return ids({owned, total}); }
    std::span<const std::int64_t> ids(CellRange cells) const {
        return {id.data() + cells.begin, static_cast<std::size_t>(cells.cells())};
    }
};

}  // namespace groundswell::mesh
