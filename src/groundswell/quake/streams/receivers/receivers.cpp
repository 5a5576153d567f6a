#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "groundswell/base/log.hpp"
#include "groundswell/mesh/tetra/locate.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/fields.hpp"
#include "groundswell/quake/streams/about.hpp"
#include "groundswell/quake/streams/field_stream.hpp"
#include "groundswell/quake/values/places.hpp"
#include "groundswell/simulation/cf.hpp"
#include "groundswell/simulation/stations.hpp"

namespace groundswell::quake {

namespace {

// Side of a fault whose motion a place has.
enum class FaultSide { none, plus, minus };

// A share of a cell's own length, as in locate().
constexpr double rounding = 1e-9;

// A face of a fault, as the cell on its + side has it.
struct PlusFace {
    double id;  // of the cell
    tetra::Point normal;
    tetra::Geometry geometry;
    tetra::Point origin;
    int opposite;  // corner of the cell

    bool holds(const tetra::Point& place) const {
        std::array<double, 4> share{1.0, 0.0, 0.0, 0.0};
        for (int d = 0; d < 3; ++d) {
            for (int j = 0; j < 3; ++j) share[d + 1] += geometry.gradient[d][j] * (place[j] - origin[j]);
            share[0] -= share[d + 1];
        }
        return std::abs(share[opposite]) <= rounding && std::ranges::min(share) >= -rounding;
    }
};

std::vector<PlusFace> plus_faces(const tetra::LocalMesh& mesh) {
    std::vector<PlusFace> faces;
    for (std::int32_t c = 0; c < mesh.owned; ++c) {
        const tetra::Tetrahedron& cell = mesh.cell[c];
        for (int f = 0; f < 4; ++f) {
            if (!tetra::is_fault(cell.boundary[f]) || !cell.is_plus(f)) continue;
            const tetra::Geometry geometry = tetra::geometry_of(cell.place);
            faces.push_back(
                {static_cast<double>(mesh.id[c]), geometry.normal[f], geometry, cell.place[0], 3 - f});
        }
    }
    return faces;
}

// The side on a fault for each place that lies on one, where the ground moves in two ways: that of the cell that locate() has
// `found`; none for all others. Every rank passes the same places. Collective.
std::vector<FaultSide> sides_of_places(MPI_Comm comm, const tetra::LocalMesh& mesh,
                                       std::span<const tetra::Point> places,
                                       std::span<const tetra::Located> found) {
    constexpr double least = -std::numeric_limits<double>::infinity();
    const auto faces = plus_faces(mesh);
    std::vector<double> first(places.size(), least);  // less the id, of the first cell with a face there
    std::vector<const PlusFace*> face(places.size(), nullptr);
    for (std::size_t p = 0; p < places.size(); ++p) {
        for (const PlusFace& one : faces) {
            if (-one.id <= first[p] || !one.holds(places[p])) continue;
            first[p] = -one.id;
            face[p] = &one;
        }
    }
    const std::vector<double> of_all = parallel::max(comm, first);
    std::vector<double> normal(3 * places.size(), least);
    for (std::size_t p = 0; p < places.size(); ++p) {
        if (face[p] && first[p] == of_all[p]) std::ranges::copy(face[p]->normal, normal.begin() + 3 * p);
    }
    normal = parallel::max(comm, normal);
    std::vector<double> side(places.size(), 0.0);
    for (std::size_t p = 0; p < places.size(); ++p) {
        if (found[p].cell < 0 || of_all[p] == least) continue;
        const tetra::Point across{normal[3 * p], normal[3 * p + 1], normal[3 * p + 2]};
        const tetra::Point to_centre =
            tetra::operator-(tetra::centre_of(mesh.cell[found[p].cell]), places[p]);
        side[p] = tetra::dot(to_centre, across) < 0.0 ? 1.0 : 2.0;
    }
    side = parallel::max(comm, side);
    std::vector<FaultSide> sides;
    for (const double one : side)
        sides.push_back(one == 0.0 ? FaultSide::none : one == 1.0 ? FaultSide::plus : FaultSide::minus);
    return sides;
}

// Records of this rank's receivers.
class Seismograms : public FieldRecords {
public:
    explicit Seismograms(const ReceiversSection& section)
        : FieldRecords(section.every, section.fields.size(), 0) {
        for (const std::string& name : section.fields) fields.push_back(&find_field(name));
    }
    void see(std::size_t receiver, const Glimpse& glimpse) {
        each(glimpse.from, glimpse.to, [&](std::int64_t record, double time) {
            const Glimpsed sample(glimpse, time - glimpse.from);
            for (std::size_t f = 0; f < fields.size(); ++f)
                put(record, receiver, f, fields[f]->value(sample));
        });
    }

    std::vector<const Field*> fields;
};

output::Schema schema_of(const ProjectedCase& run, const ReceiversSection& section) {
    using output::Type;
    output::Schema schema;
    simulation::add_stations(schema, run.time, section.places.at.size());
    add_places(schema, "", "station", "place of the receiver");
    if (section.to_surface)
        schema.variables.push_back(
            {"z_given",
             Type::float64,
             {"station"},
             {{"long_name", "height that the case gives the receiver, which was moved to the free surface"},
              {"units", "m"}}});
    add_degrees(schema, run, "station", "the receiver");
    for (const std::string& name : section.fields) {
        output::Variable variable = simulation::field_variable(find_field(name).names, {"time", "station"});
        variable.attributes.emplace_back("coordinates", "x y z station_name");
        schema.variables.push_back(std::move(variable));
    }
    schema.attributes = global_attributes(run, "Seismograms", "Seismograms of an earthquake model");
    schema.attributes.emplace_back("featureType", "timeSeries");
    return schema;
}

// Refuses those outside, by the key or the file from which the places came.
void refuse(MPI_Comm comm, const Strays& strays, const ProjectedCase& run, const ReceiversSection& section,
            const std::string& expected) {
    const NamedPlaces& places = section.places;
    const bool is_listed = !places.list.empty();
    strays.refuse(comm, is_listed ? places.list : run.file, is_listed ? "receivers" : "output.receivers[].at",
                  places.at.size(), expected);
}

// Where the receivers are: as given, or at the free surface above or below.
std::vector<tetra::Point> places_of(MPI_Comm comm, const ProjectedCase& run, const ReceiversSection& section,
                                    const Domain& domain) {
    std::vector<tetra::Point> places = section.places.at;
    if (!section.to_surface || places.empty()) return places;
    const auto surface = tetra::find_surface(comm, domain.mesh, places);
    std::size_t farthest = 0;
    const auto moved = [&](std::size_t s) { return places[s][2] - section.places.at[s][2]; };
    Strays strays;
    double farthest_beside = 0.0;
    for (std::size_t s = 0; s < places.size(); ++s) {
        if (!surface[s].there) {
            if (std::isfinite(surface[s].beside))
                farthest_beside = std::max(farthest_beside, surface[s].beside);
            strays.add(section.places.names[s], places[s],
                       std::isinf(surface[s].beside)
                           ? "the mesh has no free surface"
                           : fmt::format("nearest corner {:.4g} m beside", surface[s].beside));
        }
        places[s][2] = surface[s].height - section.places.below[s];
        if (std::abs(moved(s)) > std::abs(moved(farthest))) farthest = s;
    }
    refuse(comm, strays, run, section,
           "places below or above a free surface, to which to_surface = true moves them" +
               domain.explain_distance(farthest_beside));
    if (parallel::rank_of(comm) == 0)
        base::log_info(
            "{}: receivers moved to the free surface, {} the farthest: by {:+.6g} m to z = {:.6g} m",
            section.file, section.places.names[farthest], moved(farthest), places[farthest][2]);
    return places;
}

// On a fault the ground moves in two ways: says which of them a seismogram has.
void tell_sides(MPI_Comm comm, const ReceiversSection& section, std::span<const FaultSide> sides) {
    if (parallel::rank_of(comm) != 0) return;
    for (const auto& [side, word] : {std::pair{FaultSide::plus, "+"}, {FaultSide::minus, "−"}}) {
        std::vector<std::string> names;
        for (std::size_t s = 0; s < sides.size(); ++s)
            if (sides[s] == side) names.push_back(section.places.names[s]);
        if (names.empty()) continue;
        base::log_info(
            "{}: {} on a fault, where {} the motion of the {} side: {}; a place a metre beyond has that of "
            "the other",
            section.file, names.size() == 1 ? "a receiver lies" : "receivers lie",
            names.size() == 1 ? "it records" : "they record", word, fmt::join(names, ", "));
    }
}

}  // namespace

template <class Real>
RecordedStream make_receivers(MPI_Comm comm, const ProjectedCase& run, const ReceiversSection& section,
                              const Domain& domain, Wavefield<Real>& field) {
    auto places = places_of(comm, run, section, domain);
    const auto found = tetra::locate(comm, domain.mesh, places);
    const auto seismograms = std::make_shared<Seismograms>(section);
    std::vector<std::int64_t> rows;
    Strays strays;
    double farthest = 0.0;
    bool is_above = false;  // as stations at their elevation are over flat ground
    for (std::size_t s = 0; s < found.size(); ++s)
        if (found[s].id < 0) {
            is_above = is_above || section.places.at[s][2] > domain.ranges.high[2];
            farthest = std::max(farthest, found[s].outside);
            strays.add(section.places.names[s], section.places.at[s],
                       fmt::format("nearest corner {:.4g} m away", found[s].outside));
        }
    refuse(comm, strays, run, section,
           "places within the mesh, " + domain.ranges.extent() + domain.explain_distance(farthest) +
               (is_above ? "; to_surface = true moves those above it down to the free surface" : ""));
    if (field.fault() != nullptr)
        tell_sides(comm, section, sides_of_places(comm, domain.mesh, places, found));
    for (std::size_t s = 0; s < found.size(); ++s) {
        if (found[s].cell < 0) continue;
        const std::size_t receiver = seismograms->add_row();
        rows.push_back(static_cast<std::int64_t>(s));
        field.add_probe(
            found[s].cell, found[s].reference,
            {[seismograms, receiver](const Glimpse& glimpse) { seismograms->see(receiver, glimpse); },
             [seismograms](double from, double to) { return seismograms->wants(from, to); },
             gradient_for(seismograms->fields, domain.mesh.cell[found[s].cell])});
    }
    const auto rows_of_all =
        std::make_shared<const output::Decomposition>(comm, static_cast<std::int64_t>(found.size()), rows);
    auto write = [rows_of_all, &run, &section, places = std::move(places)](output::Dataset& file) {
        write_receivers(file, run, section.places.names, places);
        if (section.to_surface)
            file.write_fixed(output::replicated<double>("z_given", along(section.places.at, 2)));
    };
    return {std::make_unique<FieldStream>(section, schema_of(run, section),
                                          FieldStream::Cells{*rows_of_all, std::move(write)}, seismograms),
            seismograms};
}

template RecordedStream make_receivers(MPI_Comm, const ProjectedCase&, const ReceiversSection&, const Domain&,
                                       Wavefield<float>&);
template RecordedStream make_receivers(MPI_Comm, const ProjectedCase&, const ReceiversSection&, const Domain&,
                                       Wavefield<double>&);

}  // namespace groundswell::quake
