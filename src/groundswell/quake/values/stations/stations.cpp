#include "groundswell/quake/values/stations/stations.hpp"

#include <fmt/format.h>

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/values/places.hpp"
#include "groundswell/quake/values/stations/station_files.hpp"
#include "groundswell/simulation/stations.hpp"

namespace groundswell::quake {

namespace {

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
