#pragma once

#include <optional>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/projection/projection.hpp"
#include "groundswell/quake/source/point/point_source.hpp"
#include "groundswell/quake/source/rupture/options.hpp"

namespace groundswell::quake {

struct SourceSection {
    PointSource source;
    std::string name;     ///< of the entry, for people
    std::string samples;  ///< the file that it was read from, if there is one
};

/// The section [source].
struct SourceOptions {
    std::vector<SourceSection> points;
    std::vector<RuptureSection> ruptures;
    std::vector<PlaneSection> planes;
};
/// With the files of samples that points name; those of ruptures are read later. `projection`: of the case, if it has one.
SourceOptions read_sources(const simulation::Section& section,
                           const std::optional<tetra::Projection>& projection);

}  // namespace groundswell::quake
