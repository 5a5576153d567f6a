#pragma once

#include <cstdint>
#include <span>

#include "groundswell/quake/basis/sparse.hpp"

/// Elements as a device has them. They lie as in Batch (kernels.hpp), in batches of as many as a block computes on, so that
/// neighbouring lanes read neighbouring numbers.
namespace groundswell::quake {

/// And the matrices of the reference element in memory, row after row: where entries begin, and the entries.
template <class Real>
struct RowTables {
    std::span<const std::int32_t> begin;  ///< [row], and the end
    std::span<const SparseEntry<Real>> entries;
};

/// One launch of a kernel on some batches.
template <class Real>
struct ElementsView {
    /// For kernels of anisotropic rock `material` is that of batches that meet such, each with its faces behind it.
    std::span<const Real> material, faces;
    std::span<Real> state, memory, sides;
    std::span<const std::int32_t> beyond, pieces;
    std::span<const std::uint32_t> other_kind;  ///< [batch][4], see Batch
    std::span<const std::int32_t> is_water;     ///< [batch]
    std::span<const Real> added;  ///< by sources, see Batch::added, one batch that has any after the other
    std::span<const std::int32_t> added_of;  ///< [batch] which one of these; -1: none
    std::int64_t added_values = 0;           ///< of each of these
    RowTables<Real> rows;
    std::int32_t first = 0;  ///< batch of the first block
    int mechanisms = 0;
    int material_values = 0;  ///< of a batch
    int rate = 1;             ///< of predictors: pieces that sides are written for, 1: none
    int piece = 0;            ///< of correctors: which one of those that step more rarely
    Real step = 0;            ///< s
    std::span<const std::int32_t>
        anisotropic_of;  ///< [batch] which one of those that meet anisotropic rock; -1: none does

    constexpr void arrays(const auto& visit) const {
        visit(material);
        visit(faces);
        visit(state);
        visit(memory);
        visit(sides);
        visit(beyond);
        visit(pieces);
        visit(other_kind);
        visit(is_water);
        visit(added);
        visit(added_of);
        visit(rows.begin);
        visit(rows.entries);
        visit(anisotropic_of);
    }
};

}  // namespace groundswell::quake
