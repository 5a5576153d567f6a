#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/mesh/voronoi/nearest.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/streams/situations.hpp"
#include "groundswell/simulation/stations.hpp"
#include "groundswell/simulation/stream.hpp"

namespace groundswell::sea {

using Station = voronoi::NearestCell;

/// Base of the files of points: stations, whose values come from the ranks that own their cells.
class StationStream : public simulation::Stream {
public:
    StationStream(MPI_Comm comm, const PointsSection& section, output::Schema schema, const Model& model,
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

/// Spectra at stations and what is known by frequency or depth there, as the section asks for it. Collective.
std::unique_ptr<simulation::Stream> make_spectra(MPI_Comm comm, const PointsSection& section,
                                                 output::Schema schema, const Model& model,
                                                 Situations& situations, std::vector<Station> stations);

}  // namespace groundswell::sea
