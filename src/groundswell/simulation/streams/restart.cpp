#include "groundswell/simulation/streams/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/version.hpp"
#include "groundswell/netcdf/classic_header.hpp"
#include "groundswell/output/checksum.hpp"
#include "groundswell/output/distributed_read.hpp"
#include "groundswell/output/formats/space.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/simulation/build_report.hpp"

namespace groundswell::simulation {

namespace {

constexpr std::string_view restart_prefix = "restart_";
constexpr const char* own_step_name = "step_seconds";
constexpr const char* inputs_name = "groundswell_inputs";

output::Schema restart_schema(const State& state) {
    output::Schema schema;
    for (const State::Dimension& dimension : state.dimensions)
        schema.dimensions.push_back({dimension.name, dimension.length, false});
    for (const StateVariable& variable : state.variables) schema.variables.push_back(variable.variable);
    return schema;
}

base::Instant read_instant(const output::Reader& file, const char* name, bool has_date) {
    const std::string text = file.text_attribute(name);
    std::optional<base::Instant> instant;
    if (has_date) {
        instant = base::parse_instant(text);
    } else if (const std::optional<base::Duration> elapsed = base::parse_duration(text)) {
        instant = base::Instant{} + *elapsed;
    }
    base::require(instant.has_value(), file.path(), name, text,
                  has_date ? "a date and time" : "seconds since the start");
    return *instant;
}

void require_time(const output::Reader& file, const Schedule& schedule, std::int64_t step) {
    const base::Instant reached = schedule.instant_at(step);
    base::require(read_instant(file, "time", schedule.has_date) == reached, file.path(), "time",
                  file.text_attribute("time"),
                  fmt::format("{}, which step {} after start = {} reaches", schedule.text(reached), step,
                              schedule.text(schedule.start)));
}

/// Where a restart file stands, by numbers that agree with each other: one that was altered, in a file
/// without checksums, is found here.
RestartPoint read_point(const output::Reader& file, bool has_date) {
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
    constexpr std::int64_t longest = 1'000'000'000'000'000'000;  // as of a duration in the case file, µs
    RestartPoint point;
    Schedule& schedule = point.schedule;
    schedule.has_date = has_date;
    schedule.start = read_instant(file, "start", has_date);
    point.step = whole("step", std::numeric_limits<std::int64_t>::max());
    if (output::find_named(file.schema().attributes, own_step_name) != nullptr) {
        schedule.own_step = file.number_attribute(own_step_name);
        refuse_unless(schedule.own_step > 0.0 && static_cast<double>(point.step) * schedule.own_step < 1e12,
                      own_step_name, fmt::format("{}", schedule.own_step),
                      "seconds, which the steps made do not bring to thousands of years");
        require_time(file, schedule, point.step);
        return point;
    }
    schedule.interval.microseconds = whole("interval_microseconds", longest);
    schedule.cycles = whole("cycles", longest);
    schedule.steps_per_cycle = whole("steps_per_cycle", longest / schedule.cycles);
    const std::int64_t per = schedule.steps_per_interval();
    refuse_unless(point.step / per <= longest / schedule.interval.microseconds, "step",
                  std::to_string(point.step), "a step within thousands of years");
    refuse_unless(schedule.ends_cycle(point.step), "step", std::to_string(point.step),
                  fmt::format("the end of a cycle, of {} steps each", schedule.steps_per_cycle));
    require_time(file, schedule, point.step);
    return point;
}

bool is_read_from(const output::Reader& file, const StateVariable& variable) {
    return variable.is_read && file.schema().find(variable.variable.name) != nullptr;
}

/// A restart file of this mesh, these settings and this precision, whole; refuses any other.
output::Reader open_restart(const std::string& path, const State& state) {
    output::Reader file(path);
    const auto check = [&](bool condition, std::string_view key, const std::string& value,
                           const std::string& expected) {
        base::require(condition, path, key, value, expected);
    };
    check(output::is_header_true(file.schema()).value_or(true), output::header_checksum_name, "",
          "the names and attributes that were written: see groundswell verify");
    for (const StateVariable& variable : state.variables)
        check(!variable.is_read || variable.is_optional ||
                  file.schema().find(variable.variable.name) != nullptr,
              "", "",
              fmt::format("a restart file of Groundswell, with the variable {}", variable.variable.name));
    for (const State::Dimension& wanted : state.dimensions) {
        const output::Dimension* found = file.schema().find_dimension(wanted.name);
        check(found != nullptr && found->length == wanted.length, wanted.name,
              found != nullptr ? std::to_string(found->length) : "nothing", wanted.expected);
    }
    for (const State::Mark& mark : state.marks) {
        const output::Attribute* found = output::find_named(file.schema().attributes, mark.value.name);
        check(found != nullptr && *found == mark.value, mark.value.name,
              found != nullptr ? found->text() : "nothing", mark.expected);
    }
    const netcdf::StoredExtent extent(path);
    for (const StateVariable& variable : state.variables) {
        if (!is_read_from(file, variable)) continue;
        const output::Variable& wanted = variable.variable;
        const output::Type found = file.schema().find(wanted.name)->type;
        check(found == wanted.type, wanted.name, std::string(output::name_of(found)),
              fmt::format("{}, the state of this build", output::name_of(wanted.type)));
        extent.require(wanted.name);
    }
    return file;
}

/// Values from the first of the first row to the last of the last one.
std::int64_t extent_of(const output::Schema& schema, const StateVariable& variable) {
    const std::int64_t rows = variable.rows->owned();
    return rows == 0 ? 0 : (rows - 1) * variable.stride + schema.row_width(variable.variable);
}

template <class T>
parallel::ReadCost read_variable(const output::Reader& file, const StateVariable& variable,
                                 std::int64_t extent, output::Rearranger& rearranger) {
    return output::read_distributed<T>(file, variable.variable.name, *variable.rows, rearranger,
                                       {static_cast<T*>(variable.data), static_cast<std::size_t>(extent)},
                                       variable.stride);
}

/// Where a row of a state holds what is no number there is none to go on from: a file that something else has written. An infinity may
/// be meant, as for a place that has not ruptured.
template <class T>
void require_numbers(const std::string& path, const StateVariable& variable, std::int64_t width) {
    const T* const data = static_cast<const T*>(variable.data);
    for (std::int64_t row = 0; row < variable.rows->owned(); ++row) {
        const T* const begin = data + row * variable.stride;
        base::require(std::none_of(begin, begin + width, [](T value) { return std::isnan(value); }), path,
                      variable.variable.name, "NaN", "numbers: see groundswell verify --values");
    }
}

}  // namespace

std::string restart_path(const std::string& folder, const Schedule& schedule, base::Instant time) {
    return fmt::format("{}/{}{}.nc", folder, restart_prefix, schedule.file_text(time));
}

bool is_restart_name(std::string_view name) {
    return name.starts_with(restart_prefix);
}

std::int64_t restart_bytes(const State& state) {
    return output::required_bytes(restart_schema(state), 0);
}

std::int64_t restart_bytes_here(const State& state) {
    const output::Schema schema = restart_schema(state);
    std::int64_t bytes = 0;
    for (const StateVariable& variable : state.variables)
        bytes += schema.row_width(variable.variable) * output::size_of(variable.variable.type) *
                 variable.rows->owned();
    return bytes;
}

void write_restart(output::Output& output, const std::string& path, const Case& run, const State& state,
                   const RestartPoint& point, const std::string& inputs,
                   const std::vector<std::string>& older) {
    const Schedule& schedule = point.schedule;
    output::Schema schema = restart_schema(state);
    schema.attributes = {
        {"title", "Groundswell restart: " + run.title},
        {"groundswell_version", base::version()},
        {build_attribute, build_text()},
        {"groundswell_case", run.text},
        {inputs_name, inputs},
        {"time", schedule.text(schedule.instant_at(point.step))},
        {"start", schedule.text(schedule.start)},
        {"step", point.step},
    };
    if (schedule.own_step > 0.0)
        schema.attributes.push_back({own_step_name, schedule.own_step});
    else
        schema.attributes.insert(schema.attributes.end(),
                                 {{"interval_microseconds", schedule.interval.microseconds},
                                  {"cycles", schedule.cycles},
                                  {"steps_per_cycle", schedule.steps_per_cycle}});
    for (const State::Mark& mark : state.marks) schema.attributes.push_back(mark.value);

    output::Dataset file = output.replace(path, schema, run.output.restart_checksums);
    for (const StateVariable& variable : state.variables)
        file.write_fixed({variable.variable.name, variable.variable.type,
                          static_cast<const std::byte*>(variable.data), extent_of(schema, variable),
                          variable.stride, variable.rows});
    file.close(older, run.output.restart_keep - 1);
}

std::string read_inputs(const std::string& path) {
    const output::Reader file(path);
    const bool has = output::find_named(file.schema().attributes, inputs_name) != nullptr;
    return has ? file.text_attribute(inputs_name) : "";
}

RestartPoint read_restart_point(const std::string& path, const Case& run, const State& state) {
    const output::Reader file = open_restart(path, state);
    const RestartPoint point = read_point(file, run.time.has_date);
    const Schedule& schedule = point.schedule;
    base::require(schedule.start == run.time.start, path, "start", schedule.text(schedule.start),
                  fmt::format("time.start = {}: a restart continues the run that wrote it",
                              schedule.text(run.time.start)));
    const base::Instant time = schedule.instant_at(point.step);
    base::require(time < run.time.end, path, "time", schedule.text(time),
                  fmt::format("a time before time.end = {}", schedule.text(run.time.end)));
    return point;
}

void check_initial_restart(const Case& run, const State& state) {
    const output::Reader file = open_restart(run.initial_restart, state);
    const RestartPoint point = read_point(file, run.time.has_date);
    const Schedule& schedule = point.schedule;
    const base::Instant time = schedule.instant_at(point.step);
    base::require(time == run.time.start, run.initial_restart, "time", schedule.text(time),
                  fmt::format("time.start = {} of {}", schedule.text(run.time.start), run.file));
}

parallel::ReadCost read_restart_state(MPI_Comm comm, const std::string& path, const State& state) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::reading);
    const output::Reader file = parallel::agree(comm, [&] { return output::Reader(path); });
    const output::Schema schema = restart_schema(state);
    output::Rearranger rearranger;
    parallel::ReadCost cost;
    for (const StateVariable& variable : state.variables) {
        if (!is_read_from(file, variable)) continue;
        GS_ASSERT(variable.variable.type == output::Type::float32 ||
                  variable.variable.type == output::Type::float64);
        const std::int64_t extent = extent_of(schema, variable);
        cost += variable.variable.type == output::Type::float32
                    ? read_variable<float>(file, variable, extent, rearranger)
                    : read_variable<double>(file, variable, extent, rearranger);
    }
    parallel::agree(comm, [&] {
        for (const StateVariable& variable : state.variables) {
            if (!is_read_from(file, variable)) continue;
            const std::int64_t width = schema.row_width(variable.variable);
            if (variable.variable.type == output::Type::float32)
                require_numbers<float>(path, variable, width);
            else
                require_numbers<double>(path, variable, width);
        }
    });
    return cost;
}

}  // namespace groundswell::simulation
