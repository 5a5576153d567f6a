#include <utility>
#include <vector>

#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/recorder.hpp"
#include "groundswell/quake/streams/surface_mesh.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

/// By field, [record][triangle of this rank].
class SurfaceRecords : public Recorder {
public:
    SurfaceRecords(const SurfaceSection& section, std::size_t triangles)
        : Recorder(section.every), triangles_(static_cast<std::int64_t>(triangles)) {
        for (const std::string& name : section.fields) quantities_.push_back(field_index(name));
        values.resize(quantities_.size());
    }

    void see(std::int64_t triangle, const Glimpse& glimpse) {
        each(glimpse.from, glimpse.to, [&](std::int64_t record, double time) {
            for (std::size_t f = 0; f < quantities_.size(); ++f)
                values[f][record * triangles_ + triangle] =
                    static_cast<float>(glimpse.value(quantities_[f], time - glimpse.from));
        });
    }

    std::vector<std::vector<float>> values;

private:
    void clear() override {
        for (auto& field : values) field.assign(count() * triangles_, 0.0F);
    }
    std::int64_t triangles_;
    std::vector<int> quantities_;
};

output::Schema schema_of(const Case& run, const SurfaceSection& section, const SurfaceMesh& mesh) {
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}};
    mesh.add_to(schema, run);
    schema.variables.push_back(simulation::time_variable(run.time));
    for (const std::string& name : section.fields) {
        output::Variable variable =
            simulation::field_variable(field_names[field_index(name)], {"time", "nFace"});
        variable.attributes.emplace_back("mesh", "mesh");
        variable.attributes.emplace_back("location", "face");
        variable.attributes.emplace_back("coordinates", "mesh_face_x mesh_face_y");
        schema.variables.push_back(std::move(variable));
    }
    schema.attributes = global_attributes(
        run, "Wave field at the surface",
        "Wave field of an earthquake model at the free surface, at the centres of its triangles",
        "CF-1.11 UGRID-1.0 ACDD-1.3");
    return schema;
}

class Surface : public simulation::Stream {
public:
    Surface(const Case& run, const SurfaceSection& section, std::unique_ptr<SurfaceMesh> mesh,
            std::shared_ptr<SurfaceRecords> records)
        : Stream(section.file, section.every, schema_of(run, section, *mesh)),
          run_(run),
          section_(section),
          mesh_(std::move(mesh)),
          records_(std::move(records)) {}

    void write_fixed(output::Dataset& file) override { mesh_->write(file, run_); }
    std::int64_t record_bytes() const override {
        return static_cast<std::int64_t>(mesh_->triangles().size() * section_.fields.size() * sizeof(float));
    }
    std::vector<output::Values> record() override {
        std::vector<output::Values> record;
        for (std::size_t f = 0; f < section_.fields.size(); ++f)
            record.push_back(
                output::distributed<float>(section_.fields[f], mesh_->rows(), records_->values[f]));
        return record;
    }

private:
    const Case& run_;
    const SurfaceSection& section_;
    std::unique_ptr<SurfaceMesh> mesh_;
    std::shared_ptr<SurfaceRecords> records_;
};

}  // namespace

template <class Real>
RecordedStream make_surface(MPI_Comm comm, const Case& run, const SurfaceSection& section,
                            const Domain& domain, Wavefield<Real>& field) {
    auto mesh = std::make_unique<SurfaceMesh>(comm, run, section, domain.mesh);
    const auto records = std::make_shared<SurfaceRecords>(section, mesh->triangles().size());
    for (std::size_t t = 0; t < mesh->triangles().size(); ++t) {
        const auto& triangle = mesh->triangles()[t];
        field.add_probe(
            triangle.cell, triangle.reference,
            {[records, t](const Glimpse& glimpse) { records->see(static_cast<std::int64_t>(t), glimpse); },
             [records](double from, double to) { return records->wants(from, to); }});
    }
    return {std::make_unique<Surface>(run, section, std::move(mesh), records), records};
}

template RecordedStream make_surface(MPI_Comm, const Case&, const SurfaceSection&, const Domain&,
                                     Wavefield<float>&);
template RecordedStream make_surface(MPI_Comm, const Case&, const SurfaceSection&, const Domain&,
                                     Wavefield<double>&);

}  // namespace groundswell::quake
