#pragma once

#include <optional>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/projection/projection.hpp"
#include "groundswell/quake/source/rupture/plane.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// A rupture that a file describes.
struct RuptureSection {
    std::string name;  ///< of the entry, for people
    std::string file;
    std::string format = "auto";  ///< or "srf", "fsrm"
    double delay = 0.0;           ///< s
    bool depth_from_surface = false;
};

/// A rupture that a few numbers describe.
struct PlaneSection {
    std::string name;  ///< of the entry, for people
    PlaneOptions plane;
};

/// The entries [[source.rupture]]; the files that they name are read later.
std::vector<RuptureSection> read_ruptures(const simulation::Section& section);

/// The entries [[source.plane]]. `projection`: of the case, if it has one.
std::vector<PlaneSection> read_planes(const simulation::Section& section,
                                      const std::optional<tetra::Projection>& projection);

}  // namespace groundswell::quake
