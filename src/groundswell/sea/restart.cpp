#include "groundswell/sea/restart.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/classic_header.hpp"
#include "groundswell/output/check/checksum.hpp"
#include "groundswell/output/disk/space.hpp"
#include "groundswell/output/distributed_read.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/sea/output_schema.hpp"

namespace groundswell::sea {

namespace {

using exec::Real;

constexpr std::string_view restart_prefix = "restart_";

// The parts of SourceState that are stored, by name.
struct StateVariable {
    const char* name;
    const char* long_name;
    const char* unit;
    Real SourceState::*member;
};
constexpr StateVariable state_variables[] = {
    {"friction_velocity", "friction velocity of the air", "m s-1", &SourceState::friction_velocity},
    {"roughness", "roughness length of the sea", "m", &SourceState::roughness},
    {"charnock", "Charnock coefficient", "1", &SourceState::charnock},
    {"wave_stress_x", "kinematic wave-supported stress towards east", "m2 s-2", &SourceState::wave_stress_x},
    {"wave_stress_y", "kinematic wave-supported stress towards north", "m2 s-2", &SourceState::wave_stress_y},
};

output::Schema restart_schema(const voronoi::LocalMesh& mesh, const SpectralGrid& grid) {
    const output::Type real = output::type_of<Real>();
    output::Schema schema;
    schema.dimensions = {{"nFace", mesh.global_cells, false},
                         {"frequency", grid.frequencies, false},
                         {"direction", grid.directions, false}};
    schema.variables = {
        {"mesh_cell", output::Type::int64, {"nFace"}, {{"long_name", "index in the mesh file, from 1"}}},
        {"action",
         real,
         {"nFace", "frequency", "direction"},
         {{"long_name", "wave action density"}, {"units", "m2 s2 rad-2"}}}};
    for (const StateVariable& variable : state_variables)
        schema.variables.push_back(
            {variable.name, real, {"nFace"}, {{"long_name", variable.long_name}, {"units", variable.unit}}});
    return schema;
}

/// Where a restart file stands, by numbers that agree with each other: one that was altered, in a file
/// without checksums, is found here.
RestartPoint read_point(const output::Reader& file) {
    const auto refuse_unless = [&](bool condition, std::string_view key, const std::string& value,
                                   const std::string& expected) {
        base::require(condition, file.path(), key, value, expected);
    };
    const auto whole = [&](const char* name, std::int64_t most) {
        const std::int64_t value = file.whole_attribute(name);
        refuse_unless(value > 0 && value <= most, name, std::to_string(value),
                      fmt::format("a whole number from 1 to {}", most));
        return value;
    };
    constexpr std::int64_t longest = 1'000'000'000'000'000;  // as of a duration in the case file, ms
    RestartPoint point;
    const std::string start = file.text_attribute("start"), time = file.text_attribute("time");
    const std::optional<base::Instant> begin = base::parse_instant(start), end = base::parse_instant(time);
    refuse_unless(begin.has_value(), "start", start, "a date and time");
    refuse_unless(end.has_value(), "time", time, "a date and time");
    point.plan.start = *begin;
    point.plan.interval.milliseconds = whole("interval_milliseconds", longest);
    point.plan.source_steps = whole("source_steps", longest);
    point.plan.steps_per_source_step = whole("steps_per_source_step", longest / point.plan.source_steps);
    point.step = whole("step", std::numeric_limits<std::int64_t>::max());
    const std::int64_t per = point.plan.steps_per_interval();
    refuse_unless(point.step / per <= longest / point.plan.interval.milliseconds, "step",
                  std::to_string(point.step), "a step within thousands of years");
    refuse_unless(
        point.plan.is_source_step(point.step), "step", std::to_string(point.step),
        fmt::format("the end of a source step, of {} steps each", point.plan.steps_per_source_step));
    const base::Instant reached = point.plan.instant_at(point.step);
    refuse_unless(*end == reached, "time", time,
                  fmt::format("{}, which step {} after start = {} reaches", base::format_instant(reached),
                              point.step, start));
    return point;
}

/// A restart file of this mesh, spectrum and precision, whole; refuses any other.
output::Reader open_restart(const std::string& path, const Case& run, const voronoi::LocalMesh& mesh,
                            const SpectralGrid& grid) {
    output::Reader file(path);
    const auto check = [&](bool condition, std::string_view key, const std::string& value,
                           const std::string& expected) {
        base::require(condition, path, key, value, expected);
    };
    check(output::is_header_true(file.schema()).value_or(true), output::header_checksum_name, "",
          "the names and attributes that were written: see groundswell verify");
    const output::Variable* action = file.schema().find("action");
    check(action != nullptr, "", "", "a restart file of Groundswell, with the variable action");

    const output::Dimension* cells = file.schema().find_dimension("nFace");
    check(cells != nullptr && cells->length == mesh.global_cells, "nFace",
          cells != nullptr ? std::to_string(cells->length) : "nothing",
          fmt::format("{} sea cells as in {}", mesh.global_cells, run.mesh.file));
    // An attribute of type int64 is compared as text: a double would not hold all its digits.
    std::string identity;
    for (const output::Attribute& attribute : file.schema().attributes)
        if (attribute.name == "mesh_identity") identity = attribute.text();
    const std::string wanted =
        output::Attribute("mesh_identity", static_cast<std::int64_t>(mesh.identity)).text();
    check(identity == wanted, "mesh_identity", identity,
          fmt::format("{}, the mesh {}", wanted, run.mesh.file));

    const output::Dimension* frequencies = file.schema().find_dimension("frequency");
    const output::Dimension* directions = file.schema().find_dimension("direction");
    const auto length = [](const output::Dimension* d) { return d != nullptr ? d->length : 0; };
    check(length(frequencies) == grid.frequencies, "frequency", std::to_string(length(frequencies)),
          fmt::format("spectrum.frequencies = {}", grid.frequencies));
    check(length(directions) == grid.directions, "direction", std::to_string(length(directions)),
          fmt::format("spectrum.directions = {}", grid.directions));
    const double first = file.number_attribute("first_frequency"),
                 ratio = file.number_attribute("frequency_ratio");
    check(first == grid.first_frequency, "first_frequency", fmt::format("{}", first),
          fmt::format("spectrum.first_frequency = {}", grid.first_frequency));
    check(ratio == grid.ratio, "frequency_ratio", fmt::format("{}", ratio),
          fmt::format("spectrum.ratio = {}", grid.ratio));
    check(action->type == output::type_of<Real>(), "action", std::string(output::name_of(action->type)),
          fmt::format("{}, the state of this build", output::name_of(output::type_of<Real>())));
    const netcdf::StoredExtent extent(path);
    extent.require("action");
    for (const StateVariable& variable : state_variables) extent.require(variable.name);
    return file;
}

}  // namespace

std::string restart_path(const std::string& folder, base::Instant time) {
    return fmt::format("{}/{}{}.nc", folder, restart_prefix, base::format_instant_compact(time));
}

bool is_restart_name(std::string_view name) {
    return name.starts_with(restart_prefix);
}

std::string restart_path(const std::string& folder, const TimePlan& plan, std::int64_t step) {
    return restart_path(folder, plan.instant_at(step));
}

std::int64_t restart_bytes(const voronoi::LocalMesh& mesh, const SpectralGrid& grid) {
    return output::required_bytes(restart_schema(mesh, grid), 0);
}

std::int64_t restart_bytes_here(const voronoi::LocalMesh& mesh, const SpectralGrid& grid) {
    const output::Schema schema = restart_schema(mesh, grid);
    std::int64_t row_bytes = 0;
    for (const output::Variable& variable : schema.variables)
        row_bytes += schema.row_width(variable) * output::size_of(variable.type);
    return row_bytes * mesh.owned;
}

void write_restart(output::Output& output, const std::string& path, const Case& run, const Model& model,
                   const TimePlan& plan, const output::Decomposition& faces,
                   const std::vector<std::string>& older) {
    const voronoi::LocalMesh& mesh = model.mesh();
    const SpectralGrid& grid = model.grid();
    output::Schema schema = restart_schema(mesh, grid);
    schema.attributes = {
        {"title", "Groundswell restart: " + run.title},
        {"groundswell_version", version()},
        {"groundswell_case", run.text},
        {"time", base::format_instant(plan.instant_at(model.step()))},
        {"start", base::format_instant(plan.start)},
        {"step", model.step()},
        {"interval_milliseconds", plan.interval.milliseconds},
        {"source_steps", plan.source_steps},
        {"steps_per_source_step", plan.steps_per_source_step},
        {"mesh_identity", static_cast<std::int64_t>(mesh.identity)},
        {"first_frequency", grid.first_frequency},
        {"frequency_ratio", grid.ratio},
    };

    output::Dataset file = output.replace(path, schema);
    const auto owned = static_cast<std::size_t>(mesh.owned);
    file.write_fixed(output::distributed<std::int64_t>("mesh_cell", faces, {mesh.mesh_cell.data(), owned}));
    file.write_fixed(output::distributed<Real>("action", faces, {model.action(), owned * grid.stride()},
                                               static_cast<std::int64_t>(grid.stride())));
    std::vector<Real> column(owned);
    for (const StateVariable& variable : state_variables) {
        for (std::size_t cell = 0; cell < owned; ++cell)
            column[cell] = model.source_states()[cell].*variable.member;
        file.write_fixed(output::distributed<Real>(variable.name, faces, column));
    }
    file.close(older, run.output.restart_keep - 1);
}

RestartPoint read_restart_point(const std::string& path, const Case& run, const voronoi::LocalMesh& mesh,
                                const SpectralGrid& grid) {
    const output::Reader file = open_restart(path, run, mesh, grid);
    const RestartPoint point = read_point(file);
    base::require(point.plan.start == run.time.start, path, "start", base::format_instant(point.plan.start),
                  fmt::format("time.start = {}: a restart continues the run that wrote it",
                              base::format_instant(run.time.start)));
    const base::Instant time = point.plan.instant_at(point.step);
    base::require(time < run.time.end, path, "time", base::format_instant(time),
                  fmt::format("a time before time.end = {}", base::format_instant(run.time.end)));
    return point;
}

void check_initial_restart(const Case& run, const voronoi::LocalMesh& mesh, const SpectralGrid& grid) {
    const output::Reader file = open_restart(run.initial.file, run, mesh, grid);
    const RestartPoint point = read_point(file);
    const base::Instant time = point.plan.instant_at(point.step);
    base::require(time == run.time.start, run.initial.file, "time", base::format_instant(time),
                  fmt::format("time.start = {} of {}", base::format_instant(run.time.start), run.file));
}

parallel::ReadCost read_restart_state(MPI_Comm comm, const std::string& path, Model& model) {
    const output::Reader file = parallel::agree(comm, [&] { return output::Reader(path); });
    const voronoi::LocalMesh& mesh = model.mesh();
    const auto owned = static_cast<std::size_t>(mesh.owned);
    const output::Decomposition faces(comm, mesh.global_cells, {mesh.face.data(), owned});
    output::Rearranger rearranger;

    const std::size_t stride = model.grid().stride();
    parallel::ReadCost cost =
        output::read_distributed<Real>(file, "action", faces, rearranger, {model.action(), owned * stride},
                                       static_cast<std::int64_t>(stride));
    std::vector<Real> column(owned);
    for (const StateVariable& variable : state_variables) {
        cost += output::read_distributed<Real>(file, variable.name, faces, rearranger, column);
        for (std::size_t cell = 0; cell < owned; ++cell)
            model.source_states()[cell].*variable.member = column[cell];
    }
    return cost;
}

}  // namespace groundswell::sea
