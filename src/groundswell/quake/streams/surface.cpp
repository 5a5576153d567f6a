#include <utility>
#include <vector>

#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/field_stream.hpp"
#include "groundswell/quake/streams/surface_mesh.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

class SurfaceRecords : public FieldRecords {
public:
    SurfaceRecords(const SurfaceSection& section, std::size_t triangles, std::shared_ptr<Peaks> peaks)
        : FieldRecords(section.every, section.fields.size(), triangles), peaks_(std::move(peaks)) {
        for (const std::string& name : section.fields)
            if (const auto peak = peaks_->column(name))
                fields_.push_back({*peak, nullptr});
            else
                fields_.push_back({0, &find_field(name)});
    }

    bool wants_step(double from, double to) const { return wants(from, to) || peaks_->wants(from, to); }
    void see(std::size_t triangle, const Glimpse& glimpse) {
        auto walk = peaks_->enter(triangle, glimpse);
        each(glimpse.from, glimpse.to, [&](std::int64_t record, double time) {
            peaks_->go_to(walk, time);
            const Glimpsed sample(glimpse, time - glimpse.from);
            for (std::size_t f = 0; f < fields_.size(); ++f) {
                const Field* const field = fields_[f].field;
                put(record, triangle, f,
                    field != nullptr ? field->value(sample) : peaks_->value(triangle, fields_[f].peak));
            }
        });
        peaks_->leave(walk);
    }

    /// Probe::gradient in a cell.
    decltype(Probe::gradient) gradient(const tetra::Tetrahedron& cell) const {
        std::vector<const Field*> fields;
        for (const Of& of : fields_) fields.push_back(of.field);
        return gradient_for(fields, cell);
    }

private:
    struct Of {
        std::size_t peak;
        const Field* field;  // null: it is a peak
    };
    std::shared_ptr<Peaks> peaks_;
    std::vector<Of> fields_;
};

output::Variable variable_of(const std::string& name, const Peaks& peaks) {
    const std::vector<std::string> dimensions{"time", "nFace"};
    const auto peak = peaks.column(name);
    output::Variable variable = peak ? peaks.variable(*peak, dimensions)
                                     : simulation::field_variable(find_field(name).names, dimensions);
    place_on_mesh(variable, "face");
    return variable;
}

output::Schema schema_of(const ProjectedCase& run, const SurfaceSection& section, const SurfaceMesh& mesh,
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

}  // namespace

template <class Real>
RecordedStream make_surface(const ProjectedCase& run, const SurfaceSection& section,
                            std::shared_ptr<const SurfaceMesh> mesh, const std::shared_ptr<Peaks>& peaks,
                            const Domain& domain, Wavefield<Real>& field) {
    const auto& triangles = mesh->triangles();
    const auto records = std::make_shared<SurfaceRecords>(section, triangles.size(), peaks);
    const SeaSurface& sea = field.sea();
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        std::vector<double> basis;
        const std::int32_t face = sea.face_of(triangles[t].cell);
        if (face >= 0)
            for (const auto& psi : triangle_basis(field.elements().layout().order, triangles[t].in_face))
                basis.push_back(psi.value);
        const auto see = [records, t, face, &sea, basis](const Glimpse& glimpse) {
            if (face < 0) return records->see(t, glimpse);
            const std::vector<double> series = sea.series(face, basis);
            Glimpse with = glimpse;
            with.sea = series;
            records->see(t, with);
        };
        field.add_probe(triangles[t].cell, triangles[t].reference,
                        {see, [records](double from, double to) { return records->wants_step(from, to); },
                         records->gradient(domain.mesh.cell[triangles[t].cell])});
    }
    return {std::make_unique<FieldStream>(section, schema_of(run, section, *mesh, *peaks),
                                          cells_of(mesh, "surface", run), records),
            records};
}

template RecordedStream make_surface(const ProjectedCase&, const SurfaceSection&,
                                     std::shared_ptr<const SurfaceMesh>, const std::shared_ptr<Peaks>&,
                                     const Domain&, Wavefield<float>&);
template RecordedStream make_surface(const ProjectedCase&, const SurfaceSection&,
                                     std::shared_ptr<const SurfaceMesh>, const std::shared_ptr<Peaks>&,
                                     const Domain&, Wavefield<double>&);

}  // namespace groundswell::quake
