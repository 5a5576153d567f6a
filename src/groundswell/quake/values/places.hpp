#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/projection/projection.hpp"
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

/// A part of space along the axes, m; infinite where nothing bounds it.
struct PlaceBox {
    tetra::Point lowest{-infinity, -infinity, -infinity}, highest{infinity, infinity, infinity};

    bool contains(const tetra::Point& place) const;

private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
};

/// Box by a section's keys x, y and z, each two numbers, the lower one first; all along an axis that is not named. `what`
/// lies between them, for people. Empty where none of the three is given.
std::optional<PlaceBox> read_place_box(const simulation::Section& section, const std::string& what);

}  // namespace groundswell::quake
