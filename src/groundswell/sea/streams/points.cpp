#include "groundswell/sea/streams/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/mesh/voronoi/nearest.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/sea/fields.hpp"
#include "groundswell/sea/output_schema.hpp"
#include "groundswell/simulation/stations.hpp"

namespace groundswell::sea {

namespace {

/// Degrees, going to, clockwise from north, in [0, 360).
double bearing_to(double direction) {
    return std::fmod(bearing_from(direction) + 180.0, 360.0);
}

std::vector<int> directions_by_bearing(const SpectralGrid& grid) {
    std::vector<int> order(grid.directions);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](int j) { return bearing_to(grid.direction[j]); });
    return order;
}

using Station = voronoi::NearestCell;

/// Base of the files of points: stations, whose values come from the ranks that own their cells.
class Points : public simulation::Stream {
public:
    Points(MPI_Comm comm, const PointsSection& section, output::Schema schema, const Model& model,
           Situations& situations, std::vector<Station> stations)
        : Stream(section.file, section.every, std::move(schema)),
          model_(model),
          situations_(situations),
          stations_(std::move(stations)),
          names_(section.names) {
        std::vector<std::int64_t> rows;
        for (std::size_t s = 0; s < stations_.size(); ++s) {
            if (stations_[s].local < 0) continue;
            mine_.push_back(stations_[s].local);
            rows.push_back(static_cast<std::int64_t>(s));
        }
        rows_.emplace(comm, static_cast<std::int64_t>(stations_.size()), rows);
    }

    void write_fixed(output::Dataset& file) override {
        std::vector<double> lon, lat, distance;
        std::vector<std::int64_t> mesh_cell;
        for (std::size_t s = 0; s < stations_.size(); ++s) {
            lon.push_back(stations_[s].lon / base::degree);
            lat.push_back(stations_[s].lat / base::degree);
            distance.push_back(stations_[s].distance);
            mesh_cell.push_back(stations_[s].mesh_cell);
        }
        simulation::write_stations(file, names_);
        file.write_fixed(output::replicated<double>("longitude", lon));
        file.write_fixed(output::replicated<double>("latitude", lat));
        file.write_fixed(output::replicated<double>("station_distance", distance));
        file.write_fixed(output::replicated<std::int64_t>("mesh_cell", mesh_cell));
    }

protected:
    output::Values column(const std::string& name, const std::vector<float>& values) const {
        return output::distributed<float>(name, *rows_, values);
    }
    std::int64_t bytes(std::size_t values_per_station) const {
        return static_cast<std::int64_t>(mine_.size() * values_per_station * sizeof(float));
    }

    const Model& model_;
    Situations& situations_;
    std::vector<Station> stations_;
    std::vector<std::string> names_;
    std::vector<std::int32_t> mine_;  // cells of the stations that this rank owns
    std::optional<output::Decomposition> rows_;
};

/// Fields at stations.
class Series : public Points {
public:
    Series(MPI_Comm comm, const PointsSection& section, output::Schema schema, const Model& model,
           Situations& situations, std::vector<Station> stations)
        : Points(comm, section, std::move(schema), model, situations, std::move(stations)),
          names_of_fields_(section.fields),
          values_(section.fields.size()) {
        for (const std::string& name : section.fields) fields_.push_back(&find_field(name));
        reads_ = most_read(fields_);
    }

    std::int64_t record_bytes() const override { return bytes(fields_.size()); }

    std::vector<output::Values> record() override {
        for (auto& column : values_) column.clear();
        for (const std::int32_t cell : mine_) {
            const CellSituation situation = situations_.of(cell, reads_);
            for (std::size_t f = 0; f < fields_.size(); ++f)
                values_[f].push_back(fields_[f]->value(situation));
        }
        std::vector<output::Values> record;
        for (std::size_t f = 0; f < fields_.size(); ++f)
            record.push_back(column(names_of_fields_[f], values_[f]));
        return record;
    }

private:
    std::vector<std::string> names_of_fields_;
    std::vector<const Field*> fields_;
    Reads reads_ = Reads::nothing;
    std::vector<std::vector<float>> values_;
};

/// Spectra at stations, in the layout of WAVEWATCH III.
class Spectra : public Points {
public:
    Spectra(MPI_Comm comm, const PointsSection& section, output::Schema schema, const Model& model,
            Situations& situations, std::vector<Station> stations)
        : Points(comm, section, std::move(schema), model, situations, std::move(stations)),
          by_bearing_(directions_by_bearing(model.grid())) {}

    void write_fixed(output::Dataset& file) override {
        Points::write_fixed(file);
        const SpectralGrid& grid = model_.grid();
        std::vector<double> bearing;
        for (const int j : by_bearing_) bearing.push_back(bearing_to(grid.direction[j]));
        file.write_fixed(output::replicated<double>("frequency", grid.frequency));
        file.write_fixed(output::replicated<double>("direction", bearing));
    }

    std::int64_t record_bytes() const override {
        return bytes(static_cast<std::size_t>(model_.grid().bins()) + 3);
    }

    std::vector<output::Values> record() override {
        for (auto* column : {&density_, &depth_, &speed_, &bearing_}) column->clear();
        for (const std::int32_t cell : mine_) add(cell);
        return {column("efth", density_), column("dpt", depth_), column("wnd", speed_),
                column("wnddir", bearing_)};
    }

private:
    void add(std::int32_t cell) {
        const SpectralGrid& grid = model_.grid();
        const CellSituation situation = situations_.of(cell, Reads::nothing);
        const Real* action = model_.action() + static_cast<std::size_t>(cell) * grid.stride();
        for (int i = 0; i < grid.frequencies; ++i)
            for (const int j : by_bearing_)
                density_.push_back(static_cast<float>(grid.sigma[i] * action[grid.index(i, j)]));
        const double east = situation.forcing.eastward_wind, north = situation.forcing.northward_wind;
        depth_.push_back(static_cast<float>(situation.depth));
        speed_.push_back(static_cast<float>(std::hypot(east, north)));
        bearing_.push_back(static_cast<float>(bearing_from(std::atan2(north, east))));
    }

    std::vector<int> by_bearing_;  // directions as the file has them: bearings increase
    std::vector<float> density_, depth_, speed_, bearing_;
};

/// A point on land or in another sea: its cell's values are not what they are taken for. All ranks know the same stations.
void check_distances(MPI_Comm comm, const Case& run, const PointsSection& section,
                     std::span<const Station> stations) {
    for (std::size_t s = 0; s < stations.size(); ++s) {
        const Station& station = stations[s];
        if (station.distance <= station.width) continue;
        const auto [lon, lat] = section.at[s];
        const std::string found =
            fmt::format("the nearest sea cell, at {:.3f}°E, {:.3f}°N, is {:.1f} km away and {:.1f} km wide",
                        station.lon / base::degree, station.lat / base::degree, station.distance / 1e3,
                        station.width / 1e3);
        base::require(
            station.distance <= section.reach * station.width, run.file, "output.points[].at",
            fmt::format("[{}, {}] ({})", lon, lat, section.names[s]),
            fmt::format(
                "a place in the sea, as [longitude, latitude]: {}; output.points[].reach = {:.0f} allows it",
                found, std::ceil(station.distance / station.width)));
        if (parallel::rank_of(comm) == 0)
            base::log_warning("{}: point {} at [{}, {}] is in no sea cell: {}", section.file,
                              section.names[s], lon, lat, found);
    }
}

/// The sea cell nearest to each point. Collective.
std::vector<Station> find_stations(MPI_Comm comm, const Case& run, const PointsSection& section,
                                   const Model& model) {
    std::vector<voronoi::Place> places;
    for (const auto& [lon, lat] : section.at) places.push_back({lon * base::degree, lat * base::degree});
    std::vector<Station> stations = voronoi::nearest_cells(comm, model.mesh(), places);
    parallel::agree(comm, [&] { check_distances(comm, run, section, stations); });
    return stations;
}

}  // namespace

std::unique_ptr<simulation::Stream> make_points(MPI_Comm comm, const Case& run, const PointsSection& section,
                                                const Model& model, Situations& situations) {
    std::vector<Station> stations = find_stations(comm, run, section, model);
    Extent extent{1e9, -1e9, 1e9, -1e9};
    for (const Station& station : stations) {
        const double lon = station.lon / base::degree, lat = station.lat / base::degree;
        extent = {std::min(extent.west, lon), std::max(extent.east, lon), std::min(extent.south, lat),
                  std::max(extent.north, lat)};
    }
    if (section.fields.empty())
        return std::make_unique<Spectra>(comm, section, spectra_schema(run, section, model.grid(), extent),
                                         model, situations, std::move(stations));
    return std::make_unique<Series>(comm, section, series_schema(run, section, extent), model, situations,
                                    std::move(stations));
}

}  // namespace groundswell::sea
