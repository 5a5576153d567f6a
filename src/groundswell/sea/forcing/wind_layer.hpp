#pragma once

#include <span>

#include "groundswell/base/time.hpp"

namespace groundswell::sea {

/// One [[wind]] entry on the cells that a rank owns. A cell's wind depends on its own place and on time
/// alone, so the bits do not depend on the partition.
class WindLayer {
public:
    virtual ~WindLayer() = default;
    /// Replaces the wind of the layers below, or blends over it: [owned] m s⁻¹, towards east and north.
    virtual void apply(base::Instant time, std::span<double> eastward, std::span<double> northward) = 0;
};

}  // namespace groundswell::sea
