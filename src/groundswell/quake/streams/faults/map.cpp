
#include <algorithm>
#include <utility>
#include <vector>

#include "groundswell/quake/fault/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/faults/streams.hpp"
#include "groundswell/quake/streams/field_stream.hpp"
#include "groundswell/quake/streams/surface_mesh.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

class FaultRecords : public FieldRecords {
public:
    FaultRecords(const FaultMapSection& section, std::size_t triangles)
        : FieldRecords(section.every, section.fields.size(), triangles) {
        for (const std::string& name : section.fields) fields.push_back(&find_fault_field(name));
    }

    std::vector<const FaultField*> fields;
};

// Where a triangle takes its values from.
struct Place {
    std::size_t triangle;
    std::vector<double> weight;  // of the face's points, in the projection onto polynomials
    std::vector<double> basis;   // the polynomials there
    int nearest;                 // point
};

// A face at a place and time, by the state at its points.
class PlaceOfFace final : public FaultSample {
public:
    PlaceOfFace(const Fault& fault, std::int32_t face, const FaultMoment& now, std::span<const double> state,
                const Place& place)
        : fault_(fault), face_(face), now_(now), state_(state), place_(place) {}

    double rate(int direction) const override { return between(direction == 0 ? rate_strike : rate_dip); }
    double slip(int direction) const override { return between(direction == 0 ? slip_strike : slip_dip); }
    double slip_path() const override { return between(quake::slip_path); }
    double traction(int component) const override {
        return projected([&](int p) {
            return at(normal_change + component, p) + fault_.acting(face_, component, p, now_.time);
        });
    }
    double traction_change(int component) const override { return between(normal_change + component); }
    double normal_velocity() const override {
        return fault_.normal_velocity(face_, place_.basis, now_.passed);
    }
    double peak_rate() const override { return at(quake::peak_rate, place_.nearest); }
    double rupture_time() const override { return at(quake::rupture_time, place_.nearest); }
    double weakening_time() const override { return at(quake::weakening_time, place_.nearest); }
    double friction() const override { return between(quake::friction); }
    double strength() const override {
        // Where it jumps from point to point the polynomials through them overshoot, and may even be negative.
        double least = fault_.strength(face_, 0, now_.time, state_), most = least;
        const double sum = projected([&](int p) {
            const double one = fault_.strength(face_, p, now_.time, state_);
            least = std::min(least, one);
            most = std::max(most, one);
            return one;
        });
        return std::clamp(sum, least, most);
    }
    double warming() const override { return at(quake::warming, place_.nearest); }
    double pore_pressure() const override { return at(quake::pore_pressure, place_.nearest); }
    double state() const override { return between(fault_states); }
    double front_speed() const override { return fault_.front_speed(face_, state_); }

private:
    int points() const { return fault_.rule().points(); }
    double at(int which, int p) const { return state_[which * points() + p]; }
    template <class Value>
    double projected(const Value& value) const {
        double sum = 0.0;
        for (int p = 0; p < points(); ++p) sum += place_.weight[p] * value(p);
        return sum;
    }
    double between(int which) const {
        return projected([&](int p) { return at(which, p); });
    }

    const Fault& fault_;
    std::int32_t face_;
    const FaultMoment& now_;
    std::span<const double> state_;
    const Place& place_;
};

output::Variable variable_of(const FaultField& field, std::string_view law) {
    output::Variable variable = simulation::field_variable(field.names_under(law), {"time", "nFace"});
    if (field.of_point)
        variable.attributes.emplace_back("comment", "of the nearest point at which friction is computed");
    if (field.of_face)
        variable.attributes.emplace_back("comment",
                                         "of the whole face, by the plane nearest to its rupture times");
    place_on_mesh(variable, "face");
    return variable;
}

constexpr std::array directions{std::pair{"fault_normal", "direction from the + to the - side"},
                                std::pair{"fault_strike", "direction of strike"},
                                std::pair{"fault_dip", "direction of dip, downwards"}};

output::Schema schema_of(const ProjectedCase& run, const FaultRecords& records, const SurfaceMesh& mesh,
                         std::string_view law) {
    output::Schema schema;
    schema.dimensions = {{"time", 0, true}};
    mesh.add_to(schema, run);
    schema.dimensions.push_back({"axis", 3, false});
    for (const auto& [name, meaning] : directions)
        schema.variables.push_back(
            {name,
             output::Type::float64,
             {"nFace", "axis"},
             {{"long_name", meaning}, {"units", "1"}, {"mesh", "mesh"}, {"location", "face"}}});
    schema.variables.push_back(
        {"fault_tag",
         output::Type::int32,
         {"nFace"},
         {{"long_name", "number that the mesh gives the fault"}, {"mesh", "mesh"}, {"location", "face"}}});
    schema.variables.push_back(simulation::time_variable(run.time));
    for (const FaultField* field : records.fields) schema.variables.push_back(variable_of(*field, law));
    schema.attributes = global_attributes(
        run, "Rupture of faults", "What the faults of an earthquake model do, at the centres of triangles",
        "CF-1.11 UGRID-1.0 ACDD-1.3");
    return schema;
}

void write_frames(output::Dataset& file, const SurfaceMesh& mesh, const std::vector<FaultFrame>& frames,
                  const std::vector<std::int32_t>& tags) {
    std::vector<std::int32_t> tag;
    for (const auto& triangle : mesh.triangles()) tag.push_back(tags[triangle.face]);
    file.write_fixed(output::distributed<std::int32_t>("fault_tag", mesh.rows(), tag));
    for (std::size_t d = 0; d < directions.size(); ++d) {
        std::vector<double> values;
        for (const auto& triangle : mesh.triangles()) {
            const FaultFrame& frame = frames[triangle.face];
            const auto& axis = d == 0 ? frame.normal : d == 1 ? frame.strike : frame.dip;
            values.insert(values.end(), axis.begin(), axis.end());
        }
        file.write_fixed(output::distributed<double>(directions[d].first, mesh.rows(), values));
    }
}

}  // namespace

RecordedStream make_fault_map(MPI_Comm comm, const ProjectedCase& run, const FaultMapSection& section,
                              const Domain& domain, const SavedFault& saved, Fault& fault) {
    std::vector<SurfaceMesh::Face> faces;
    std::vector<FaultFrame> frames;
    std::vector<std::int32_t> tags;
    for (const std::int32_t f : saved.faces()) {
        const FaultPlace& place = fault.places()[f];
        faces.push_back({place.cell[0], place.face[0]});
        frames.push_back(place.frame);
        tags.push_back(place.tag);
    }
    auto mesh = std::make_shared<const SurfaceMesh>(
        comm, run, domain.mesh, faces,
        SurfaceMesh::About{"output.fault[]", section.file, "the faults", section.refine});
    const auto& triangles = mesh->triangles();
    const auto records = std::make_shared<FaultRecords>(section, triangles.size());
    const FaultRule& rule = fault.rule();
    auto places = std::make_shared<std::vector<std::vector<Place>>>(fault.places().size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const std::int32_t f = saved.faces()[triangles[t].face];
        const Point2 at = fault.places()[f].in_corners(triangles[t].in_face);
        Place place{t, std::vector<double>(rule.place.size()), {}, fault.nearest_point(f, at)};
        const auto psi = triangle_basis(rule.order, at);
        for (const auto& function : psi) place.basis.push_back(function.value);
        for (std::size_t p = 0; p < rule.place.size(); ++p) {
            for (int m = 0; m < rule.basis; ++m)
                place.weight[p] += psi[m].value * rule.onto[m * rule.place.size() + p];
        }
        (*places)[f].push_back(std::move(place));
    }
    fault.add_observer(
        {moments_of(records), [records, places, &fault](std::int32_t face, const FaultMoment& moment,
                                                        std::span<const double> state) {
             for (const Place& place : (*places)[face]) {
                 const PlaceOfFace sample(fault, face, moment, state, place);
                 for (std::size_t i = 0; i < records->fields.size(); ++i)
                     records->put(moment.number, place.triangle, i, records->fields[i]->value(sample));
             }
         }});
    FieldStream::Cells cells = cells_of(mesh, "fault", run);
    cells.write = [mesh, &run, frames = std::move(frames), tags = std::move(tags)](output::Dataset& file) {
        mesh->write(file, run);
        write_frames(file, *mesh, frames, tags);
    };
    return {std::make_unique<FieldStream>(section, schema_of(run, *records, *mesh, fault.law().name),
                                          std::move(cells), records),
            records};
}

}  // namespace groundswell::quake
