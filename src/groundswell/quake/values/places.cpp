#include "groundswell/quake/values/places.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/quake/values/stations/station_files.hpp"
#include "groundswell/simulation/stations.hpp"

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

constexpr std::size_t most_listed = 100;

using simulation::Section;

void read_list(const Section& entry, const std::optional<tetra::Projection>& projection,
               NamedPlaces& places) {
    const std::vector<ListedStation> stations = read_station_file(places.list);
    for (const ListedStation& one : stations) {
        if (one.degrees && !projection)
            entry.refuse("stations",
                         "a section [projection], which turns the file's longitudes and latitudes into "
                         "the mesh's metres");
        base::require(static_cast<std::int64_t>(one.name.size()) <= simulation::station_name_length,
                      one.place, "name", one.name,
                      fmt::format("at most {} bytes: files hold no more", simulation::station_name_length));
        const auto metres = one.degrees ? projection->metres({one.east, one.north})
                                        : tetra::Projection::Metres{one.east, one.north};
        places.at.push_back({metres.east, metres.north, one.z});
        places.below.push_back(one.below_surface);
        places.names.push_back(one.name.empty() ? fmt::format("P{}", places.at.size()) : one.name);
    }
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

void Strays::add(const std::string& name, const tetra::Point& place, const std::string& remark) {
    texts_.push_back(
        fmt::format("{} [{:.8g}, {:.8g}, {:.8g}] ({})", name, place[0], place[1], place[2], remark));
}

void Strays::refuse(MPI_Comm comm, const std::string& where, const std::string& key, std::size_t all,
                    const std::string& expected) const {
    if (texts_.empty()) return;
    parallel::agree(comm, [&] {
        const auto end = texts_.begin() + static_cast<std::ptrdiff_t>(std::min(texts_.size(), most_listed));
        std::string list = fmt::format("{}", fmt::join(texts_.begin(), end, ", "));
        if (texts_.size() > most_listed) list += fmt::format(" and {} more", texts_.size() - most_listed);
        if (all > 1) list = fmt::format("{} of {}: {}", texts_.size(), all, list);
        base::refuse(where, key, list, expected);
    });
}

NamedPlaces read_named_places(const Section& entry, const std::string& what,
                              const std::optional<tetra::Projection>& projection) {
    NamedPlaces places;
    const bool listed = entry.has("stations");
    if (listed || entry.describing())
        places.list =
            entry.path("stations", {},
                       {"in place of at and names, a file of them: lines of x y z (SeisSol), lines of "
                        "station network latitude longitude elevation burial (SPECFEM's STATIONS), "
                        "StationXML, or a table (CSV) with headings such as name, x, y, z or name, "
                        "longitude, latitude, elevation; degrees need [projection]"});
    if (listed && (entry.has("at") || entry.has("at_degrees")))
        entry.refuse("stations", "either a file of stations or a list of places, not both");
    if (listed && !entry.describing()) {
        if (entry.has("names")) entry.refuse("names", "no names besides a file of stations, which has them");
        read_list(entry, projection, places);
        return places;
    }
    places.at = read_places(entry, "at", what, projection);
    places.names = simulation::read_station_names(entry, places.at.size());
    places.below.assign(places.at.size(), 0.0);
    return places;
}

}  // namespace groundswell::quake
