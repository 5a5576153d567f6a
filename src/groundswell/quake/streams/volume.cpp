#include <utility>
#include <vector>

#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/field_stream.hpp"
#include "groundswell/quake/streams/volume_mesh.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

class VolumeRecords : public FieldRecords {
public:
    VolumeRecords(const VolumeSection& section, int order, std::shared_ptr<const VolumeMesh> mesh)
        : FieldRecords(section.every, section.fields.size(), mesh->cells() * mesh->parts().size()),
          mesh_(std::move(mesh)) {
        for (const std::string& name : section.fields) quantities_.push_back(field_index(name));
        for (const Point3& part : mesh_->parts()) {
            for (const auto& phi : tetrahedron_basis(order, part)) basis_.push_back(phi.value);
        }
    }

    void see(std::int64_t record, std::int32_t cell, std::span<const double> state) {
        const std::int32_t number = mesh_->number_of(cell);
        if (number < 0) return;
        const std::size_t parts = mesh_->parts().size(), functions = basis_.size() / parts;
        for (std::size_t f = 0; f < quantities_.size(); ++f) {
            for (std::size_t part = 0; part < parts; ++part) {
                const double* const basis = basis_.data() + part * functions;
                double sum = 0.0;
                for (std::size_t k = 0; k < functions; ++k) sum += basis[k] * state[9 * k + quantities_[f]];
                put(record, static_cast<std::size_t>(number) * parts + part, f, sum);
            }
        }
    }

private:
    std::shared_ptr<const VolumeMesh> mesh_;
    std::vector<int> quantities_;
    std::vector<double> basis_;  // [part][function]
};

output::Schema schema_of(const Case& run, const VolumeSection& section, const VolumeMesh& mesh) {
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}};
    mesh.add_to(schema, run);
    schema.variables.push_back(simulation::time_variable(run.time));
    for (const std::string& name : section.fields) {
        auto variable = simulation::field_variable(field_names[field_index(name)], {"time", "nVolume"});
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
RecordedStream make_volume(MPI_Comm comm, const Case& run, const VolumeSection& section, const Domain& domain,
                           Wavefield<Real>& field) {
    const auto mesh = std::make_shared<const VolumeMesh>(comm, run, section, domain.mesh);
    const auto records = std::make_shared<VolumeRecords>(section, run.solver.order, mesh);
    field.add_observer(
        {[records](double from, double to, std::vector<Moment>& moments) {
             records->add_moments(from, to, moments);
         },
         [records, &field](std::int32_t element, std::int64_t record, std::span<const double> state) {
             records->see(record, field.cell_of(element), state);
         }});
    FieldStream::Cells cells{
        mesh->rows(), [mesh, &run](output::Dataset& file) { mesh->write(file, run); },
        XdmfParts{"ground", {}, xdmf_tetrahedra, mesh->rows().rows(), mesh->nodes().rows(), {}}};
    return {std::make_unique<FieldStream>(section, schema_of(run, section, *mesh), std::move(cells), records),
            records};
}

template RecordedStream make_volume(MPI_Comm, const Case&, const VolumeSection&, const Domain&,
                                    Wavefield<float>&);
template RecordedStream make_volume(MPI_Comm, const Case&, const VolumeSection&, const Domain&,
                                    Wavefield<double>&);

}  // namespace groundswell::quake
