#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/forcing/cell_forcing.hpp"
#include "groundswell/sea/forcing/linear_layer.hpp"

namespace groundswell::sea {

/// The layers of a kind of forcing, from below. Numbers that a kernel is called with may take 4 KB, so there are not many.
struct StackOfLayers {
    static constexpr int most = 8;
    std::array<LinearLayer, most> layers;
    int count = 0;

    constexpr std::array<Real, 2> at(std::size_t cell) const {
        std::array<double, 2> values{};
        for (int i = 0; i < count; ++i) values = layers[static_cast<std::size_t>(i)].over(cell, values);
        return {static_cast<Real>(values[0]), static_cast<Real>(values[1])};
    }
    constexpr void arrays(const auto& visit) const {
        const auto visit_any = [&](const std::span<const double>& values) {
            if (!values.empty()) visit(values);
        };
        for (int i = 0; i < count; ++i) {
            const LinearLayer& layer = layers[static_cast<std::size_t>(i)];
            for (const gridded::LinearInTime& component : layer.components) {
                visit_any(component.before.values);
                visit_any(component.after.values);
            }
            visit_any(layer.cosine);
            visit_any(layer.sine);
            visit_any(layer.share);
        }
    }
};

/// The wind that the waves of cells feel, a lane for each.
struct WindStep {
    static constexpr int cells_of_block = 128;

    StackOfLayers wind, current;  ///< the latter none where the wind is not relative to it
    std::span<Real> speed, x, y;  ///< [cells] as FeltWind
    std::int32_t cells;

    constexpr void arrays(const auto& visit) const {
        wind.arrays(visit);
        current.arrays(visit);
        for (const std::span<Real>* found : {&speed, &x, &y}) visit(*found);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t first = block.index() * cells_of_block;
        block.lanes(std::min(cells_of_block, cells - first), [&](int i) {
            const auto cell = static_cast<std::size_t>(first + i);
            const std::array<Real, 2> air = wind.at(cell), water = current.at(cell);
            const FeltWind felt = FeltWind::of(air[0], air[1], water[0], water[1]);
            speed[cell] = felt.speed;
            x[cell] = felt.x;
            y[cell] = felt.y;
        });
    }
};

/// exec::Program::entry of WindStep; null in a program that was built without CUDA.
const void* wind_cuda_entry();

}  // namespace groundswell::sea
