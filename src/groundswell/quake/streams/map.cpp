#include <vector>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/recorder.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

/// By field, [record][owned cell].
class Snapshots : public Recorder {
public:
    Snapshots(base::Duration every, const std::vector<std::string>& fields, int order, std::int64_t cells)
        : Recorder(every), cells_(cells) {
        for (const std::string& name : fields) quantities_.push_back(field_index(name));
        for (const auto& phi : tetrahedron_basis(order, {0.25, 0.25, 0.25})) at_centre_.push_back(phi.value);
        values.resize(fields.size());
    }

    void see(std::int64_t record, std::int32_t cell, std::span<const double> state) {
        for (std::size_t f = 0; f < quantities_.size(); ++f) {
            double sum = 0.0;
            for (std::size_t k = 0; k < at_centre_.size(); ++k)
                sum += at_centre_[k] * state[9 * k + static_cast<std::size_t>(quantities_[f])];
            values[f][record * cells_ + cell] = static_cast<float>(sum);
        }
    }

    std::vector<std::vector<float>> values;

private:
    void clear() override {
        for (auto& field : values) field.assign(count() * cells_, 0.0F);
    }
    std::int64_t cells_;
    std::vector<int> quantities_;
    std::vector<double> at_centre_;
};

output::Schema schema_of(const Case& run, const simulation::MapSection& section, std::int64_t cells) {
    using output::Type;
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}, {"cell", cells, false}, {"corner", 4, false}, {"axis", 3, false}};
    schema.variables = {
        simulation::time_variable(run.time),
        {"corners",
         Type::float64,
         {"cell", "corner", "axis"},
         {{"long_name", "corners of the tetrahedra: x east, y north, z up"}, {"units", "m"}}},
        {"group",
         Type::int64,
         {"cell"},
         {{"long_name", "group of the mesh that the cell belongs to"}, {"units", "1"}}},
    };
    add_degrees(schema, run, "cell", "the cell's centre");
    for (const std::string& name : section.fields)
        schema.variables.push_back(
            simulation::field_variable(field_names[field_index(name)], {"time", "cell"}));
    schema.attributes = global_attributes(run, "Wave field",
                                          "Wave field of an earthquake model, at the centres of its cells");
    return schema;
}

class Map : public simulation::Stream {
public:
    Map(const Case& run, const simulation::MapSection& section, const Domain& domain,
        const output::Decomposition& rows, std::shared_ptr<Snapshots> snapshots)
        : Stream(section.file, section.every, schema_of(run, section, domain.mesh.global_cells)),
          run_(run),
          section_(section),
          domain_(domain),
          rows_(rows),
          snapshots_(std::move(snapshots)) {}

    void write_fixed(output::Dataset& file) override {
        std::vector<double> corners;
        for (std::int32_t cell = 0; cell < domain_.mesh.owned; ++cell) {
            for (const tetra::Point& place : domain_.mesh.cell[cell].place)
                corners.insert(corners.end(), place.begin(), place.end());
        }
        file.write_fixed(output::distributed<double>("corners", rows_, corners));
        const auto& group = domain_.mesh.material_group;
        file.write_fixed(
            output::distributed<std::int64_t>("group", rows_, std::span(group.data(), domain_.mesh.owned)));
        if (!run_.projection) return;
        std::vector<tetra::Point> centres;
        for (std::int32_t cell = 0; cell < domain_.mesh.owned; ++cell)
            centres.push_back(tetra::centre_of(domain_.mesh.cell[cell]));
        const Degrees degrees = degrees_of(*run_.projection, centres);
        file.write_fixed(output::distributed<double>("longitude", rows_, degrees.longitude));
        file.write_fixed(output::distributed<double>("latitude", rows_, degrees.latitude));
    }
    std::int64_t record_bytes() const override {
        return domain_.mesh.owned * static_cast<std::int64_t>(section_.fields.size() * sizeof(float));
    }
    std::vector<output::Values> record() override {
        std::vector<output::Values> record;
        for (std::size_t f = 0; f < section_.fields.size(); ++f)
            record.push_back(output::distributed<float>(section_.fields[f], rows_, snapshots_->values[f]));
        return record;
    }

private:
    const Case& run_;
    const simulation::MapSection& section_;
    const Domain& domain_;
    const output::Decomposition& rows_;
    std::shared_ptr<Snapshots> snapshots_;
};

}  // namespace

template <class Real>
RecordedStream make_map(const Case& run, const simulation::MapSection& section, const Domain& domain,
                        const output::Decomposition& rows, Wavefield<Real>& field) {
    const auto snapshots =
        std::make_shared<Snapshots>(section.every, section.fields, run.solver.order, domain.mesh.owned);
    field.add_observer(
        {[snapshots](double from, double to, std::vector<Moment>& moments) {
             snapshots->add_moments(from, to, moments);
         },
         [snapshots, &field](std::int32_t element, std::int64_t record, std::span<const double> state) {
             snapshots->see(record, field.cell_of(element), state);
         }});
    return {std::make_unique<Map>(run, section, domain, rows, snapshots), snapshots};
}

template RecordedStream make_map(const Case&, const simulation::MapSection&, const Domain&,
                                 const output::Decomposition&, Wavefield<float>&);
template RecordedStream make_map(const Case&, const simulation::MapSection&, const Domain&,
                                 const output::Decomposition&, Wavefield<double>&);

}  // namespace groundswell::quake
