#pragma once

#include <optional>

#include "groundswell/mesh/tetra/projection/projection.hpp"
#include "groundswell/simulation/case.hpp"

namespace groundswell::quake {

/// Facts about a case that all files of its run need.
struct ProjectedCase : simulation::Case {
    std::optional<tetra::Projection> projection;  ///< of longitudes and latitudes to the mesh's metres
};

}  // namespace groundswell::quake
