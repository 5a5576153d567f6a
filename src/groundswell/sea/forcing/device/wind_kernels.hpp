#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/forcing/cell_forcing.hpp"
#include "groundswell/sea/forcing/linear_layer.hpp"

namespace groundswell::sea {

/// Cells of a block of the kernels here, each of which is a lane's.
inline constexpr int forced_cells_of_block = 128;

/// Calls body(cell) for the cells of a block.
template <class Block, class Body>
constexpr void for_cells_of_block(const Block& block, int cells, const Body& body) {
    const int first = block.index() * forced_cells_of_block;
    block.lanes(std::min(int{forced_cells_of_block}, cells - first),
                [&](int n) { body(static_cast<std::size_t>(first + n)); });
}

/// A layer of a kind of forcing with two components, over what stands below it.
struct LayerStep {
    LinearLayer layer;
    std::span<double> first, second;      ///< [cells] values with all layers below, then with this one
    std::span<Real> eastward, northward;  ///< [cells] the latter, as CellForcing has them
    int cells = 0;
    bool is_lowest = false;  ///< nothing stands below

    constexpr void arrays(const auto& visit) const {
        for (const gridded::LinearInTime& component : layer.components) {
            visit(component.before.values);
            visit(component.after.values);
        }
        for (const auto* fixed : {&layer.cosine, &layer.sine, &layer.share})
            if (!fixed->empty()) visit(*fixed);
        visit(first);
        visit(second);
        visit(eastward);
        visit(northward);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        for_cells_of_block(block, cells, [&](std::size_t cell) {
            std::array<double, 2> below{};
            if (!is_lowest) below = {first[cell], second[cell]};
            const std::array<double, 2> all = layer.over(cell, below);
            first[cell] = all[0];
            second[cell] = all[1];
            eastward[cell] = static_cast<Real>(all[0]);
            northward[cell] = static_cast<Real>(all[1]);
        });
    }
};

/// FeltWind of cells.
struct FeltWindStep {
    std::span<const Real> eastward, northward;  ///< [cells] of the wind
    std::span<const Real> eastward_current,
        northward_current;        ///< [cells] that it is felt relative to; empty: none
    std::span<Real> speed, x, y;  ///< [cells]
    int cells = 0;

    constexpr void arrays(const auto& visit) const {
        for (const auto* component : {&eastward, &northward, &eastward_current, &northward_current})
            if (!component->empty()) visit(*component);
        for (const auto* found : {&speed, &x, &y}) visit(*found);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const bool relative = !eastward_current.empty();
        for_cells_of_block(block, cells, [&](std::size_t cell) {
            const FeltWind felt =
                FeltWind::of(eastward[cell], northward[cell], relative ? eastward_current[cell] : Real(0),
                             relative ? northward_current[cell] : Real(0));
            speed[cell] = felt.speed;
            x[cell] = felt.x;
            y[cell] = felt.y;
        });
    }
};

/// exec::Program::entry of each; null in a program that was built without CUDA.
const void* layer_cuda_entry();
const void* felt_wind_cuda_entry();

}  // namespace groundswell::sea
