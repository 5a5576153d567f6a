#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
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

/// Three numbers of a key, if it is there.
inline std::optional<std::array<double, 3>> three(const simulation::Section& section, const char* key,
                                                  simulation::KeyText text) {
    const std::vector<double> given = section.numbers(key, 3, text);
    if (given.empty()) return std::nullopt;
    return std::array<double, 3>{given[0], given[1], given[2]};
}

/// Places of a list that do not lie where they should, all told at once.
class Strays {
public:
    /// `remark`: how far it is off, for people.
    void add(const std::string& name, const tetra::Point& place, const std::string& remark);

    /// base::Refusal on all ranks where there are any of `all` places: "KEY = 4 of 5, P2 [9000, 0, 0] (REMARK), …: expected
    /// EXPECTED". Every rank has added the same. Collective.
    void refuse(MPI_Comm comm, const std::string& where, const std::string& key, std::size_t all,
                const std::string& expected) const;

private:
    std::vector<std::string> texts_;
};

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
