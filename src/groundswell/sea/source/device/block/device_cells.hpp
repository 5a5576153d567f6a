#pragma once

#include <cstdint>
#include <span>

#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Conditions of cells, by their numbers, as a device has them. Spectra are rows of `stride` values, those of waves of `frequency_stride`.
struct DeviceConditions {
    std::int64_t stride = 0;
    int frequency_stride = 0;
    std::span<const Real> wind_speed, wind_x, wind_y, depth;  ///< [cell] as in CellConditions
    std::span<const Real> open;  ///< [cell] the share of the sea on which sources act; 0: none acts
    std::span<const Real> wave_number, group_speed;  ///< [cell][frequency_stride]

    constexpr void arrays(const auto& visit) const {
        for (const auto* numbers : {&wind_speed, &wind_x, &wind_y, &depth, &open, &wave_number, &group_speed})
            visit(*numbers);
    }
    constexpr CellConditions of(std::int32_t cell) const {
        const std::int64_t waves = static_cast<std::int64_t>(cell) * frequency_stride;
        return {
            wind_speed[cell],          wind_x[cell], wind_y[cell], depth[cell], wave_number.data() + waves,
            group_speed.data() + waves};
    }
};

/// The same with their waves.
struct DeviceCells : DeviceConditions {
    std::span<Real> action;        ///< [cell][stride]
    std::span<SourceState> state;  ///< [cell]
};

}  // namespace groundswell::sea
