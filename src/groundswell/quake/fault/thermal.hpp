#pragma once

#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/quake/fault/laws/friction.hpp"

/// Heat of slip in a narrow zone, and the pressure of the fluid in it, which rises with temperature and takes strength away.
namespace groundswell::quake {

/// Numbers of a whole fault.
struct ThermalNumbers {
    double diffusivity = 0.0;    ///< of heat, m² s⁻¹
    double heat_capacity = 0.0;  ///< of a volume, J m⁻³ K⁻¹
    double response = 0.0;       ///< pressure of fluid that cannot leave, by temperature, Pa K⁻¹
};
/// Numbers at a point: half-width of the zone in which slip heats, that of a Gaussian (its standard deviation), m, and the
/// diffusivity of fluid, m² s⁻¹.
enum ThermalParameter { half_width, hydraulic_diffusivity, thermal_parameters };

/// Waves across the zone in which temperature and pressure are written. Their numbers, in one over half-widths, grow by √2 from
/// one to the next, so that what diffusion leaves of one follows from that of the last by a square.
struct ThermalModes {
    static constexpr int count = 40;
    static constexpr double highest = 5.0;
    std::array<double, count> square{}, source{}, weight{};

    ThermalModes() {
        const double step = 0.5 * std::log(2.0);
        for (int j = 0; j < count; ++j) {
            square[j] = std::ldexp(highest * highest, j + 1 - count);
            source[j] = std::exp(-0.5 * square[j]);
            // In the sum over the logarithm of wave numbers the first one stands for all below it, too.
            weight[j] = std::sqrt(square[j]) / base::pi * (j == 0 ? 1.0 + 0.5 * step : step);
        }
    }
};
/// Memory of a point: amplitudes of temperature, and of pressure with what heat adds to it.
inline constexpr int thermal_values = 2 * ThermalModes::count;

/// Lets temperature and pressure at a point go on by a time in which slip heats with a power, W m⁻² (H. Noda and N. Lapusta 2010,
/// doi:10.1029/2010JB007780, equations 8 to 12). `memory`: [thermal_values][point]; `parameter`: [thermal_parameters][point].
/// `modes`: as ThermalModes.
template <class Modes, class Value>
constexpr void heat_by(const Modes& modes, const ThermalNumbers& numbers, const Value* parameter, int points,
                       double seconds, const Value& power, Value* memory, Value& temperature,
                       Value& pressure) {
    const Value width = parameter[0], fluid = parameter[points];
    const Value per_square = 1.0 / (width * width);
    const double thermal = numbers.diffusivity;
    // p + λ' T diffuses as fluid does.
    const Value added = numbers.response * thermal / (fluid - thermal);
    const Value source = power / numbers.heat_capacity, source_of_sum = (numbers.response + added) * source;
    const Value decay[2] = {Value(thermal * per_square), Value(fluid * per_square)};
    const Value per_decay[2] = {1.0 / decay[0], 1.0 / decay[1]};
    // 1 − exp(−A t) of the longest wave.
    Value lost[2];
    for (int i = 0; i < 2; ++i)
        lost[i] =
            by_lane(Value(decay[i] * (modes.square[0] * seconds)), [](double x) { return -std::expm1(-x); });
    Value sum[2] = {};
    for (int j = 0; j < ThermalModes::count; ++j) {
        const double generation = modes.source[j] / modes.square[j];
        for (int i = 0; i < 2; ++i) {
            Value& amplitude = memory[(2 * j + i) * points];
            amplitude +=
                lost[i] * ((i == 0 ? source : source_of_sum) * per_decay[i] * generation - amplitude);
            sum[i] += modes.weight[j] * amplitude;
            lost[i] = lost[i] * (2.0 - lost[i]);
        }
    }
    temperature = sum[0] / width;
    pressure = sum[1] / width - added * temperature;
}
template <class Value>
[[gnu::noinline]] void heat(const ThermalNumbers& numbers, const Value* parameter, int points, double seconds,
                            const Value& power, Value* memory, Value& temperature, Value& pressure) {
    static const ThermalModes modes;
    heat_by(modes, numbers, parameter, points, seconds, power, memory, temperature, pressure);
}

}  // namespace groundswell::quake
