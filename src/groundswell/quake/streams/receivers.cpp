#include <fmt/format.h>

#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/tetra/locate.hpp"
#include "groundswell/output/decomposition.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
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
    Receivers(MPI_Comm comm, const Case& run, const ReceiversSection& section,
              std::shared_ptr<Seismograms> seismograms, std::span<const std::int64_t> rows)
        : Stream(section.file, section.every, schema_of(run, section)),
          run_(run),
          section_(section),
          seismograms_(std::move(seismograms)),
          rows_(comm, static_cast<std::int64_t>(section.at.size()), rows) {}

    void write_fixed(output::Dataset& file) override {
        simulation::write_stations(file, section_.names);
        constexpr const char* names[] = {"x", "y", "z"};
        for (int axis = 0; axis < 3; ++axis) {
            std::vector<double> values;
            for (const tetra::Point& at : section_.at) values.push_back(at[axis]);
            file.write_fixed(output::replicated<double>(names[axis], values));
        }
        if (!run_.projection) return;
        const Degrees degrees = degrees_of(*run_.projection, section_.at);
        file.write_fixed(output::replicated<double>("longitude", degrees.longitude));
        file.write_fixed(output::replicated<double>("latitude", degrees.latitude));
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
    const Case& run_;
    const ReceiversSection& section_;
    std::shared_ptr<Seismograms> seismograms_;
    output::Decomposition rows_;
};

}  // namespace

template <class Real>
RecordedStream make_receivers(MPI_Comm comm, const Case& run, const ReceiversSection& section,
                              const Domain& domain, Wavefield<Real>& field) {
    const auto found = tetra::locate(comm, domain.mesh, section.at);
    const auto seismograms = std::make_shared<Seismograms>(section.every, section.fields);
    std::vector<std::int64_t> rows;
    parallel::agree(comm, [&] {
        for (std::size_t s = 0; s < found.size(); ++s) {
            const auto& at = section.at[s];
            base::require(found[s].id >= 0, run.file, "output.receivers[].at",
                          fmt::format("[{}, {}, {}] ({})", at[0], at[1], at[2], section.names[s]),
                          fmt::format("a place within the mesh, whose nearest corner is {:.4g} m away",
                                      found[s].outside));
        }
    });
    for (std::size_t s = 0; s < found.size(); ++s) {
        if (found[s].cell < 0) continue;
        const std::int64_t receiver = seismograms->receivers++;
        rows.push_back(static_cast<std::int64_t>(s));
        field.add_probe(
            found[s].cell, found[s].reference,
            {[seismograms, receiver](const Glimpse& glimpse) { seismograms->see(receiver, glimpse); },
             [seismograms](double from, double to) { return seismograms->wants(from, to); }});
    }
    return {std::make_unique<Receivers>(comm, run, section, seismograms, rows), seismograms};
}

template RecordedStream make_receivers(MPI_Comm, const Case&, const ReceiversSection&, const Domain&,
                                       Wavefield<float>&);
template RecordedStream make_receivers(MPI_Comm, const Case&, const ReceiversSection&, const Domain&,
                                       Wavefield<double>&);

}  // namespace groundswell::quake
