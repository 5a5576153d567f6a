#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "groundswell/gridded/linear_in_time.hpp"

namespace groundswell::sea {

/// A layer of a kind of forcing at a time, where its values on cells are linear between two times. Memory of the host, or in a kernel of
/// its device.
struct LinearLayer {
    int count = 0;                                    ///< of components, 1 or 2
    std::array<gridded::LinearInTime, 2> components;  ///< along the layer's own axes
    std::span<const double> cosine = {},
                            sine = {};   ///< [cells] of the angle from these to true east; empty: none
    std::span<const double> share = {};  ///< [cells] against what stands below; empty: all
    bool adds = false;                   ///< to what stands below

    /// The values of a cell, given those of the layers below.
    constexpr std::array<double, 2> over(std::size_t cell, std::array<double, 2> below) const {
        std::array<double, 2> own{components[0].at(cell), count > 1 ? components[1].at(cell) : 0.0};
        if (!cosine.empty())
            own = {cosine[cell] * own[0] + sine[cell] * own[1], cosine[cell] * own[1] - sine[cell] * own[0]};
        if (adds) return {below[0] + own[0], below[1] + own[1]};
        if (share.empty()) return own;
        // Beyond its grid. A vector has both components here, or neither.
        if (std::isnan(own[0]) || std::isnan(own[1])) return below;
        return {below[0] + share[cell] * (own[0] - below[0]), below[1] + share[cell] * (own[1] - below[1])};
    }
};

}  // namespace groundswell::sea
