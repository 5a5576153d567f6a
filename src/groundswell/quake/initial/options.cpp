#include "groundswell/quake/initial/options.hpp"

#include <cmath>

#include "groundswell/quake/values/places.hpp"

namespace groundswell::quake {

namespace {

using simulation::Section;
using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The direction of a vector as a unit vector; refuses one of length 0.
Vector direction_of(const Section& entry, const char* key, const Vector& given) {
    const double length = std::sqrt(dot(given, given));
    if (!(length > 0.0)) entry.refuse(key, "three numbers that are not all 0");
    return {given[0] / length, given[1] / length, given[2] / length};
}

WaveSection read_wave(const Section& entry) {
    WaveSection wave;
    wave.kind = entry.choice("kind", "P", {"P", "S"},
                             {"kind of the wave; P in anisotropic rock: its fastest, S: of the slower two "
                              "that which moves the ground more along the polarisation"})[0];
    const auto vector = three(
        entry, "wave_vector",
        {"of a cosine: the direction that it travels in, with a length of 2π over the wavelength", "m-1"});
    const auto along = three(entry, "direction", {"of a Gaussian pulse: the direction that it travels in"});
    const auto across = three(entry, "polarisation",
                              {"of an S wave: the ground moves along the part of this that is at right "
                               "angles to the wave's direction"});
    const auto centre = three(entry, "centre",
                              {"a place where the wave is highest at the start; if not given, 0, 0, 0", "m"});
    if (entry.has("width") || entry.describing())
        wave.width =
            entry.number("width", std::nullopt, {1e-9, 1e9}, {"standard deviation of a Gaussian pulse", "m"});
    wave.velocity = entry.number("velocity", 1.0, {-1e6, 1e6},
                                 {"velocity of the ground where the wave is highest", "m s-1"});
    if (entry.describing()) return wave;

    if (vector.has_value() == along.has_value())
        entry.refuse("",
                     "either the key wave_vector, of a cosine, or direction and width, of a Gaussian pulse");
    wave.shape = vector ? WaveSection::Shape::cosine : WaveSection::Shape::gaussian;
    if (along.has_value() != entry.has("width"))
        entry.refuse("width", "direction and width together, of a Gaussian pulse");
    wave.direction = direction_of(entry, vector ? "wave_vector" : "direction", vector ? *vector : *along);
    if (vector) wave.wave_number = std::sqrt(dot(*vector, *vector));
    if (centre) wave.centre = *centre;
    wave.polarisation = wave.direction;
    if (wave.kind == 'S') {
        if (!across) entry.refuse("polarisation", "a list of 3 numbers, for an S wave");
        const double part = dot(*across, wave.direction);
        Vector rest = *across;
        for (int j = 0; j < 3; ++j) rest[j] -= part * wave.direction[j];
        if (dot(rest, rest) <= 1e-20 * dot(*across, *across))
            entry.refuse("polarisation", "a direction that is not the wave's own");
        wave.polarisation = direction_of(entry, "polarisation", rest);
    }
    return wave;
}

}  // namespace

InitialOptions read_initial(const Section& section) {
    InitialOptions initial;
    for (const Section& entry : section.sections("wave")) initial.waves.push_back(read_wave(entry));
    if (section.has("file") || section.describing())
        initial.file = section.path(
            "file", {},
            {"NetCDF file with the wave field at the start: variables vx, vy, vz (m s-1) and sxx, syy, szz, "
             "sxy, syz, sxz (Pa), 0 where one is missing, on axes x, y and z with their units (m or km); "
             "linear between points; added to the waves, if there are any"});
    return initial;
}

}  // namespace groundswell::quake
