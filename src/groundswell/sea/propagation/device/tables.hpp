#pragma once

#include <cstdint>
#include <span>

#include "groundswell/mesh/part.hpp"
#include "groundswell/sea/propagation/formulas.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

/// The part of PropagationTables that a device has, under the same names. Tables of what a case has not are empty.
struct DeviceTables {
    struct Mesh {
        std::span<const std::int32_t> edge_offset, neighbour;
    } mesh;
    struct Grid {
        int directions, frequencies, cell_stride;
        constexpr int bins() const { return directions * frequencies; }
        constexpr std::int64_t stride() const { return cell_stride; }
    } grid;
    int frequency_stride;
    int coast_absorbs;    ///< 0 or 1
    int is_second_order;  ///< 0 or 1
    Real largest_explicit_outflow;
    std::span<const Real> wave_number, ratio, outflow_rate;                        // [cell][frequency_stride]
    std::span<const Real> rate, normal_x, normal_y;                                // [edge]
    std::span<const Real> cosine, sine;                                            // [direction]
    std::span<const Real> turn_upper_x, turn_upper_y, turn_lower_x, turn_lower_y;  // [direction]
    std::span<const std::int32_t> rotated;           ///< [cell] 1: its frame turns
    std::span<const std::int32_t> transparency_row;  ///< [edge]
    std::span<const Real> transparencies;            ///< [row][direction]
    std::span<const Real> passing;                   ///< [edge]
    std::span<const std::int32_t> more_inflow;       ///< [cell] 1: as MoreInflow says
    std::span<const Real> drift;                     ///< [edge] Flow::drift, with currents
    std::span<const Real> drift_outflows;            ///< [cell] likewise, what they add to outflow_rate
    std::span<const std::uint8_t> dry;               ///< [cell] 1: it has fallen dry; with currents or levels

    constexpr void arrays(const auto& visit) const {
        for (const auto* table :
             {&mesh.edge_offset, &mesh.neighbour, &rotated, &transparency_row, &more_inflow})
            if (!table->empty()) visit(*table);
        for (const auto* table : {&wave_number, &ratio, &outflow_rate, &rate, &normal_x, &normal_y, &cosine,
                                  &sine, &turn_upper_x, &turn_upper_y, &turn_lower_x, &turn_lower_y,
                                  &transparencies, &passing, &drift, &drift_outflows})
            if (!table->empty()) visit(*table);
        if (!dry.empty()) visit(dry);
    }

    constexpr const Real* wave_numbers(std::int32_t cell) const { return row(wave_number, cell); }
    constexpr const Real* ratios(std::int32_t cell) const { return row(ratio, cell); }
    constexpr const Real* outflow_rates(std::int32_t cell) const { return row(outflow_rate, cell); }
    constexpr Real drift_outflow(std::int32_t cell) const {
        return drift_outflows.empty() ? Real(0) : drift_outflows[cell];
    }
    constexpr bool turns_implicitly(std::int32_t cell, int frequency, Real dt) const {
        return dt * (outflow_rates(cell)[frequency] + drift_outflow(cell)) > largest_explicit_outflow;
    }
    constexpr bool crosses_frames(std::int32_t cell, std::int32_t neighbour) const {
        return neighbour >= 0 && !rotated.empty() && (rotated[cell] | rotated[neighbour]) != 0;
    }
    constexpr bool open(std::int32_t neighbour) const {
        return neighbour >= 0 || (neighbour == groundswell::mesh::nothing && coast_absorbs != 0);
    }
    /// Does all that comes over any edge get there?
    constexpr bool lets_all_in() const { return transparency_row.empty() && passing.empty(); }
    /// Part of `entering` that gets there, in direction `d`, on its way over an edge.
    constexpr Real obstruct(std::int32_t edge, Real entering, int d) const {
        const std::int32_t islands = transparency_row.empty() ? -1 : transparency_row[edge];
        const Real* const through =
            islands < 0 ? nullptr : transparencies.data() + islands * grid.directions + d;
        return obstructed(entering, through, passing.empty() ? Real(1) : passing[edge]);
    }
    constexpr bool comes_more(std::int32_t cell) const {
        return !more_inflow.empty() && more_inflow[cell] != 0;
    }

private:
    constexpr const Real* row(std::span<const Real> table, std::int32_t cell) const {
        return table.data() + static_cast<std::int64_t>(cell) * frequency_stride;
    }
};

}  // namespace groundswell::sea
