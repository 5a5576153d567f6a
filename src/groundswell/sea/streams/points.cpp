#include "groundswell/sea/streams/streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/sea/fields.hpp"
#include "groundswell/sea/output_schema.hpp"
#include "groundswell/sea/streams/station_stream.hpp"

namespace groundswell::sea {

namespace {

/// Fields at stations.
class Series : public StationStream {
public:
    Series(MPI_Comm comm, const PointsSection& section, output::Schema schema, const Model& model,
           Situations& situations, std::vector<Station> stations)
        : StationStream(comm, section, std::move(schema), model, situations, std::move(stations)),
          names_of_fields_(section.fields),
          values_(section.fields.size()) {
        for (const std::string& name : section.fields) fields_.push_back(&find_field(name));
        reads_ = all_read(fields_);
    }

    std::int64_t record_bytes() const override { return bytes(fields_.size()); }

    std::vector<output::Values> record() override {
        for (auto& column : values_) column.clear();
        if (includes(reads_, Reads::force)) situations_.of_all(reads_);
        model_.bring_back(mine_);
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
        return make_spectra(comm, section, spectra_schema(run, section, model.grid(), extent), model,
                            situations, std::move(stations));
    return std::make_unique<Series>(comm, section, series_schema(run, section, extent), model, situations,
                                    std::move(stations));
}

}  // namespace groundswell::sea
