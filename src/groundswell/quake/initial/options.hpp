#pragma once

#include <array>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::quake {

/// A plane wave that the ground moves by at the start: v = velocity · d · shape(n · (x − centre)), with the stress that
/// belongs to it. d is n for a P wave, and for an S wave what of `polarisation` is across n.
struct WaveSection {
    enum class Shape { cosine, gaussian };
    char kind = 'P';                       ///< or S
    std::array<double, 3> direction{};     ///< n, of length 1
    std::array<double, 3> polarisation{};  ///< d, of length 1
    Shape shape = Shape::cosine;
    double wave_number = 0.0;  ///< of a cosine, m⁻¹
    double width = 0.0;        ///< of a Gaussian, one standard deviation, m
    tetra::Point centre{};     ///< m
    double velocity = 0.0;     ///< m s⁻¹
};

/// The section [initial]: waves, and the NetCDF file of a field that is added to them, if there is one.
struct InitialOptions {
    std::vector<WaveSection> waves;
    std::string file;

    bool empty() const { return waves.empty() && file.empty(); }
};
InitialOptions read_initial(const simulation::Section& section);

}  // namespace groundswell::quake
