#include <utility>
#include <vector>

#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/recorder.hpp"
#include "groundswell/quake/streams/volume_mesh.hpp"
#include "groundswell/quake/streams/xdmf.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

/// By field, [record][tetrahedron of this rank].
class VolumeRecords : public Recorder {
public:
    VolumeRecords(const VolumeSection& section, int order, std::shared_ptr<const VolumeMesh> mesh)
        : Recorder(section.every), mesh_(std::move(mesh)) {
        for (const std::string& name : section.fields) quantities_.push_back(field_index(name));
        for (const Point3& part : mesh_->parts()) {
            for (const auto& phi : tetrahedron_basis(order, part)) basis_.push_back(phi.value);
        }
        values.resize(section.fields.size());
    }

    void see(std::int64_t record, std::int32_t cell, std::span<const double> state) {
        const std::int32_t number = mesh_->number_of(cell);
        if (number < 0) return;
        const std::size_t parts = mesh_->parts().size(), functions = basis_.size() / parts;
        const std::size_t first = (static_cast<std::size_t>(record) * mesh_->cells() + number) * parts;
        for (std::size_t f = 0; f < quantities_.size(); ++f) {
            for (std::size_t part = 0; part < parts; ++part) {
                const double* const basis = basis_.data() + part * functions;
                double sum = 0.0;
                for (std::size_t k = 0; k < functions; ++k) sum += basis[k] * state[9 * k + quantities_[f]];
                values[f][first + part] = static_cast<float>(sum);
            }
        }
    }

    std::vector<std::vector<float>> values;

private:
    void clear() override {
        for (auto& field : values)
            field.assign(static_cast<std::size_t>(count()) * mesh_->cells() * mesh_->parts().size(), 0.0F);
    }
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
        variable.attributes.emplace_back("mesh", "mesh");
        variable.attributes.emplace_back("location", "volume");
        variable.attributes.emplace_back("coordinates", "mesh_volume_x mesh_volume_y mesh_volume_z");
        schema.variables.push_back(std::move(variable));
    }
    schema.attributes =
        global_attributes(run, "Wave field in the ground",
                          "Wave field of an earthquake model in the ground, at the centres of tetrahedra",
                          "CF-1.11 UGRID-1.0 ACDD-1.3");
    return schema;
}

class Volume : public simulation::Stream {
public:
    Volume(const Case& run, const VolumeSection& section, std::shared_ptr<const VolumeMesh> mesh,
           std::shared_ptr<VolumeRecords> records)
        : Stream(section.file, section.every, schema_of(run, section, *mesh)),
          run_(run),
          section_(section),
          mesh_(std::move(mesh)),
          records_(std::move(records)) {}

    void write_fixed(output::Dataset& file) override { mesh_->write(file, run_); }
    std::int64_t record_bytes() const override {
        return static_cast<std::int64_t>(mesh_->cells() * mesh_->parts().size() * section_.fields.size() *
                                         sizeof(float));
    }
    std::vector<output::Values> record() override {
        std::vector<output::Values> record;
        for (std::size_t f = 0; f < section_.fields.size(); ++f)
            record.push_back(
                output::distributed<float>(section_.fields[f], mesh_->rows(), records_->values[f]));
        return record;
    }
    std::string companion(std::span<const double> times) const override {
        return xdmf_of(
            {"ground", file(), xdmf_tetrahedra, mesh_->rows().rows(), mesh_->nodes().rows(), section_.fields},
            times);
    }

private:
    const Case& run_;
    const VolumeSection& section_;
    std::shared_ptr<const VolumeMesh> mesh_;
    std::shared_ptr<VolumeRecords> records_;
};

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
    return {std::make_unique<Volume>(run, section, mesh, records), records};
}

template RecordedStream make_volume(MPI_Comm, const Case&, const VolumeSection&, const Domain&,
                                    Wavefield<float>&);
template RecordedStream make_volume(MPI_Comm, const Case&, const VolumeSection&, const Domain&,
                                    Wavefield<double>&);

}  // namespace groundswell::quake
