#include "groundswell/sea/streams/points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/mesh/voronoi/nearest.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/fields.hpp"
#include "groundswell/sea/output_schema.hpp"

namespace groundswell::sea {

namespace {

using exec::Real;

/// Degrees, going to, clockwise from north, in [0, 360).
double bearing_to(double direction) {
    return std::fmod(bearing_from(direction) + 180.0, 360.0);
}

std::vector<int> directions_by_bearing(const SpectralGrid& grid) {
    std::vector<int> order(static_cast<std::size_t>(grid.directions));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {},
                      [&](int j) { return bearing_to(grid.direction[static_cast<std::size_t>(j)]); });
    return order;
}

struct Station {
    std::int32_t cell = -1;       // local index on the rank that owns the nearest cell, -1 elsewhere
    double distance = 0.0;        // m
    double lon = 0.0, lat = 0.0;  // rad, of the cell
    std::int64_t mesh_cell = 0;
};

/// Fields, or spectra, at stations. A station's values come from the rank that owns its cell.
struct Points : Stream {
    std::vector<const Field*> fields;  // empty: spectra
    std::vector<Station> stations;
    std::vector<std::string> names;
    std::vector<std::int32_t> mine;  // stations whose cell this rank owns
    std::vector<int> by_bearing;     // directions of a spectrum as the file has them: bearings increase
    std::unique_ptr<output::Decomposition> rows;
    std::vector<std::vector<float>> values;

    void write_fixed(const Model& model) override {
        std::vector<double> lon, lat, distance;
        std::vector<std::int64_t> mesh_cell;
        std::vector<std::int32_t> number;
        std::vector<char> name_rows(names.size() * station_name_length, '\0');
        for (std::size_t s = 0; s < stations.size(); ++s) {
            lon.push_back(stations[s].lon / base::degree);
            lat.push_back(stations[s].lat / base::degree);
            distance.push_back(stations[s].distance);
            mesh_cell.push_back(stations[s].mesh_cell);
            number.push_back(static_cast<std::int32_t>(s + 1));
            const std::size_t length = std::min<std::size_t>(names[s].size(), station_name_length);
            std::copy_n(names[s].begin(), length,
                        name_rows.begin() + static_cast<std::ptrdiff_t>(s) * station_name_length);
        }
        file->write_fixed(output::replicated<std::int32_t>("station", number));
        file->write_fixed(output::replicated<char>("station_name", name_rows));
        file->write_fixed(output::replicated<double>("longitude", lon));
        file->write_fixed(output::replicated<double>("latitude", lat));
        file->write_fixed(output::replicated<double>("station_distance", distance));
        file->write_fixed(output::replicated<std::int64_t>("mesh_cell", mesh_cell));
        if (!fields.empty()) return;
        const SpectralGrid& grid = model.grid();
        std::vector<double> bearing;
        for (const int j : by_bearing)
            bearing.push_back(bearing_to(grid.direction[static_cast<std::size_t>(j)]));
        file->write_fixed(output::replicated<double>("frequency", grid.frequency));
        file->write_fixed(output::replicated<double>("direction", bearing));
    }

    std::int64_t record_bytes(const Model& model) const override {
        const std::size_t width =
            fields.empty() ? static_cast<std::size_t>(model.grid().bins()) + 3 : fields.size();
        return static_cast<std::int64_t>(mine.size() * width * sizeof(float));
    }

    std::vector<output::Values> record(const Model& model) override {
        for (auto& column : values) column.clear();
        for (const std::int32_t s : mine) {
            const std::int32_t cell = stations[static_cast<std::size_t>(s)].cell;
            const CellSituation situation = model.situation(cell);
            if (fields.empty()) {
                add_spectrum(model, cell, situation);
            } else {
                for (std::size_t f = 0; f < fields.size(); ++f)
                    values[f].push_back(fields[f]->value(situation));
            }
        }
        std::vector<output::Values> record;
        if (fields.empty()) {
            const char* const spectra[] = {"efth", "dpt", "wnd", "wnddir"};
            for (std::size_t v = 0; v < 4; ++v)
                record.push_back(output::distributed<float>(spectra[v], *rows, values[v]));
        } else {
            for (std::size_t f = 0; f < fields.size(); ++f)
                record.push_back(output::distributed<float>(std::string(fields[f]->name), *rows, values[f]));
        }
        return record;
    }

    void add_spectrum(const Model& model, std::int32_t cell, const CellSituation& situation) {
        const SpectralGrid& grid = model.grid();
        const Real* action = model.action() + static_cast<std::size_t>(cell) * grid.stride();
        for (int i = 0; i < grid.frequencies; ++i)
            for (const int j : by_bearing)
                values[0].push_back(
                    static_cast<float>(grid.sigma[static_cast<std::size_t>(i)] * action[grid.index(i, j)]));
        values[1].push_back(static_cast<float>(situation.depth));
        values[2].push_back(
            static_cast<float>(std::hypot(situation.eastward_wind, situation.northward_wind)));
        values[3].push_back(
            static_cast<float>(bearing_from(std::atan2(situation.northward_wind, situation.eastward_wind))));
    }
};

std::vector<Station> find_stations(MPI_Comm comm, const PointsSection& section, const Model& model) {
    const voronoi::LocalMesh& mesh = model.mesh();
    std::vector<Station> stations;
    for (const auto& [lon_degrees, lat_degrees] : section.at) {
        const double lon = lon_degrees * base::degree, lat = lat_degrees * base::degree;
        const voronoi::NearestCell nearest = voronoi::nearest_cell(comm, mesh, lon, lat);
        const std::int64_t mine =
            nearest.local >= 0 ? mesh.mesh_cell[static_cast<std::size_t>(nearest.local)] : std::int64_t{0};
        const Station station{nearest.local, nearest.distance, nearest.lon, nearest.lat,
                              parallel::max(comm, mine)};
        stations.push_back(station);
    }
    return stations;
}

}  // namespace

std::unique_ptr<Stream> make_points(MPI_Comm comm, const Case& run, const PointsSection& section,
                                    const Model& model) {
    auto points = std::make_unique<Points>();
    points->path = run.output.folder + "/" + section.file;
    points->every = section.every;
    points->stations = find_stations(comm, section, model);
    points->names = section.names;
    points->by_bearing = directions_by_bearing(model.grid());
    for (const std::string& name : section.fields) points->fields.push_back(&find_field(name));
    Extent extent{1e9, -1e9, 1e9, -1e9};
    for (const Station& station : points->stations) {
        const double lon = station.lon / base::degree, lat = station.lat / base::degree;
        extent = {std::min(extent.west, lon), std::max(extent.east, lon), std::min(extent.south, lat),
                  std::max(extent.north, lat)};
    }
    points->schema = section.fields.empty() ? spectra_schema(run, section, model.grid(), extent)
                                            : series_schema(run, section, extent);
    points->values.resize(section.fields.empty() ? 4 : section.fields.size());
    std::vector<std::int64_t> rows;
    for (std::size_t s = 0; s < points->stations.size(); ++s) {
        if (points->stations[s].cell < 0) continue;
        points->mine.push_back(static_cast<std::int32_t>(s));
        rows.push_back(static_cast<std::int64_t>(s));
    }
    points->rows = std::make_unique<output::Decomposition>(
        comm, static_cast<std::int64_t>(points->stations.size()), rows);
    return points;
}

}  // namespace groundswell::sea
