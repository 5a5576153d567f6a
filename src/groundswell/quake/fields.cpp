#include "groundswell/quake/fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::quake {

namespace {

// Eigenvalues of the change of stress, the largest first: by the cosines of three angles a third of a turn apart (Smith 1961,
// doi:10.1145/355578.366316).
std::array<double, 3> principal_stresses(const WaveSample& sample) {
    const double xx = sample.unknown(0), yy = sample.unknown(1), zz = sample.unknown(2);
    const double xy = sample.unknown(3), yz = sample.unknown(4), xz = sample.unknown(5);
    const double mean = (xx + yy + zz) / 3.0, a = xx - mean, b = yy - mean, c = zz - mean;
    const double shear = xy * xy + yz * yz + xz * xz;
    const double size = std::sqrt((a * a + b * b + c * c + 2.0 * shear) / 6.0);
    if (!(size > 0.0)) return {mean, mean, mean};
    const double determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz);
    const double angle = std::acos(std::clamp(0.5 * determinant / (size * size * size), -1.0, 1.0)) / 3.0;
    const double largest = mean + 2.0 * size * std::cos(angle);
    const double smallest = mean + 2.0 * size * std::cos(angle + 2.0 * base::pi / 3.0);
    return {largest, 3.0 * mean - largest - smallest, smallest};
}

// How fast the velocity along one axis changes along another, s⁻¹.
double velocity_slope(const WaveSample& sample, int component, int axis) {
    return sample.slope(first_velocity + component, axis);
}

template <int which>
double unknown(const WaveSample& sample) {
    return sample.unknown(which);
}
template <int which>
double principal(const WaveSample& sample) {
    return principal_stresses(sample)[which];
}
template <int axis>
double curl(const WaveSample& sample) {
    constexpr int next = (axis + 1) % 3, last = (axis + 2) % 3;
    return velocity_slope(sample, last, next) - velocity_slope(sample, next, last);
}

constexpr Field fields[] = {
    {{"sxx", "", "change of the normal stress along x, tension positive", "Pa"}, unknown<0>},
    {{"syy", "", "change of the normal stress along y, tension positive", "Pa"}, unknown<1>},
    {{"szz", "", "change of the normal stress along z, tension positive", "Pa"}, unknown<2>},
    {{"sxy", "", "change of the shear stress xy", "Pa"}, unknown<3>},
    {{"syz", "", "change of the shear stress yz", "Pa"}, unknown<4>},
    {{"sxz", "", "change of the shear stress xz", "Pa"}, unknown<5>},
    {{"vx", "", "velocity of the ground along x, east", "m s-1"}, unknown<6>},
    {{"vy", "", "velocity of the ground along y, north", "m s-1"}, unknown<7>},
    {{"vz", "", "velocity of the ground along z, up", "m s-1"}, unknown<8>},
    {{"smax", "", "largest principal stress of the change of stress, tension positive", "Pa"}, principal<0>},
    {{"smid", "", "middle principal stress of the change of stress, tension positive", "Pa"}, principal<1>},
    {{"smin", "", "smallest principal stress of the change of stress, tension positive", "Pa"}, principal<2>},
    {{"divergence", "", "divergence of the velocity of the ground", "s-1"},
     [](const WaveSample& s) {
         return velocity_slope(s, 0, 0) + velocity_slope(s, 1, 1) + velocity_slope(s, 2, 2);
     },
     true},
    {{"curl_x", "", "curl of the velocity of the ground along x", "s-1"}, curl<0>, true},
    {{"curl_y", "", "curl of the velocity of the ground along y", "s-1"}, curl<1>, true},
    {{"curl_z", "", "curl of the velocity of the ground along z", "s-1"}, curl<2>, true},
    {{"plastic_strain", "",
      "plastic strain since the start, the integral of √(½ ε̇:ε̇) of its rate ε̇, mean of the cell at the start "
      "of its step",
      "1"},
     [](const WaveSample& s) { return s.plastic_strain(); },
     false,
     true},
    {{"eta", "", "displacement of the sea's surface upwards since the start; missing on land", "m"},
     [](const WaveSample& s) { return s.sea_surface(); },
     false,
     false,
     true},
};

}  // namespace

std::span<const Field> all_fields() {
    return fields;
}

std::vector<std::string> all_field_names(FieldsOf of) {
    std::vector<std::string> names;
    for (const Field& field : fields)
        if ((!field.of_yielding || of == FieldsOf::cells) && (!field.of_sea || of == FieldsOf::surfaces))
            names.emplace_back(field.names.name);
    return names;
}

const Field& find_field(std::string_view name) {
    const auto* const found =
        std::ranges::find(fields, name, [](const Field& field) { return field.names.name; });
    if (found == std::end(fields)) throw base::Defect("no output field is named " + std::string(name));
    return *found;
}

}  // namespace groundswell::quake
