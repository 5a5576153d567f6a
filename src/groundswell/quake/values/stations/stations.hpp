#pragma once

#include <optional>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/projection/projection.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// Places with names, as an entry lists them.
struct NamedPlaces {
    std::vector<tetra::Point> at;    ///< m
    std::vector<std::string> names;  ///< one per place
    std::vector<double> below;  ///< m below the free surface, for those who move them there; one per place
    std::string list;           ///< the file that they were read from, if there is one
};

/// The places and names of an entry: by its keys `at` or `at_degrees` and `names`, or by `stations`, a file of them (see
/// station_files.hpp). `what` they are, for people. base::Refusal for none, both, and degrees without a projection.
NamedPlaces read_named_places(const simulation::Section& entry, const std::string& what,
                              const std::optional<tetra::Projection>& projection);

}  // namespace groundswell::quake
