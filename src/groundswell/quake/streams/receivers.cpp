#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/mesh/tetra/locate.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/receivers_on_faults.hpp"
#include "groundswell/quake/streams/recorder.hpp"
#include "groundswell/simulation/cf.hpp"
#include "groundswell/simulation/stations.hpp"

namespace groundswell::quake {

namespace {

/// What this rank's receivers record: by field, [record][receiver].
class Seismograms : public Recorder {
public:
    Seismograms(base::Duration every, const std::vector<std::string>& fields) : Recorder(every) {
        for (const std::string& name : fields) quantities_.push_back(field_index(name));
        values.resize(fields.size());
    }

    void see(std::int64_t receiver, const Glimpse& glimpse) {
        each(glimpse.from, glimpse.to, [&](std::int64_t record, double time) {
            for (std::size_t f = 0; f < quantities_.size(); ++f)
                values[f][record * receivers + receiver] =
                    static_cast<float>(glimpse.value(quantities_[f], time - glimpse.from));
        });
    }

    std::int64_t receivers = 0;
    std::vector<std::vector<float>> values;

private:
    void clear() override {
        for (auto& field : values) field.assign(count() * receivers, 0.0F);
    }
    std::vector<int> quantities_;
};

output::Schema schema_of(const Case& run, const ReceiversSection& section) {
    using output::Type;
    output::Schema schema;
    simulation::add_stations(schema, run.time, section.at.size());
    for (const auto& [name, axis] : {std::pair{"x", "east"}, {"y", "north"}, {"z", "up"}})
        schema.variables.push_back(
            {name,
             Type::float64,
             {"station"},
             {{"long_name", fmt::format("place of the receiver, {}", axis)}, {"units", "m"}}});
    if (section.to_surface)
        schema.variables.push_back(
            {"z_given",
             Type::float64,
             {"station"},
             {{"long_name", "height that the case gives the receiver, which was moved to the free surface"},
              {"units", "m"}}});
    add_degrees(schema, run, "station", "the receiver");
    for (const std::string& name : section.fields) {
        output::Variable variable =
            simulation::field_variable(field_names[field_index(name)], {"time", "station"});
        variable.attributes.emplace_back("coordinates", "x y z station_name");
        schema.variables.push_back(std::move(variable));
    }
    schema.attributes = global_attributes(run, "Seismograms", "Seismograms of an earthquake model");
    schema.attributes.emplace_back("featureType", "timeSeries");
    return schema;
}

class Receivers : public simulation::Stream {
public:
    Receivers(MPI_Comm comm, const Case& run, const ReceiversSection& section, std::vector<tetra::Point> at,
              std::shared_ptr<Seismograms> seismograms, std::span<const std::int64_t> rows)
        : Stream(section.file, section.every, schema_of(run, section)),
          run_(run),
          section_(section),
          at_(std::move(at)),
          seismograms_(std::move(seismograms)),
          rows_(comm, static_cast<std::int64_t>(section.at.size()), rows) {}

    void write_fixed(output::Dataset& file) override {
        write_receivers(file, run_, section_.names, at_);
        if (section_.to_surface)
            file.write_fixed(output::replicated<double>("z_given", heights(section_.at)));
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

    const Case& run_;
    const ReceiversSection& section_;
    std::vector<tetra::Point> at_;  // where they are, perhaps moved
    std::shared_ptr<Seismograms> seismograms_;
    output::Decomposition rows_;
};

// On all ranks alike.
void refuse_place(MPI_Comm comm, const Case& run, const ReceiversSection& section, std::size_t s,
                  const std::string& expected) {
    const tetra::Point& at = section.at[s];
    parallel::agree(comm, [&] {
        base::refuse(run.file, "output.receivers[].at",
                     fmt::format("[{}, {}, {}] ({})", at[0], at[1], at[2], section.names[s]), expected);
    });
}

// Where the receivers are: as given, or at the free surface above or below.
std::vector<tetra::Point> places_of(MPI_Comm comm, const Case& run, const ReceiversSection& section,
                                    const tetra::LocalMesh& mesh) {
    std::vector<tetra::Point> places = section.at;
    if (!section.to_surface || places.empty()) return places;
    const auto surface = tetra::find_surface(comm, mesh, places);
    std::size_t farthest = 0;
    const auto moved = [&](std::size_t s) { return places[s][2] - section.at[s][2]; };
    for (std::size_t s = 0; s < places.size(); ++s) {
        if (!surface[s].there)
            refuse_place(comm, run, section, s,
                         std::isinf(surface[s].beside)
                             ? "a mesh with a free surface, which to_surface = true moves it to"
                             : fmt::format("a place below or above the free surface, whose nearest corner is "
                                           "{:.4g} m beside it",
                                           surface[s].beside));
        places[s][2] = surface[s].height;
        if (std::abs(moved(s)) > std::abs(moved(farthest))) farthest = s;
    }
    if (parallel::rank_of(comm) == 0)
        base::log_info(
            "{}: receivers moved to the free surface, {} the farthest: by {:+.6g} m to z = {:.6g} m",
            section.file, section.names[farthest], moved(farthest), places[farthest][2]);
    return places;
}

// On a fault the ground moves in two ways: says which of them a seismogram has.
void tell_sides(MPI_Comm comm, const ReceiversSection& section, std::span<const FaultSide> sides) {
    if (parallel::rank_of(comm) != 0) return;
    for (const auto& [side, word] : {std::pair{FaultSide::plus, "+"}, {FaultSide::minus, "−"}}) {
        std::vector<std::string> names;
        for (std::size_t s = 0; s < sides.size(); ++s)
            if (sides[s] == side) names.push_back(section.names[s]);
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
RecordedStream make_receivers(MPI_Comm comm, const Case& run, const ReceiversSection& section,
                              const Domain& domain, Wavefield<Real>& field) {
    auto places = places_of(comm, run, section, domain.mesh);
    const auto found = tetra::locate(comm, domain.mesh, places);
    const auto seismograms = std::make_shared<Seismograms>(section.every, section.fields);
    std::vector<std::int64_t> rows;
    for (std::size_t s = 0; s < found.size(); ++s) {
        if (found[s].id < 0)
            refuse_place(comm, run, section, s,
                         fmt::format("a place within the mesh, whose nearest corner is {:.4g} m away",
                                     found[s].outside));
    }
    if (run.fault) tell_sides(comm, section, sides_of_places(comm, domain.mesh, places, found));
    for (std::size_t s = 0; s < found.size(); ++s) {
        if (found[s].cell < 0) continue;
        const std::int64_t receiver = seismograms->receivers++;
        rows.push_back(static_cast<std::int64_t>(s));
        field.add_probe(
            found[s].cell, found[s].reference,
            {[seismograms, receiver](const Glimpse& glimpse) { seismograms->see(receiver, glimpse); },
             [seismograms](double from, double to) { return seismograms->wants(from, to); }});
    }
    return {std::make_unique<Receivers>(comm, run, section, std::move(places), seismograms, rows),
            seismograms};
}

template RecordedStream make_receivers(MPI_Comm, const Case&, const ReceiversSection&, const Domain&,
                                       Wavefield<float>&);
template RecordedStream make_receivers(MPI_Comm, const Case&, const ReceiversSection&, const Domain&,
                                       Wavefield<double>&);

}  // namespace groundswell::quake
