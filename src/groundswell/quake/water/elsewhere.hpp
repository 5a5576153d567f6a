#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "groundswell/quake/elements/trace_entry.hpp"

/// A sea's surface that is computed elsewhere than in the memory of SeaSurface, and what it is made of.
namespace groundswell::quake {

struct SeaParts {
    struct Face {
        std::int32_t batch, element;  ///< of elements; which of these
        int face;                     ///< of that element
        std::int32_t own, beyond;     ///< sides
        double weight, per_z;         ///< see SeaSurface
        std::array<double, 3> normal;
    };
    int order, basis;         ///< functions on a face
    std::vector<Face> faces;  ///< by batches
    std::vector<std::pair<std::int32_t, std::int32_t>>
        of_block;                                      ///< faces of each block of elements, and behind them
    std::array<std::span<const TraceEntry>, 4> trace;  ///< by rows
    std::span<double> eta, series;                     ///< [face][function], [face][derivative][function]
};

/// As those functions of SeaSurface.
class SeaElsewhere {
public:
    virtual ~SeaElsewhere() = default;
    virtual void foresee(int block, double seconds) = 0;
    virtual void step(int block, double seconds) = 0;
};

}  // namespace groundswell::quake
