#pragma once

#include <optional>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/projection.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// The places that an entry lists, in m: by the key KEY, or by KEY_degrees where the case has a projection. `what` they
/// are, for people. Refuses an entry with neither or both.
std::vector<tetra::Point> read_places(const simulation::Section& entry, const std::string& key,
                                      const std::string& what,
                                      const std::optional<tetra::Projection>& projection);

/// The one place of an entry, in the same way.
tetra::Point read_place(const simulation::Section& entry, const std::string& key, const std::string& what,
                        const std::optional<tetra::Projection>& projection);

}  // namespace groundswell::quake
