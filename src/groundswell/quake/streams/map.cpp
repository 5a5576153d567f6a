#include <vector>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/field_stream.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

output::Schema schema_of(const ProjectedCase& run, const simulation::MapSection& section,
                         std::int64_t cells) {
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
        schema.variables.push_back(simulation::field_variable(find_field(name).names, {"time", "cell"}));
    schema.attributes = global_attributes(run, "Wave field",
                                          "Wave field of an earthquake model, at the centres of its cells");
    return schema;
}

void write_cells(output::Dataset& file, const ProjectedCase& run, const Domain& domain,
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
RecordedStream make_map(const ProjectedCase& run, const simulation::MapSection& section, const Domain& domain,
                        const output::Decomposition& rows, Wavefield<Real>& field) {
    const auto records = std::make_shared<CellRecords>(
        section.every, section.fields, field.elements().layout().order,
        std::vector<Point3>{{0.25, 0.25, 0.25}}, static_cast<std::size_t>(domain.mesh.owned));
    field.add_observer(
        {moments_of(records), [records, &domain, &field](std::int32_t element, std::int64_t record,
                                                         std::span<const double> state) {
             const std::int32_t cell = field.cell_of(element);
             records->see(record, static_cast<std::size_t>(cell), domain.mesh.cell[cell], state,
                          field.is_plastic() ? field.plastic_strain(cell) : 0.0);
         }});
    auto write = [&run, &domain, &rows](output::Dataset& file) { write_cells(file, run, domain, rows); };
    return {std::make_unique<FieldStream>(section, schema_of(run, section, domain.mesh.global_cells),
                                          FieldStream::Cells{rows, std::move(write)}, records),
            records};
}

template RecordedStream make_map(const ProjectedCase&, const simulation::MapSection&, const Domain&,
                                 const output::Decomposition&, Wavefield<float>&);
template RecordedStream make_map(const ProjectedCase&, const simulation::MapSection&, const Domain&,
                                 const output::Decomposition&, Wavefield<double>&);

}  // namespace groundswell::quake
