#pragma once

#include <cstdint>
#include <span>

#include "groundswell/quake/fault/kernel.hpp"

/// Faces of faults as a device has them: as FaultMemory, batch after batch, [value][point][face].
namespace groundswell::quake {

/// Tables of a rule and numbers of a whole fault.
struct FaultTables {
    std::span<const double> at, onto, smoothing;    ///< see FaultRule and FaultStep
    std::span<const double> time, weight, substep;  ///< of a step of length 1
    std::span<const double> of_fault;               ///< LawDescription::of_fault
    std::span<const double> modes;                  ///< ThermalModes: square, source and weight of each
    std::span<const NucleationStep> episodes;

    constexpr void arrays(const auto& visit) const {
        visit(at);
        visit(onto);
        visit(smoothing);
        visit(time);
        visit(weight);
        visit(substep);
        visit(of_fault);
        visit(modes);
        visit(episodes);
    }
};

/// One launch of a kernel on some batches.
struct FaultView {
    FaultTables tables;
    std::span<const double> geometry, initial, nucleation, parameter, thermal;
    std::span<const double> sides;          ///< what looks have left
    std::span<const std::int32_t> side_of;  ///< [batch][+, −][face]: which of these
    std::span<double> state, heat;
    std::span<double> traction;  ///< [batch][basis][3][face], see FaultBatch
    std::int32_t first = 0;      ///< batch of the first block
    int faces = 1;               ///< in a batch
    int order = 0, points = 0, basis = 0, pressing = 0, parameters = 0, side_values = 0;
    int heats = 0, counts_jump = 0;    ///< 1: so it is
    double begin = 0.0, length = 0.0;  ///< of the step, s
    FrictionScheme scheme;
    ThermalNumbers thermal_numbers;

    constexpr void arrays(const auto& visit) const {
        tables.arrays(visit);
        visit(geometry);
        visit(initial);
        visit(nucleation);
        visit(parameter);
        visit(thermal);
        visit(sides);
        visit(side_of);
        visit(state);
        visit(heat);
        visit(traction);
    }
};

}  // namespace groundswell::quake
