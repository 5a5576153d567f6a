#include <vector>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/field_stream.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

class Snapshots : public FieldRecords {
public:
    Snapshots(base::Duration every, const std::vector<std::string>& fields, int order, std::int32_t cells)
        : FieldRecords(every, fields.size(), static_cast<std::size_t>(cells)) {
        for (const std::string& name : fields) quantities_.push_back(field_index(name));
        for (const auto& phi : tetrahedron_basis(order, {0.25, 0.25, 0.25})) at_centre_.push_back(phi.value);
    }

    void see(std::int64_t record, std::int32_t cell, std::span<const double> state) {
        for (std::size_t f = 0; f < quantities_.size(); ++f) {
            double sum = 0.0;
            for (std::size_t k = 0; k < at_centre_.size(); ++k)
                sum += at_centre_[k] * state[9 * k + static_cast<std::size_t>(quantities_[f])];
            put(record, static_cast<std::size_t>(cell), f, sum);
        }
    }

private:
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

void write_cells(output::Dataset& file, const Case& run, const Domain& domain,
                 const output::Decomposition& rows) {
    std::vector<double> corners;
    std::vector<tetra::Point> centres;
    for (std::int32_t cell = 0; cell < domain.mesh.owned; ++cell) {
        for (const tetra::Point& place : domain.mesh.cell[cell].place)
            corners.insert(corners.end(), place.begin(), place.end());
        centres.push_back(tetra::centre_of(domain.mesh.cell[cell]));
    }
    file.write_fixed(output::distributed<double>("corners", rows, corners));
    file.write_fixed(output::distributed<std::int64_t>(
        "group", rows, std::span(domain.mesh.material_group.data(), domain.mesh.owned)));
    if (run.projection) write_degrees(file, *run.projection, rows, centres);
}

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
    auto write = [&run, &domain, &rows](output::Dataset& file) { write_cells(file, run, domain, rows); };
    return {std::make_unique<FieldStream>(section, schema_of(run, section, domain.mesh.global_cells),
                                          FieldStream::Cells{rows, std::move(write)}, snapshots),
            snapshots};
}

template RecordedStream make_map(const Case&, const simulation::MapSection&, const Domain&,
                                 const output::Decomposition&, Wavefield<float>&);
template RecordedStream make_map(const Case&, const simulation::MapSection&, const Domain&,
                                 const output::Decomposition&, Wavefield<double>&);

}  // namespace groundswell::quake
