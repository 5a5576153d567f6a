#include "groundswell/sea/model_state.hpp"

#include <fmt/format.h>

#include <string>

#include "groundswell/sea/forcing/kinds/kinds.hpp"

namespace groundswell::sea {

namespace {

// The parts of SourceState that are stored, by name.
struct AirVariable {
    const char* name;
    const char* long_name;
    const char* unit;
    Real SourceState::*member;
};
constexpr AirVariable air_variables[] = {
    {"friction_velocity", "friction velocity of the air", "m s-1", &SourceState::friction_velocity},
    {"roughness", "roughness length of the sea", "m", &SourceState::roughness},
    {"charnock", "Charnock coefficient", "1", &SourceState::charnock},
    {"wave_stress_x", "kinematic wave-supported stress towards east", "m2 s-2", &SourceState::wave_stress_x},
    {"wave_stress_y", "kinematic wave-supported stress towards north", "m2 s-2", &SourceState::wave_stress_y},
};
static_assert(sizeof(SourceState) % sizeof(Real) == 0, "each variable of it has a whole stride");

}  // namespace

simulation::State model_state(const Case& run, Model& model, const output::Decomposition& faces) {
    const voronoi::LocalMesh& mesh = model.mesh();
    const SpectralGrid& grid = model.grid();
    simulation::State state;
    state.dimensions = {
        {"nFace", mesh.global_cells, fmt::format("{} sea cells as in {}", mesh.global_cells, run.mesh.file)},
        {"frequency", grid.frequencies, fmt::format("spectrum.frequencies = {}", grid.frequencies)},
        {"direction", grid.directions, fmt::format("spectrum.directions = {}", grid.directions)}};
    const output::Attribute identity("mesh_identity", static_cast<std::int64_t>(mesh.identity));
    state.marks = {
        {identity, fmt::format("{}, the mesh {}", identity.text(), run.mesh.file)},
        {{"first_frequency", grid.first_frequency},
         fmt::format("spectrum.first_frequency = {}", grid.first_frequency)},
        {{"frequency_ratio", grid.ratio}, fmt::format("spectrum.ratio = {}", grid.ratio)},
    };
    // Which clusters there are follows from the outputs' intervals too, which a run that is continued may change; one that
    // only starts from a file takes the steps that it likes.
    if (model.clusters() != nullptr && run.initial.state != InitialState::restart) {
        const std::string cells = fmt::format("{}", fmt::join(model.cells_of_clusters(), ", "));
        state.marks.push_back({output::Attribute("cluster_cells", cells),
                               fmt::format("{}, the clusters that this case makes of its cells: the same "
                                           "propagation, time.step, source step and outputs",
                                           cells)});
    }
    state.add<const std::int64_t>(
        {"mesh_cell", {}, {"nFace"}, {{"long_name", "index in the mesh file, from 1"}}}, faces,
        mesh.mesh_cell.data(), 1);
    state.add<Real>({"action",
                     {},
                     {"nFace", "frequency", "direction"},
                     {{"long_name", "wave action density"}, {"units", "m2 s2 rad-2"}}},
                    faces, model.action(), static_cast<std::int64_t>(grid.stride()));
    constexpr std::int64_t stride = sizeof(SourceState) / sizeof(Real);
    for (const AirVariable& variable : air_variables)
        state.add<Real>(
            {variable.name, {}, {"nFace"}, {{"long_name", variable.long_name}, {"units", variable.unit}}},
            faces, model.source_states().empty() ? nullptr : &(model.source_states()[0].*variable.member),
            stride);
    return state;
}

simulation::State surroundings(const Model& model, const output::Decomposition& faces) {
    const voronoi::LocalMesh& mesh = model.mesh();
    const SpectralGrid& grid = model.grid();
    simulation::State found;
    found.dimensions = {{"frequency", grid.frequencies, ""}, {"direction", grid.directions, ""}};
    const auto of_cells = [&](const std::string& name, const std::string& unit, const auto* values,
                              std::int64_t stride) {
        found.add({name, {}, {"nFace"}, {{"units", unit}}}, faces, values, stride);
    };
    const auto axis = [&](const char* name, const char* unit, const std::vector<double>& values) {
        of_cells(name, unit, values.data(), 1);
        found.variables.back().rows = nullptr;
        found.variables.back().variable.dimensions = {name};
    };
    axis("frequency", "Hz", grid.frequency);
    axis("direction", "rad", grid.direction);
    of_cells("longitude", "rad", mesh.lon.data(), 1);
    of_cells("latitude", "rad", mesh.lat.data(), 1);
    of_cells("depth", "m", model.depths().data(), 1);
    for (const ForcingKind* kind : forcing_kinds())
        for (const ForcingKind::Component& component : kind->components) {
            if (!model.forcing().has(kind->name)) continue;
            const auto cells = model.forcing().cells();
            of_cells(component.quantity.standard_name, component.quantity.unit,
                     cells.empty() ? nullptr : &(cells[0].*component.value),
                     sizeof(CellForcing) / sizeof(Real));
        }
    return found;
}

}  // namespace groundswell::sea
