#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "groundswell/quake/fault/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/fault_streams.hpp"
#include "groundswell/quake/streams/field_stream.hpp"
#include "groundswell/quake/streams/surface_mesh.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

namespace {

class FaultRecords : public FieldRecords {
public:
    FaultRecords(const FaultMapSection& section, std::size_t triangles)
        : FieldRecords(section.every, section.fields.size(), triangles) {
        for (const std::string& name : section.fields) fields.push_back(fault_field(name));
    }

    std::vector<FaultField> fields;
};

// Where a triangle takes its values from.
struct Place {
    std::size_t triangle;
    std::vector<double> weight;  // of the face's points, in the projection onto polynomials
    int nearest;                 // point
};

// The plane nearest to values at points: weights of the values in its slopes along χ and τ.
class NearestPlane {
public:
    explicit NearestPlane(const Quadrature<Point2>& at) {
        Point2 middle{};
        for (const Point2& point : at.point) {
            for (int i = 0; i < 2; ++i) middle[i] += point[i] / static_cast<double>(at.size());
        }
        double aa = 0.0, ab = 0.0, bb = 0.0;
        for (const Point2& point : at.point) {
            const double a = point[0] - middle[0], b = point[1] - middle[1];
            aa += a * a;
            ab += a * b;
            bb += b * b;
        }
        const double whole = aa * bb - ab * ab;
        for (const Point2& point : at.point) {
            const double a = point[0] - middle[0], b = point[1] - middle[1];
            slope_.push_back({(bb * a - ab * b) / whole, (aa * b - ab * a) / whole});
        }
    }

    // How steep it is on a face with these corners, per m.
    double steepness(std::span<const double> value, const std::array<tetra::Point, 3>& corner) const {
        double along = 0.0, across = 0.0;
        for (std::size_t p = 0; p < slope_.size(); ++p) {
            along += slope_[p][0] * value[p];
            across += slope_[p][1] * value[p];
        }
        double uu = 0.0, uv = 0.0, vv = 0.0;
        for (int i = 0; i < 3; ++i) {
            const double u = corner[1][i] - corner[0][i], v = corner[2][i] - corner[0][i];
            uu += u * u;
            uv += u * v;
            vv += v * v;
        }
        const double square = vv * along * along - 2.0 * uv * along * across + uu * across * across;
        return std::sqrt(std::max(square, 0.0) / (uu * vv - uv * uv));
    }

private:
    std::vector<Point2> slope_;  // [point]
};

// Value of a field on a face at a place and time, from the state at its points.
template <class Real>
double value_of(FaultField field, const Fault<Real>& fault, std::int32_t face, const Place& place,
                const NearestPlane& plane, double now, std::span<const double> state) {
    constexpr auto missing = static_cast<double>(simulation::fill_value);
    const int points = fault.rule().points();
    const auto projected = [&](const auto& at) {
        double sum = 0.0;
        for (int p = 0; p < points; ++p) sum += place.weight[p] * at(p);
        return sum;
    };
    const auto of = [&](int which) { return projected([&](int p) { return state[which * points + p]; }); };
    const auto traction = [&](int which, int component) {
        return projected(
            [&](int p) { return state[which * points + p] + fault.acting(face, component, p, now); });
    };
    switch (field) {
        case FaultField::slip_rate:
            return std::hypot(of(rate_strike), of(rate_dip));
        case FaultField::slip_rate_strike:
            return of(rate_strike);
        case FaultField::slip_rate_dip:
            return of(rate_dip);
        case FaultField::slip:
            return of(slip_path);
        case FaultField::slip_strike:
            return of(slip_strike);
        case FaultField::slip_dip:
            return of(slip_dip);
        case FaultField::normal_stress:
            return traction(normal_change, 0);
        case FaultField::traction_strike:
            return traction(strike_change, 1);
        case FaultField::traction_dip:
            return traction(dip_change, 2);
        case FaultField::peak_slip_rate:
            return state[peak_rate * points + place.nearest];
        case FaultField::rupture_time: {
            const double time = state[rupture_time * points + place.nearest];
            return time < never_ruptured ? time : missing;
        }
        case FaultField::strength: {
            // Where it jumps from point to point the polynomials through them overshoot, and may even be negative.
            double least = fault.strength(face, 0, now, state), most = least;
            const double between = projected([&](int p) {
                const double one = fault.strength(face, p, now, state);
                least = std::min(least, one);
                most = std::max(most, one);
                return one;
            });
            return std::clamp(between, least, most);
        }
        case FaultField::state:
            return of(fault_states);
        case FaultField::rupture_velocity: {
            const auto times = state.subspan(static_cast<std::size_t>(rupture_time * points), points);
            if (!(std::ranges::max(times) < never_ruptured)) return missing;
            const double slowness = plane.steepness(times, fault.places()[face].corner);
            return slowness > 0.0 ? 1.0 / slowness : missing;
        }
        case FaultField::friction:
            break;
    }
    return of(friction);
}

output::Variable variable_of(FaultField field, const std::string& law) {
    output::Variable variable = simulation::field_variable(names_of(field, law), {"time", "nFace"});
    if (field == FaultField::rupture_time || field == FaultField::peak_slip_rate)
        variable.attributes.emplace_back("comment", "of the nearest point at which friction is computed");
    if (field == FaultField::rupture_velocity)
        variable.attributes.emplace_back("comment",
                                         "of the whole face, by the plane nearest to its rupture times");
    place_on_mesh(variable, "face");
    return variable;
}

constexpr std::array directions{std::pair{"fault_normal", "direction from the + to the - side"},
                                std::pair{"fault_strike", "direction of strike"},
                                std::pair{"fault_dip", "direction of dip, downwards"}};

output::Schema schema_of(const Case& run, const FaultRecords& records, const SurfaceMesh& mesh) {
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
    for (const FaultField field : records.fields)
        schema.variables.push_back(variable_of(field, run.fault->law));
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

template <class Real>
RecordedStream make_fault_map(MPI_Comm comm, const Case& run, const FaultMapSection& section,
                              const Domain& domain, const SavedFault& saved, Wavefield<Real>& field) {
    Fault<Real>& fault = *field.fault();
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
        Place place{t, std::vector<double>(rule.place.size()), fault.nearest_point(f, at)};
        const auto psi = triangle_basis(rule.order, at);
        for (std::size_t p = 0; p < rule.place.size(); ++p) {
            for (int m = 0; m < rule.basis; ++m)
                place.weight[p] += psi[m].value * rule.onto[m * rule.place.size() + p];
        }
        (*places)[f].push_back(std::move(place));
    }
    fault.add_observer({[records](double from, double to, std::vector<Moment>& moments) {
                            records->add_moments(from, to, moments);
                        },
                        [records, places, &fault, plane = NearestPlane(rule.place)](
                            std::int32_t face, const Moment& moment, std::span<const double> state) {
                            for (const Place& place : (*places)[face]) {
                                for (std::size_t i = 0; i < records->fields.size(); ++i)
                                    records->put(moment.number, place.triangle, i,
                                                 value_of(records->fields[i], fault, face, place, plane,
                                                          moment.time, state));
                            }
                        }});
    FieldStream::Cells cells = cells_of(mesh, "fault", run);
    cells.write = [mesh, &run, frames = std::move(frames), tags = std::move(tags)](output::Dataset& file) {
        mesh->write(file, run);
        write_frames(file, *mesh, frames, tags);
    };
    return {
        std::make_unique<FieldStream>(section, schema_of(run, *records, *mesh), std::move(cells), records),
        records};
}

template RecordedStream make_fault_map(MPI_Comm, const Case&, const FaultMapSection&, const Domain&,
                                       const SavedFault&, Wavefield<float>&);
template RecordedStream make_fault_map(MPI_Comm, const Case&, const FaultMapSection&, const Domain&,
                                       const SavedFault&, Wavefield<double>&);

}  // namespace groundswell::quake
