#include "groundswell/quake/values/places.hpp"

#include <fmt/format.h>

namespace groundswell::quake {

namespace {

using simulation::Section;
using Rows = std::vector<std::vector<double>>;

// What a key is called by degrees, and what is said of both.
struct Keys {
    std::string metres, degrees, metres_text, degrees_text;

    Keys(const std::string& key, const std::string& what)
        : metres(key),
          degrees(key + "_degrees"),
          metres_text(what + ", z up"),
          degrees_text(fmt::format("{} by longitude, latitude and z, in place of {}; needs [projection]",
                                   what, key)) {}
};

std::vector<tetra::Point> in_metres(const Section& entry, const Keys& keys, const Rows& metres,
                                    const Rows& degrees, const std::optional<tetra::Projection>& projection) {
    std::vector<tetra::Point> places;
    if (entry.describing()) return places;
    if (metres.empty() == degrees.empty())
        entry.refuse(keys.metres, fmt::format("x, y and z, or else {}", keys.degrees));
    for (const auto& row : metres) places.push_back({row[0], row[1], row[2]});
    if (!degrees.empty() && !projection)
        entry.refuse(keys.degrees, "a section [projection] that turns degrees into the mesh's metres");
    for (const auto& row : degrees) {
        if (!(row[0] >= -360.0 && row[0] <= 360.0 && row[1] >= -90.0 && row[1] <= 90.0))
            entry.refuse(keys.degrees, "longitudes from -360 to 360 and latitudes from -90 to 90");
        const auto at = projection->metres({row[0], row[1]});
        places.push_back({at.east, at.north, row[2]});
    }
    return places;
}

}  // namespace

bool PlaceBox::contains(const tetra::Point& place) const {
    for (std::size_t axis = 0; axis < place.size(); ++axis)
        if (!(place[axis] >= lowest[axis] && place[axis] <= highest[axis])) return false;
    return true;
}

std::vector<tetra::Point> read_places(const Section& entry, const std::string& key, const std::string& what,
                                      const std::optional<tetra::Projection>& projection) {
    const Keys keys(key, what);
    const Rows metres = entry.rows(keys.metres, {"x", "y", "z"}, {keys.metres_text, "m"});
    const Rows degrees =
        entry.rows(keys.degrees, {"longitude", "latitude", "z"}, {keys.degrees_text, "degree, degree, m"});
    return in_metres(entry, keys, metres, degrees, projection);
}

tetra::Point read_place(const Section& entry, const std::string& key, const std::string& what,
                        const std::optional<tetra::Projection>& projection) {
    const Keys keys(key, what);
    const auto rows = [](std::vector<double> numbers) {
        return numbers.empty() ? Rows{} : Rows{std::move(numbers)};
    };
    const Rows metres = rows(entry.numbers(keys.metres, 3, {keys.metres_text, "m"}));
    const Rows degrees = rows(entry.numbers(keys.degrees, 3, {keys.degrees_text, "degree, degree, m"}));
    const auto places = in_metres(entry, keys, metres, degrees, projection);
    return places.empty() ? tetra::Point{} : places.front();
}

std::optional<PlaceBox> read_place_box(const Section& section, const std::string& what) {
    if (!section.has("x") && !section.has("y") && !section.has("z") && !section.describing())
        return std::nullopt;
    const std::string meaning = what + ": from and to; all along an axis that is not named";
    PlaceBox box;
    for (int axis = 0; axis < 3; ++axis) {
        const char* const key = std::array{"x", "y", "z"}[axis];
        const auto ends = section.numbers(key, 2, {meaning, "m"});
        if (ends.empty()) continue;
        if (!(ends[0] < ends[1])) section.refuse(key, "two numbers, the lower one first");
        box.lowest[axis] = ends[0];
        box.highest[axis] = ends[1];
    }
    return box;
}

}  // namespace groundswell::quake
