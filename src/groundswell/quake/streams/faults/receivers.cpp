#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/fault/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/faults/streams.hpp"
#include "groundswell/quake/streams/field_stream.hpp"
#include "groundswell/quake/values/places.hpp"
#include "groundswell/simulation/cf.hpp"
#include "groundswell/simulation/stations.hpp"

namespace groundswell::quake {

namespace {

// A place may be off the fault by so much of the longest edge of its face: that of coordinates in a file with few digits.
constexpr double tolerated = 1e-3;

// How far a place is from a face, m, and which of its places is nearest.
struct Nearest {
    double distance = 0.0;
    Point2 place{};
};

using tetra::dot, tetra::operator-;

// In the plane of the face, or else on its edges.
Nearest nearest_in(const std::array<tetra::Point, 3>& corner, const tetra::Point& at) {
    const tetra::Point u = corner[1] - corner[0], v = corner[2] - corner[0], w = at - corner[0];
    const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), wu = dot(w, u), wv = dot(w, v);
    const double whole = uu * vv - uv * uv;
    std::vector<Point2> candidates;
    const double chi = (vv * wu - uv * wv) / whole, tau = (uu * wv - uv * wu) / whole;
    if (chi >= 0.0 && tau >= 0.0 && chi + tau <= 1.0) candidates.push_back({chi, tau});
    candidates.push_back({std::clamp(wu / uu, 0.0, 1.0), 0.0});
    candidates.push_back({0.0, std::clamp(wv / vv, 0.0, 1.0)});
    const tetra::Point edge = corner[2] - corner[1];
    const double along = std::clamp(dot(at - corner[1], edge) / dot(edge, edge), 0.0, 1.0);
    candidates.push_back({1.0 - along, along});
    Nearest best{std::numeric_limits<double>::infinity(), {}};
    for (const Point2& place : candidates) {
        tetra::Point off = w;
        for (int i = 0; i < 3; ++i) off[i] -= u[i] * place[0] + v[i] * place[1];
        const double distance = std::sqrt(dot(off, off));
        if (distance < best.distance) best = {distance, place};
    }
    return best;
}

class FaultSeismograms : public FieldRecords {
public:
    explicit FaultSeismograms(const FaultReceiversSection& section)
        : FieldRecords(section.every, section.fields.size(), 0) {
        for (const std::string& name : section.fields) fields_.push_back(&find_fault_field(name));
    }
    void see(std::size_t receiver, std::int64_t record, const FaultSample& sample) {
        for (std::size_t f = 0; f < fields_.size(); ++f) put(record, receiver, f, fields_[f]->value(sample));
    }

private:
    std::vector<const FaultField*> fields_;
};

output::Schema schema_of(const ProjectedCase& run, const FaultReceiversSection& section,
                         std::string_view law) {
    using output::Type;
    output::Schema schema;
    simulation::add_stations(schema, run.time, section.places.at.size());
    add_places(schema, "", "station", "place on the fault");
    add_degrees(schema, run, "station", "the place");
    for (const std::string& name : section.fields) {
        const FaultField& field = find_fault_field(name);
        output::Variable variable = simulation::field_variable(field.names_under(law), {"time", "station"});
        if (field.of_point_at_place)
            variable.attributes.emplace_back("comment", "of the nearest point at which friction is computed");
        if (field.of_face)
            variable.attributes.emplace_back("comment",
                                             "of the whole face, by the plane nearest to its rupture times");
        variable.attributes.emplace_back("coordinates", "x y z station_name");
        schema.variables.push_back(std::move(variable));
    }
    schema.attributes =
        global_attributes(run, "Slip of faults", "What faults of an earthquake model do at places");
    schema.attributes.emplace_back("featureType", "timeSeries");
    return schema;
}

}  // namespace

RecordedStream make_fault_receivers(MPI_Comm comm, const ProjectedCase& run,
                                    const FaultReceiversSection& section, const FaultInput& input,
                                    const SavedFault& saved, Fault& fault) {
    const auto seismograms = std::make_shared<FaultSeismograms>(section);
    std::vector<std::int64_t> rows;
    Strays strays;
    for (std::size_t s = 0; s < section.places.at.size(); ++s) {
        Nearest best{std::numeric_limits<double>::infinity(), {}};
        std::int32_t face = -1;
        for (const std::int32_t f : saved.faces()) {
            const Nearest found = nearest_in(fault.places()[f].corner, section.places.at[s]);
            if (found.distance < best.distance) {
                best = found;
                face = f;
            }
        }
        const double distance = parallel::min(comm, best.distance);
        // Where several faces are equally near, on an edge, the one of the lowest id counts.
        std::int64_t id = std::numeric_limits<std::int64_t>::max();
        double edge = 0.0;
        if (face >= 0 && best.distance == distance) {
            id = fault.places()[face].id;
            edge = std::sqrt(2.0 * fault.places()[face].area);
        }
        id = parallel::min(comm, id);
        edge = parallel::max(comm, edge);
        if (!(distance <= tolerated * edge))
            strays.add(section.places.names[s], section.places.at[s],
                       fmt::format("nearest fault {:.4g} m away", distance));
        if (face < 0 || fault.places()[face].id != id) continue;
        const std::size_t receiver = seismograms->add_row();
        rows.push_back(static_cast<std::int64_t>(s));
        FaultProbe probe;
        probe.face = face;
        probe.place = best.place;
        probe.moments = moments_of(seismograms);
        probe.see = [seismograms, receiver](std::int64_t record, const FaultGlimpse& glimpse) {
            seismograms->see(receiver, record, glimpse);
        };
        fault.add_probe(std::move(probe), input.at(fault.places()[face].spot(section.places.at[s])));
    }
    strays.refuse(comm, run.file, "output.fault_receivers[].at", section.places.at.size(),
                  "places on faults");
    const auto rows_of_all = std::make_shared<const output::Decomposition>(
        comm, static_cast<std::int64_t>(section.places.at.size()), rows);
    auto write = [rows_of_all, &run, &section](output::Dataset& file) {
        write_receivers(file, run, section.places.names, section.places.at);
    };
    return {std::make_unique<FieldStream>(section, schema_of(run, section, fault.law().name),
                                          FieldStream::Cells{*rows_of_all, std::move(write)}, seismograms),
            seismograms};
}

}  // namespace groundswell::quake
