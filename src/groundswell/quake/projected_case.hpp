#pragma once

#include <optional>

#include "groundswell/mesh/tetra/projection/projection.hpp"
#include "groundswell/simulation/case.hpp"

namespace groundswell::quake {

/// What all files of a run need to know of its case.
struct ProjectedCase : simulation::Case {
    std::optional<tetra::Projection> projection;  ///< of longitudes and latitudes to the mesh's metres
};

}  // namespace groundswell::quake
