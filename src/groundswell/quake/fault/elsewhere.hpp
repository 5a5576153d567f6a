#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/quake/fault/kernels.hpp"

/// Faults whose faces are solved elsewhere than in the memory of Fault, and what they are made of.
namespace groundswell::quake {

/// [lane] faces of a batch, -1: none.
using FaultLanes = std::array<std::int32_t, most_fault_lanes>;

/// A side at a fault that is looked at.
struct FaultLooked {
    std::int32_t batch, element;  ///< of elements; which of these
    int face, turn;               ///< of that element; of the matrix, see FaultParts::trace
    std::int32_t side;            ///< in FaultParts::sides
    std::array<double, 3> normal;
};

/// All that faults consist of. Arrays as in FaultMemory, batch after batch.
struct FaultParts {
    const FaultRule& rule;
    FaultStep step;  ///< what all steps share
    std::string_view law;
    int faces, parameters, side_values;  ///< in a batch; of the law at a point; of a side
    bool counts_jump;
    std::span<double> sides, state, heat;
    std::span<const std::int32_t> first_side;  ///< [cluster], and the end
    std::span<const double> geometry, initial, nucleation, parameter, thermal;
    std::span<const FaultLanes> faces_of;  ///< [batch]
    /// [face][+, −]: in `sides`; the element's own side, and what lies beyond; -1 for those of other ranks.
    std::span<const std::array<std::int32_t, 2>> side_of, own_of, beyond_of;
    std::vector<int> turn;                                          ///< [face]
    std::span<const std::array<std::vector<TraceEntry>, 4>> trace;  ///< [turn][face]
    std::span<const std::vector<double>> turned;                    ///< [turn], see FaultRule::turned
    std::vector<std::vector<FaultLooked>> looked;                   ///< [block of elements], by batches
};

/// Where faces are solved, if not here. What is asked for is done in that order.
class FaultElsewhere {
public:
    virtual ~FaultElsewhere() = default;
    /// As those of Fault; of some batches.
    virtual void look(int block) = 0;
    virtual void solve(std::int32_t begin, std::int32_t end, const FaultStep& step) = 0;
    /// Makes the states of some batches here what they are there; and what heat remembers, of all.
    virtual void bring_states(std::span<const std::int32_t> batches) = 0;
    virtual void bring_heat() = 0;
    /// Makes some consecutive sides here what they are there.
    virtual void bring_sides(std::int32_t begin, std::int32_t end) = 0;
};

}  // namespace groundswell::quake
