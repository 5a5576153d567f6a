#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/mesh/tetra/locate.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/mesh/strays.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/glimpsed.hpp"
#include "groundswell/quake/streams/receivers/receivers_on_faults.hpp"
#include "groundswell/quake/streams/recorder.hpp"
#include "groundswell/simulation/cf.hpp"
#include "groundswell/simulation/stations.hpp"

namespace groundswell::quake {

namespace {

/// Records of this rank's receivers: by field, [record][receiver].
class Seismograms : public Recorder {
public:
    Seismograms(base::Duration every, const std::vector<std::string>& names) : Recorder(every) {
        for (const std::string& name : names) fields.push_back(&find_field(name));
        values.resize(fields.size());
    }

    void see(std::int64_t receiver, const Glimpse& glimpse) {
        each(glimpse.from, glimpse.to, [&](std::int64_t record, double time) {
            const Glimpsed sample(glimpse, time - glimpse.from);
            for (std::size_t f = 0; f < fields.size(); ++f)
                values[f][record * receivers + receiver] = static_cast<float>(fields[f]->value(sample));
        });
    }

    std::int64_t receivers = 0;
    std::vector<const Field*> fields;
    std::vector<std::vector<float>> values;

private:
    void clear() override {
        for (auto& field : values) field.assign(count() * receivers, 0.0F);
    }
};

output::Schema schema_of(const ProjectedCase& run, const ReceiversSection& section) {
    using output::Type;
    output::Schema schema;
    simulation::add_stations(schema, run.time, section.places.at.size());
    add_places(schema, "", "station", "place of the receiver");
    if (section.to_surface)
        schema.variables.push_back(
            {"z_given",
             Type::float64,
             {"station"},
             {{"long_name", "height that the case gives the receiver, which was moved to the free surface"},
              {"units", "m"}}});
    add_degrees(schema, run, "station", "the receiver");
    for (const std::string& name : section.fields) {
        output::Variable variable = simulation::field_variable(find_field(name).names, {"time", "station"});
        variable.attributes.emplace_back("coordinates", "x y z station_name");
        schema.variables.push_back(std::move(variable));
    }
    schema.attributes = global_attributes(run, "Seismograms", "Seismograms of an earthquake model");
    schema.attributes.emplace_back("featureType", "timeSeries");
    return schema;
}

class Receivers : public simulation::Stream {
public:
    Receivers(MPI_Comm comm, const ProjectedCase& run, const ReceiversSection& section,
              std::vector<tetra::Point> at, std::shared_ptr<Seismograms> seismograms,
              std::span<const std::int64_t> rows)
        : Stream(section.file, section.every, schema_of(run, section)),
          run_(run),
          section_(section),
          at_(std::move(at)),
          seismograms_(std::move(seismograms)),
          rows_(comm, static_cast<std::int64_t>(section.places.at.size()), rows) {}

    void write_fixed(output::Dataset& file) override {
        write_receivers(file, run_, section_.places.names, at_);
        if (section_.to_surface)
            file.write_fixed(output::replicated<double>("z_given", heights(section_.places.at)));
    }
    std::int64_t record_bytes() const override {
        return seismograms_->receivers * static_cast<std::int64_t>(section_.fields.size() * sizeof(float));
    }
    std::vector<output::Values> record() override {
        std::vector<output::Values> record;
        for (std::size_t f = 0; f < section_.fields.size(); ++f)
            record.push_back(output::distributed<float>(section_.fields[f], rows_, seismograms_->values[f]));
        return record;
    }

private:
    static std::vector<double> heights(const std::vector<tetra::Point>& places) {
        std::vector<double> z;
        for (const tetra::Point& place : places) z.push_back(place[2]);
        return z;
    }

    const ProjectedCase& run_;
    const ReceiversSection& section_;
    std::vector<tetra::Point> at_;  // where they are, perhaps moved
    std::shared_ptr<Seismograms> seismograms_;
    output::Decomposition rows_;
};

// Refuses those outside, by the key or the file from which the places came.
void refuse(MPI_Comm comm, const Strays& strays, const ProjectedCase& run, const ReceiversSection& section,
            const std::string& expected) {
    const NamedPlaces& places = section.places;
    const bool is_listed = !places.list.empty();
    strays.refuse(comm, is_listed ? places.list : run.file, is_listed ? "receivers" : "output.receivers[].at",
                  places.at.size(), expected);
}

// Where the receivers are: as given, or at the free surface above or below.
std::vector<tetra::Point> places_of(MPI_Comm comm, const ProjectedCase& run, const ReceiversSection& section,
                                    const Domain& domain) {
    std::vector<tetra::Point> places = section.places.at;
    if (!section.to_surface || places.empty()) return places;
    const auto surface = tetra::find_surface(comm, domain.mesh, places);
    std::size_t farthest = 0;
    const auto moved = [&](std::size_t s) { return places[s][2] - section.places.at[s][2]; };
    Strays strays;
    double farthest_beside = 0.0;
    for (std::size_t s = 0; s < places.size(); ++s) {
        if (!surface[s].there) {
            if (std::isfinite(surface[s].beside))
                farthest_beside = std::max(farthest_beside, surface[s].beside);
            strays.add(section.places.names[s], places[s],
                       std::isinf(surface[s].beside)
                           ? "the mesh has no free surface"
                           : fmt::format("nearest corner {:.4g} m beside", surface[s].beside));
        }
        places[s][2] = surface[s].height - section.places.below[s];
        if (std::abs(moved(s)) > std::abs(moved(farthest))) farthest = s;
    }
    refuse(comm, strays, run, section,
           "places below or above a free surface, to which to_surface = true moves them" +
               domain.explain_distance(farthest_beside));
    if (parallel::rank_of(comm) == 0)
        base::log_info(
            "{}: receivers moved to the free surface, {} the farthest: by {:+.6g} m to z = {:.6g} m",
            section.file, section.places.names[farthest], moved(farthest), places[farthest][2]);
    return places;
}

// On a fault the ground moves in two ways: says which of them a seismogram has.
void tell_sides(MPI_Comm comm, const ReceiversSection& section, std::span<const FaultSide> sides) {
    if (parallel::rank_of(comm) != 0) return;
    for (const auto& [side, word] : {std::pair{FaultSide::plus, "+"}, {FaultSide::minus, "−"}}) {
        std::vector<std::string> names;
        for (std::size_t s = 0; s < sides.size(); ++s)
            if (sides[s] == side) names.push_back(section.places.names[s]);
        if (names.empty()) continue;
        base::log_info(
            "{}: {} on a fault, where {} the motion of the {} side: {}; a place a metre beyond has that of "
            "the other",
            section.file, names.size() == 1 ? "a receiver lies" : "receivers lie",
            names.size() == 1 ? "it records" : "they record", word, fmt::join(names, ", "));
    }
}

}  // namespace

template <class Real>
RecordedStream make_receivers(MPI_Comm comm, const ProjectedCase& run, const ReceiversSection& section,
                              const Domain& domain, Wavefield<Real>& field) {
    auto places = places_of(comm, run, section, domain);
    const auto found = tetra::locate(comm, domain.mesh, places);
    const auto seismograms = std::make_shared<Seismograms>(section.every, section.fields);
    std::vector<std::int64_t> rows;
    Strays strays;
    double farthest = 0.0;
    bool is_above = false;  // as stations at their elevation are over flat ground
    for (std::size_t s = 0; s < found.size(); ++s)
        if (found[s].id < 0) {
            is_above = is_above || section.places.at[s][2] > domain.ranges.high[2];
            farthest = std::max(farthest, found[s].outside);
            strays.add(section.places.names[s], section.places.at[s],
                       fmt::format("nearest corner {:.4g} m away", found[s].outside));
        }
    refuse(comm, strays, run, section,
           "places within the mesh, " + domain.ranges.extent() + domain.explain_distance(farthest) +
               (is_above ? "; to_surface = true moves those above it down to the free surface" : ""));
    if (field.fault() != nullptr)
        tell_sides(comm, section, sides_of_places(comm, domain.mesh, places, found));
    for (std::size_t s = 0; s < found.size(); ++s) {
        if (found[s].cell < 0) continue;
        const std::int64_t receiver = seismograms->receivers++;
        rows.push_back(static_cast<std::int64_t>(s));
        field.add_probe(
            found[s].cell, found[s].reference,
            {[seismograms, receiver](const Glimpse& glimpse) { seismograms->see(receiver, glimpse); },
             [seismograms](double from, double to) { return seismograms->wants(from, to); },
             gradient_for(seismograms->fields, domain.mesh.cell[found[s].cell])});
    }
    return {std::make_unique<Receivers>(comm, run, section, std::move(places), seismograms, rows),
            seismograms};
}

template RecordedStream make_receivers(MPI_Comm, const ProjectedCase&, const ReceiversSection&, const Domain&,
                                       Wavefield<float>&);
template RecordedStream make_receivers(MPI_Comm, const ProjectedCase&, const ReceiversSection&, const Domain&,
                                       Wavefield<double>&);

}  // namespace groundswell::quake
