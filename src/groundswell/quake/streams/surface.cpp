#include <optional>
#include <utility>
#include <vector>

#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/recorder.hpp"
#include "groundswell/quake/streams/surface_mesh.hpp"
#include "groundswell/quake/streams/xdmf.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

/// By field, [record][triangle of this rank].
class SurfaceRecords : public Recorder {
public:
    SurfaceRecords(const SurfaceSection& section, std::size_t triangles, std::shared_ptr<Peaks> peaks)
        : Recorder(section.every), triangles_(triangles), peaks_(std::move(peaks)) {
        for (const std::string& name : section.fields)
            fields_.push_back({peaks_->column(name), field_index(name)});
        values.resize(fields_.size());
    }

    bool wants_step(double from, double to) const { return wants(from, to) || peaks_->wants(from, to); }
    void see(std::size_t triangle, const Glimpse& glimpse) {
        auto walk = peaks_->enter(triangle, glimpse);
        each(glimpse.from, glimpse.to, [&](std::int64_t record, double time) {
            peaks_->go_to(walk, time);
            const std::size_t at = static_cast<std::size_t>(record) * triangles_ + triangle;
            for (std::size_t f = 0; f < fields_.size(); ++f)
                values[f][at] =
                    fields_[f].peak
                        ? peaks_->value(triangle, *fields_[f].peak)
                        : static_cast<float>(glimpse.value(fields_[f].quantity, time - glimpse.from));
        });
        peaks_->leave(walk);
    }

    std::vector<std::vector<float>> values;

private:
    struct Of {
        std::optional<std::size_t> peak;
        int quantity;  // where it is no peak
    };
    void clear() override {
        for (auto& field : values) field.assign(static_cast<std::size_t>(count()) * triangles_, 0.0F);
    }
    std::size_t triangles_;
    std::shared_ptr<Peaks> peaks_;
    std::vector<Of> fields_;
};

output::Variable variable_of(const std::string& name, const Peaks& peaks) {
    const std::vector<std::string> dimensions{"time", "nFace"};
    const auto peak = peaks.column(name);
    output::Variable variable = peak ? peaks.variable(*peak, dimensions)
                                     : simulation::field_variable(field_names[field_index(name)], dimensions);
    variable.attributes.emplace_back("mesh", "mesh");
    variable.attributes.emplace_back("location", "face");
    variable.attributes.emplace_back("coordinates", "mesh_face_x mesh_face_y");
    return variable;
}

output::Schema schema_of(const Case& run, const SurfaceSection& section, const SurfaceMesh& mesh,
                         const Peaks& peaks) {
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}};
    mesh.add_to(schema, run);
    schema.variables.push_back(simulation::time_variable(run.time));
    for (const std::string& name : section.fields) schema.variables.push_back(variable_of(name, peaks));
    schema.attributes = global_attributes(
        run, "Wave field at the surface",
        "Wave field of an earthquake model at the free surface, at the centres of its triangles",
        "CF-1.11 UGRID-1.0 ACDD-1.3");
    return schema;
}

class Surface : public simulation::Stream {
public:
    Surface(const Case& run, const SurfaceSection& section, std::shared_ptr<const SurfaceMesh> mesh,
            const Peaks& peaks, std::shared_ptr<SurfaceRecords> records)
        : Stream(section.file, section.every, schema_of(run, section, *mesh, peaks)),
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
    std::string companion(std::span<const double> times) const override {
        return xdmf_of({"surface", file(), xdmf_triangles, mesh_->rows().rows(), 3 * mesh_->rows().rows(),
                        section_.fields},
                       times);
    }

private:
    const Case& run_;
    const SurfaceSection& section_;
    std::shared_ptr<const SurfaceMesh> mesh_;
    std::shared_ptr<SurfaceRecords> records_;
};

}  // namespace

template <class Real>
RecordedStream make_surface(const Case& run, const SurfaceSection& section,
                            std::shared_ptr<const SurfaceMesh> mesh, const std::shared_ptr<Peaks>& peaks,
                            Wavefield<Real>& field) {
    const auto& triangles = mesh->triangles();
    const auto records = std::make_shared<SurfaceRecords>(section, triangles.size(), peaks);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        field.add_probe(triangles[t].cell, triangles[t].reference,
                        {[records, t](const Glimpse& glimpse) { records->see(t, glimpse); },
                         [records](double from, double to) { return records->wants_step(from, to); }});
    return {std::make_unique<Surface>(run, section, std::move(mesh), *peaks, records), records};
}

template RecordedStream make_surface(const Case&, const SurfaceSection&, std::shared_ptr<const SurfaceMesh>,
                                     const std::shared_ptr<Peaks>&, Wavefield<float>&);
template RecordedStream make_surface(const Case&, const SurfaceSection&, std::shared_ptr<const SurfaceMesh>,
                                     const std::shared_ptr<Peaks>&, Wavefield<double>&);

}  // namespace groundswell::quake
