#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"

namespace groundswell::tetra::gmsh {

/// The physical groups of a file: what users say of surfaces and volumes.
struct Groups {
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> name;  ///< by dimension and number
    /// Numbers of the groups that an entity is in, by its dimension and tag.
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>> of;

    /// Kind of a surface; `none` if it is in no group. base::Refusal naming `path` for groups that say nothing, or
    /// different things.
    Boundary boundary(std::int64_t surface, const std::string& path) const;
    /// The number of the group that a volume is in.
    std::int64_t material(std::int64_t volume, const std::string& path) const;
};

}  // namespace groundswell::tetra::gmsh
