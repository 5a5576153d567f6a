#include <fmt/format.h>

#include <cmath>

#include "groundswell/sea/boundary/table.hpp"
#include "groundswell/sea/fields.hpp"
#include "groundswell/simulation/stations.hpp"

namespace groundswell::sea {

using simulation::Section;

namespace {

void check_spectra(const Section& entry, const PointsSection& points, bool has_sources) {
    const auto has = [&points](const char* name) { return std::ranges::count(points.spectra, name) > 0; };
    if (!points.fields.empty() && (entry.has("spectra") || entry.has("depths")))
        entry.refuse(entry.has("spectra") ? "spectra" : "depths",
                     "no output.points[].fields beside it: series and spectra are files of their own");
    if (has("stokes") != !points.depths.empty())
        entry.refuse(has("stokes") ? "spectra" : "depths",
                     "\"stokes\" in output.points[].spectra and depths for it, or neither");
    for (std::size_t i = 0; i < points.depths.size(); ++i)
        if (!(points.depths[i] >= 0.0 && points.depths[i] < 12000.0) ||
            (i > 0 && points.depths[i] <= points.depths[i - 1]))
            entry.refuse("depths", "metres below the surface, each more than the one before it: 0, 5, 10");
    if (has("budgets") && !has_sources)
        entry.refuse("spectra", "no \"budgets\" with physics.package = \"none\": there are no source terms");
}

// How many boxes of a size there are in an extent.
int boxes_in(const Section& entry, double extent, double size) {
    const double count = std::round(extent / size);
    if (!(count >= 1.0 && count <= 100'000.0) || std::abs(count * size - extent) > 1e-6 * extent)
        entry.refuse("step", fmt::format("a whole number of boxes, at most 100000, in {:g}°", extent));
    return static_cast<int>(count);
}

}  // namespace

PointsSection read_points(const Section& entry, simulation::StreamNames& names, bool has_sources) {
    PointsSection points;
    points.file = names.read(entry);
    points.every = simulation::StreamNames::read_every(entry);
    if (entry.has("at") || !entry.has("at_file"))
        points.at = entry.positions("at", {"points; each takes the values of the nearest sea cell", "", "",
                                           "needed without at_file"});
    if (entry.has("at_file") || entry.describing()) {
        points.at_file =
            entry.path("at_file", {},
                       {"table of more points, with the columns lon and lat, such as `groundswell nest` "
                        "writes of the open faces of another mesh",
                        "", "", "none"});
        if (!entry.describing()) {
            const auto more = read_points_table(points.at_file);
            points.at.insert(points.at.end(), more.begin(), more.end());
        }
    }
    points.names = simulation::read_station_names(entry, points.at.size());
    points.fields =
        entry.words("fields", {}, all_field_names(),
                    {"time series of these fields; if not given, the file holds two-dimensional spectra"});
    points.spectra = entry.words(
        "spectra", {"efth"}, {"efth", "ef", "th1m", "sth1m", "stokes", "budgets"},
        {"what a file of spectra holds: spectra of frequency and direction, of frequency alone, mean bearing "
         "and spread of each frequency, Stokes drift at `depths`, what each source term adds to each "
         "frequency"});
    points.depths = entry.numbers("depths", 0, {"depths below the surface for \"stokes\"", "m"});
    if (!entry.describing()) check_spectra(entry, points, has_sources);
    points.reach = entry.number(
        "reach", 3.0, {0.0, 1e6},
        {"how far a point may be from the centre of the nearest sea cell, in widths of that cell", "1"});
    return points;
}

GridSection read_grid(const Section& entry, simulation::StreamNames& names) {
    GridSection section;
    section.file = names.read(entry);
    section.every = simulation::StreamNames::read_every(entry);
    section.fields =
        entry.words("fields", {"hs", "tm01", "tp", "dir"}, all_field_names(), {"fields of the grid"});
    const std::vector<double> region = entry.numbers(
        "region", 4, {"[west, east, south, north]: edges of the outermost boxes", "degree", "", "required"});
    const std::vector<double> step =
        entry.numbers("step", 2, {"[eastward, northward] size of a box", "degree", "", "required"});
    const std::vector<double> pole = entry.numbers(
        "pole", 2,
        {"[longitude, latitude] of the grid's north pole, of a rotated grid; region and step are in its "
         "own degrees then",
         "degree", "", "none"});
    section.least_sea = entry.number("least_sea", 0.0, {0.0, 1.0},
                                     {"boxes of which less than this share is sea have no values", "1"});
    if (entry.describing()) return section;
    if (region.empty() || !(region[2] < region[3]) || region[2] < -90.0 || region[3] > 90.0 ||
        std::abs(region[0]) > 360.0 || std::abs(region[1]) > 360.0)
        entry.refuse("region", "[west, east, south, north] in degrees, south < north");
    if (step.empty() || !(step[0] > 0.0 && step[1] > 0.0))
        entry.refuse("step", "[eastward, northward] size of a box in degrees, each above 0");
    if (!pole.empty() && (std::abs(pole[0]) > 360.0 || std::abs(pole[1]) > 90.0))
        entry.refuse("pole", "[longitude, latitude] within ±360 and ±90 degrees");
    double span = std::fmod(region[1] - region[0] + 720.0, 360.0);
    if (span == 0.0) span = 360.0;
    voronoi::BoxGrid& grid = section.grid;
    grid = {region[0],
            region[2],
            step[0],
            step[1],
            boxes_in(entry, span, step[0]),
            boxes_in(entry, region[3] - region[2], step[1])};
    if (std::int64_t{grid.columns} * grid.rows > 16'000'000)
        entry.refuse("step", fmt::format("at most 16 million boxes, not {} × {}", grid.columns, grid.rows));
    if (!pole.empty()) grid.pole = std::pair(pole[0], pole[1]);
    return section;
}

}  // namespace groundswell::sea
