#include <utility>
#include <vector>

#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/cell_records.hpp"
#include "groundswell/quake/streams/volume_mesh.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

output::Schema schema_of(const ProjectedCase& run, const VolumeSection& section, const VolumeMesh& mesh) {
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}};
    mesh.add_to(schema, run);
    schema.variables.push_back(simulation::time_variable(run.time));
    for (const std::string& name : section.fields) {
        auto variable = simulation::field_variable(find_field(name).names, {"time", "nVolume"});
        place_on_mesh(variable, "volume");
        schema.variables.push_back(std::move(variable));
    }
    schema.attributes =
        global_attributes(run, "Wave field in the ground",
                          "Wave field of an earthquake model in the ground, at the centres of tetrahedra",
                          "CF-1.11 UGRID-1.0 ACDD-1.3");
    return schema;
}

}  // namespace

template <class Real>
RecordedStream make_volume(MPI_Comm comm, const ProjectedCase& run, const VolumeSection& section,
                           const Domain& domain, Wavefield<Real>& field) {
    const auto mesh = std::make_shared<const VolumeMesh>(comm, run, section, domain.mesh);
    const auto records = std::make_shared<CellRecords>(
        section.every, section.fields, field.elements().layout().order, mesh->parts(), mesh->cells());
    field.add_observer({[records](double from, double to, std::vector<Moment>& moments) {
                            records->add_moments(from, to, moments);
                        },
                        [records, mesh, &domain, &field](std::int32_t element, std::int64_t record,
                                                         std::span<const double> state) {
                            const std::int32_t cell = field.cell_of(element), number = mesh->number_of(cell);
                            if (number < 0) return;
                            records->see(record, static_cast<std::size_t>(number), domain.mesh.cell[cell],
                                         state, field.is_plastic() ? field.plastic_strain(cell) : 0.0);
                        }});
    FieldStream::Cells cells{
        mesh->rows(), [mesh, &run](output::Dataset& file) { mesh->write(file, run); },
        XdmfParts{"ground", {}, xdmf_tetrahedra, mesh->rows().rows(), mesh->nodes().rows(), {}}};
    return {std::make_unique<FieldStream>(section, schema_of(run, section, *mesh), std::move(cells), records),
            records};
}

template RecordedStream make_volume(MPI_Comm, const ProjectedCase&, const VolumeSection&, const Domain&,
                                    Wavefield<float>&);
template RecordedStream make_volume(MPI_Comm, const ProjectedCase&, const VolumeSection&, const Domain&,
                                    Wavefield<double>&);

}  // namespace groundswell::quake
