#pragma once

#include <string>
#include <vector>

#include "groundswell/sea/spectrum/parametric_sea.hpp"

namespace groundswell::simulation {
class Section;
}

namespace groundswell::sea {

/// Reads the keys of a sea known by a few numbers; `required`: those without a usual value must be there.
ParametricSea read_parametric_sea(const simulation::Section& section, bool required);

/// Reads those of them alone that say how the energy is spread over directions and frequencies.
void read_spreading(const simulation::Section& section, ParametricSea& sea);

/// A [[boundary]] of the case: waves that come in over the open faces of a region. Where regions overlap, the later entry counts.
struct BoundarySection {
    enum class Kind {
        sea,      ///< the same spectrum on all faces, always
        series,   ///< the same on all faces, by numbers that change with time
        spectra,  ///< spectra of stations
    };
    /// Meaning of a file's directions: nothing is said here, then by the file itself.
    enum class Convention { of_file, from, to };
    enum class Density { of_file, per_radian, per_degree };

    Kind kind = Kind::sea;
    std::vector<double> region;  ///< degrees: west, east, south, north; empty: everywhere
    ParametricSea sea;           ///< of a series, what it does not hold
    std::string file;            ///< of a series or spectra
    double reach = 0.0;          ///< m, from a face to the nearest station
    double longest_step = 0.0;   ///< s between two records; 0: a longer one than usual is a gap
    Convention convention = Convention::of_file;
    Density density = Density::of_file;
};

/// Reads the entries [[boundary]] of the case file. Throws base::Refusal.
std::vector<BoundarySection> read_boundaries(const simulation::Section& root);

}  // namespace groundswell::sea
