#include "groundswell/mesh/tetra/projection/projection.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>
#include <fstream>
#include <map>
#include <sstream>

// Equations are Karney's.
#include "groundswell/base/constants.hpp"
#include "groundswell/base/measure.hpp"

namespace groundswell::tetra {

namespace {

constexpr double semi_major_axis = 6378137.0, flattening = 1.0 / 298.257223563;
constexpr double n = flattening / (2.0 - flattening);
using base::degree;
const double eccentricity = std::sqrt(flattening * (2.0 - flattening));

// Eq. 14: the length of a meridian over 2π.
constexpr double radius =
    semi_major_axis / (1.0 + n) * (1.0 + n * n / 4.0 + n * n * n * n / 64.0 + n * n * n * n * n * n / 256.0);

constexpr double polynomial(const std::array<double, 6>& coefficient) {
    double value = 0.0;
    for (int k = 5; k >= 0; --k) value = n * (coefficient[k] + value);
    return value;
}

// Eq. 35 and 36: coefficients of n, n², …, n⁶.
constexpr std::array<double, 6> alpha{
    polynomial({1.0 / 2, -2.0 / 3, 5.0 / 16, 41.0 / 180, -127.0 / 288, 7891.0 / 37800}),
    polynomial({0, 13.0 / 48, -3.0 / 5, 557.0 / 1440, 281.0 / 630, -1983433.0 / 1935360}),
    polynomial({0, 0, 61.0 / 240, -103.0 / 140, 15061.0 / 26880, 167603.0 / 181440}),
    polynomial({0, 0, 0, 49561.0 / 161280, -179.0 / 168, 6601661.0 / 7257600}),
    polynomial({0, 0, 0, 0, 34729.0 / 80640, -3418889.0 / 1995840}),
    polynomial({0, 0, 0, 0, 0, 212378941.0 / 319334400})};
constexpr std::array<double, 6> beta{
    polynomial({1.0 / 2, -2.0 / 3, 37.0 / 96, -1.0 / 360, -81.0 / 512, 96199.0 / 604800}),
    polynomial({0, 1.0 / 48, 1.0 / 15, -437.0 / 1440, 46.0 / 105, -1118711.0 / 3870720}),
    polynomial({0, 0, 17.0 / 480, -37.0 / 840, -209.0 / 4480, 5569.0 / 90720}),
    polynomial({0, 0, 0, 4397.0 / 161280, -11.0 / 504, -830251.0 / 7257600}),
    polynomial({0, 0, 0, 0, 4583.0 / 161280, -108847.0 / 3991680}),
    polynomial({0, 0, 0, 0, 0, 20648693.0 / 638668800})};

using Complex = std::complex<double>;

// Sum of the series (eq. 11) at northing + i easting, divided by the radius.
Complex series(const std::array<double, 6>& coefficient, Complex at) {
    Complex sum = 0.0;
    for (int j = 6; j >= 1; --j) sum += coefficient[j - 1] * std::sin(2.0 * j * at);
    return sum;
}

// Eq. 7 to 9: the tangent of the conformal latitude.
double conformal(double tangent) {
    const double secant = std::hypot(1.0, tangent);
    const double sigma = std::sinh(eccentricity * std::atanh(eccentricity * tangent / secant));
    return tangent * std::hypot(1.0, sigma) - sigma * secant;
}

// Eq. 19 to 21: Newton's method, from a conformal latitude.
double geographic(double wanted) {
    constexpr double share = 1.0 - flattening * (2.0 - flattening);  // 1 - e²
    double tangent = wanted / share;
    for (int i = 0; i < 8; ++i) {
        const double found = conformal(tangent);
        const double change = (wanted - found) / std::hypot(1.0, found) * (1.0 + share * tangent * tangent) /
                              (share * std::hypot(1.0, tangent));
        tangent += change;
        if (!(std::abs(change) > 1e-16 * std::hypot(1.0, tangent))) break;
    }
    return tangent;
}

// Northing + i easting from the equator, over the radius. `longitude` from the meridian.
Complex project(double longitude, double latitude) {
    const double tangent = conformal(std::tan(latitude * degree));
    const double east = longitude * degree;
    const Complex at(std::atan2(tangent, std::cos(east)),
                     std::asinh(std::sin(east) / std::hypot(tangent, std::cos(east))));  // eq. 10
    return at + series(alpha, at);
}

std::string side(double degrees, const char* positive, const char* negative) {
    return fmt::format("{}° {}", std::abs(degrees), degrees < 0.0 ? negative : positive);
}

// What transverse Mercator is to be: about the meridian `longitude`, on which lengths are `scale`; `latitude` there is at
// `east`, `north`.
struct Mercator {
    double longitude = 0.0, latitude = 0.0, scale = 1.0, east = 0.0, north = 0.0;
    int zone = 0;  // of UTM; 0: none
};

class TransverseMercator final : public Projection::Formula {
public:
    explicit TransverseMercator(const Mercator& given)
        : given_(given), origin_(project(0.0, given.latitude).real()) {}

    Projection::Metres metres(const Projection::Degrees& place) const override {
        const double longitude = std::remainder(place.longitude - given_.longitude, 360.0);
        const Complex at = project(longitude, place.latitude);
        return {given_.east + given_.scale * radius * at.imag(),
                given_.north + given_.scale * radius * (at.real() - origin_)};
    }
    Projection::Degrees degrees(const Projection::Metres& place) const override {
        const double whole = given_.scale * radius;
        const Complex on_plane((place.north - given_.north) / whole + origin_,
                               (place.east - given_.east) / whole);
        const Complex at = on_plane - series(beta, on_plane);
        const double east = std::sinh(at.imag()), cosine = std::cos(at.real());
        const double tangent = std::sin(at.real()) / std::hypot(east, cosine);  // eq. 18
        const double longitude = given_.longitude + std::atan2(east, cosine) / degree;
        return {std::remainder(longitude, 360.0), std::atan(geographic(tangent)) / degree};
    }

private:
    Mercator given_;
    double origin_;  // northing of its latitude over the radius
};

Mercator utm(int zone, bool south) {
    return {6.0 * zone - 183.0, 0.0, 0.9996, 500e3, south ? 10000e3 : 0.0, zone};
}

std::string name_of(const Mercator& given) {
    if (given.zone > 0)
        return fmt::format("UTM zone {} {} on WGS 84", given.zone, given.north > 0.0 ? "south" : "north");
    std::string name = fmt::format("transverse Mercator on WGS 84 about {}, {}",
                                   side(given.longitude, "E", "W"), side(given.latitude, "N", "S"));
    if (given.scale != 1.0) name += fmt::format(", scaled by {}", given.scale);
    if (given.east != 0.0 || given.north != 0.0)
        name += fmt::format(", which lies at {} m, {} m", given.east, given.north);
    return name;
}

std::string proj_of(const Mercator& given) {
    if (given.zone > 0)
        return fmt::format("+proj=utm +zone={}{} +datum=WGS84 +units=m", given.zone,
                           given.north > 0.0 ? " +south" : "");
    return fmt::format("+proj=tmerc +lat_0={} +lon_0={} +k={} +x_0={} +y_0={} +ellps=WGS84 +units=m",
                       given.latitude, given.longitude, given.scale, given.east, given.north);
}

using Words = std::map<std::string, std::string>;

// "+proj=utm +zone=11 +south": values by key; of a key without a value an empty one.
Words words_of(const std::string& text) {
    Words words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) {
        if (word.starts_with('+')) word.erase(0, 1);
        const std::size_t equals = word.find('=');
        words[word.substr(0, equals)] = equals == std::string::npos ? "" : word.substr(equals + 1);
    }
    return words;
}

std::optional<double> number_in(const std::string& text) {
    const auto value = base::parse_number<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

// UTM of WGS 84, NAD83 and ETRS89, whose ellipsoids differ by a tenth of a millimetre.
std::optional<Mercator> by_number(const std::string& text) {
    std::string digits = text;
    for (const char* const begin : {"EPSG:", "epsg:", "+init=epsg:"})
        if (text.starts_with(begin)) digits = text.substr(std::string_view(begin).size());
    const auto number = digits.size() == text.size() ? std::nullopt : number_in(digits);
    if (!number) return std::nullopt;
    const int code = static_cast<int>(*number), zone = code % 100;
    const bool wgs84 = (code / 100 == 326 || code / 100 == 327) && zone >= 1 && zone <= 60;
    const bool nad83 = code / 100 == 269 && zone >= 1 && zone <= 23;
    const bool etrs89 = code / 100 == 258 && zone >= 28 && zone <= 38;
    if (!wgs84 && !nad83 && !etrs89) return std::nullopt;
    return utm(zone, code / 100 == 327);
}

// The Mercator projection that these words describe, where the formula covers all that they say.
std::optional<Mercator> by_formula(const std::string& text) {
    if (const auto numbered = by_number(text)) return numbered;
    Words words = words_of(text);
    const std::string kind = words["proj"];
    if (kind != "utm" && kind != "tmerc" && kind != "etmerc") return std::nullopt;
    std::map<std::string, double> number{{"lat_0", 0.0}, {"lon_0", 0.0}, {"k", 1.0},
                                         {"x_0", 0.0},   {"y_0", 0.0},   {"zone", 0.0}};
    for (const auto& [key, value] : words) {
        const std::string name = key == "k_0" ? "k" : key;
        const bool same_figure = ((key == "ellps" || key == "datum") &&
                                  (value == "WGS84" || value == "GRS80" || value == "NAD83"));
        const bool says_nothing = key == "proj" || key == "no_defs" || key == "type" || key == "wktext" ||
                                  key == "south" || (key == "units" && value == "m") || same_figure;
        if (says_nothing) continue;
        const auto found = number.contains(name) ? number_in(value) : std::nullopt;
        if (!found) return std::nullopt;
        number[name] = *found;
    }
    if (kind == "utm") {
        const double zone = number["zone"];
        if (!(zone >= 1.0 && zone <= 60.0 && zone == std::floor(zone))) return std::nullopt;
        return utm(static_cast<int>(zone), words.contains("south"));
    }
    if (!words.contains("ellps") && !words.contains("datum")) return std::nullopt;
    const Mercator given{number["lon_0"], number["lat_0"], number["k"], number["x_0"], number["y_0"]};
    if (!(given.scale > 0.0) || !(std::abs(given.latitude) <= 90.0)) return std::nullopt;
    return given;
}

}  // namespace

Projection::Projection(double longitude, double latitude) {
    const Mercator given{longitude, latitude};
    formula_ = std::make_shared<TransverseMercator>(given);
    meridian_ = longitude;
    name_ = name_of(given);
    proj_ = proj_of(given);
}

Projection Projection::from_words(const std::string& words, std::string_view where, std::string_view key) {
    Projection made;
    if (const auto given = by_formula(words)) {
        made.formula_ = std::make_shared<TransverseMercator>(*given);
        made.meridian_ = given->longitude;
        made.name_ = name_of(*given);
        made.proj_ = proj_of(*given);
        return made;
    }
    made.formula_ = proj_library(words, where, key);
    made.name_ = made.proj_ = words;
    return made;
}

std::string stated_projection(const std::string& path) {
    constexpr std::string_view begin = "$Projection\n", end = "\n$EndProjection";
    std::string head(4096, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    if (!head.starts_with("$MeshFormat")) return {};
    const std::size_t from = head.find(begin), to = head.find(end);
    if (from == std::string::npos || to == std::string::npos || to < from + begin.size()) return {};
    return head.substr(from + begin.size(), to - from - begin.size());
}

}  // namespace groundswell::tetra
