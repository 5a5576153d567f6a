#include "groundswell/sea/output_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <system_error>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/mesh/voronoi/nearest.hpp"
#include "groundswell/output/disk/space.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/restart.hpp"

namespace groundswell::sea {

using exec::Real;

/// One file whose records are appended at fixed intervals.
struct OutputStreams::Stream {
    std::string path;
    base::Duration every;
    output::Schema schema;
    std::optional<output::Dataset> file;

    virtual ~Stream() = default;
    virtual void write_fixed(const Model& model) = 0;
    /// Bytes of values in a record on this rank.
    virtual std::int64_t record_bytes(const Model& model) const = 0;
    /// The values of a record; they stay valid until the next call.
    virtual std::vector<output::Values> record(const Model& model) = 0;
};

/// Fields on all faces.
struct OutputStreams::Map : Stream {
    std::vector<const Field*> fields;
    const output::Decomposition* faces = nullptr;
    std::unique_ptr<output::Decomposition> nodes;
    std::vector<std::vector<float>> values;  // [field][owned]

    void write_fixed(const Model& model) override {
        const voronoi::LocalMesh& mesh = model.mesh();
        const auto degrees = [](std::span<const double> radians) {
            std::vector<double> result;
            for (const double angle : radians) result.push_back(angle / base::degree);
            return result;
        };
        const auto owned = static_cast<std::size_t>(mesh.owned);
        const std::int32_t topology = 0;
        file->write_fixed(output::replicated<std::int32_t>("mesh", {&topology, 1}));
        file->write_fixed(output::distributed<double>("mesh_node_lon", *nodes, degrees(mesh.node_lon)));
        file->write_fixed(output::distributed<double>("mesh_node_lat", *nodes, degrees(mesh.node_lat)));
        file->write_fixed(
            output::distributed<double>("mesh_face_lon", *faces, degrees({mesh.lon.data(), owned})));
        file->write_fixed(
            output::distributed<double>("mesh_face_lat", *faces, degrees({mesh.lat.data(), owned})));
        file->write_fixed(
            output::distributed<std::int64_t>("mesh_cell", *faces, {mesh.mesh_cell.data(), owned}));
        const auto width = static_cast<std::size_t>(mesh.max_edges);
        std::vector<std::int32_t> corners(owned * width, -1);
        for (std::size_t cell = 0; cell < owned; ++cell)
            for (std::int32_t c = mesh.corner_offset[cell]; c < mesh.corner_offset[cell + 1]; ++c)
                corners[cell * width + static_cast<std::size_t>(c - mesh.corner_offset[cell])] =
                    static_cast<std::int32_t>(mesh.corner_node[static_cast<std::size_t>(c)]);
        file->write_fixed(output::distributed<std::int32_t>("mesh_face_nodes", *faces, corners));
        write_bounds("mesh_face_lon_bounds", mesh, mesh.lon, mesh.corner_lon);
        write_bounds("mesh_face_lat_bounds", mesh, mesh.lat, mesh.corner_lat);
    }

    /// Corners of each cell; its last one fills up the row. Longitudes lie within 180° of the cell's centre,
    /// so that a cell across the date line is not drawn around the world.
    void write_bounds(const std::string& name, const voronoi::LocalMesh& mesh, std::span<const double> centre,
                      std::span<const double> corner) {
        const auto width = static_cast<std::size_t>(mesh.max_edges);
        std::vector<float> bounds;
        bounds.reserve(static_cast<std::size_t>(mesh.owned) * width);
        for (std::size_t cell = 0; cell < static_cast<std::size_t>(mesh.owned); ++cell) {
            const double middle = centre[cell] / base::degree;
            for (std::int32_t c = mesh.corner_offset[cell]; c < mesh.corner_offset[cell + 1]; ++c) {
                const double place = corner[static_cast<std::size_t>(c)] / base::degree;
                const double round = place - middle > 180.0 ? -360.0 : place - middle < -180.0 ? 360.0 : 0.0;
                bounds.push_back(static_cast<float>(place + round));
            }
            bounds.resize((cell + 1) * width, bounds.back());
        }
        file->write_fixed(output::distributed<float>(name, *faces, bounds));
    }

    std::int64_t record_bytes(const Model& model) const override {
        return static_cast<std::int64_t>(fields.size() * sizeof(float)) * model.mesh().owned;
    }

    std::vector<output::Values> record(const Model& model) override {
        exec::for_each_cell(0, model.mesh().owned, [&](std::int32_t cell) {
            const CellSituation situation = model.situation(cell);
            for (std::size_t f = 0; f < fields.size(); ++f)
                values[f][static_cast<std::size_t>(cell)] = fields[f]->value(situation);
        });
        std::vector<output::Values> record;
        for (std::size_t f = 0; f < fields.size(); ++f)
            record.push_back(output::distributed<float>(std::string(fields[f]->name), *faces, values[f]));
        return record;
    }
};

namespace {

/// Degrees, going to, clockwise from north, in [0, 360).
double bearing_to(double direction) {
    return std::fmod(bearing_from(direction) + 180.0, 360.0);
}

std::vector<int> directions_by_bearing(const SpectralGrid& grid) {
    std::vector<int> order(static_cast<std::size_t>(grid.directions));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {},
                      [&](int j) { return bearing_to(grid.direction[static_cast<std::size_t>(j)]); });
    return order;
}

}  // namespace

/// Fields, or spectra, at stations. A station's values come from the rank that owns its cell.
struct OutputStreams::Points : Stream {
    std::vector<const Field*> fields;  // empty: spectra
    std::vector<Station> stations;
    std::vector<std::string> names;
    std::vector<std::int32_t> mine;  // stations whose cell this rank owns
    std::vector<int> by_bearing;     // directions of a spectrum as the file has them: bearings increase
    std::unique_ptr<output::Decomposition> rows;
    std::vector<std::vector<float>> values;

    void write_fixed(const Model& model) override {
        std::vector<double> lon, lat, distance;
        std::vector<std::int64_t> mesh_cell;
        std::vector<std::int32_t> number;
        std::vector<char> name_rows(names.size() * station_name_length, '\0');
        for (std::size_t s = 0; s < stations.size(); ++s) {
            lon.push_back(stations[s].lon / base::degree);
            lat.push_back(stations[s].lat / base::degree);
            distance.push_back(stations[s].distance);
            mesh_cell.push_back(stations[s].mesh_cell);
            number.push_back(static_cast<std::int32_t>(s + 1));
            const std::size_t length = std::min<std::size_t>(names[s].size(), station_name_length);
            std::copy_n(names[s].begin(), length,
                        name_rows.begin() + static_cast<std::ptrdiff_t>(s) * station_name_length);
        }
        file->write_fixed(output::replicated<std::int32_t>("station", number));
        file->write_fixed(output::replicated<char>("station_name", name_rows));
        file->write_fixed(output::replicated<double>("longitude", lon));
        file->write_fixed(output::replicated<double>("latitude", lat));
        file->write_fixed(output::replicated<double>("station_distance", distance));
        file->write_fixed(output::replicated<std::int64_t>("mesh_cell", mesh_cell));
        if (!fields.empty()) return;
        const SpectralGrid& grid = model.grid();
        std::vector<double> bearing;
        for (const int j : by_bearing)
            bearing.push_back(bearing_to(grid.direction[static_cast<std::size_t>(j)]));
        file->write_fixed(output::replicated<double>("frequency", grid.frequency));
        file->write_fixed(output::replicated<double>("direction", bearing));
    }

    std::int64_t record_bytes(const Model& model) const override {
        const std::size_t width =
            fields.empty() ? static_cast<std::size_t>(model.grid().bins()) + 3 : fields.size();
        return static_cast<std::int64_t>(mine.size() * width * sizeof(float));
    }

    std::vector<output::Values> record(const Model& model) override {
        for (auto& column : values) column.clear();
        for (const std::int32_t s : mine) {
            const std::int32_t cell = stations[static_cast<std::size_t>(s)].cell;
            const CellSituation situation = model.situation(cell);
            if (fields.empty()) {
                add_spectrum(model, cell, situation);
            } else {
                for (std::size_t f = 0; f < fields.size(); ++f)
                    values[f].push_back(fields[f]->value(situation));
            }
        }
        std::vector<output::Values> record;
        if (fields.empty()) {
            const char* const spectra[] = {"efth", "dpt", "wnd", "wnddir"};
            for (std::size_t v = 0; v < 4; ++v)
                record.push_back(output::distributed<float>(spectra[v], *rows, values[v]));
        } else {
            for (std::size_t f = 0; f < fields.size(); ++f)
                record.push_back(output::distributed<float>(std::string(fields[f]->name), *rows, values[f]));
        }
        return record;
    }

    void add_spectrum(const Model& model, std::int32_t cell, const CellSituation& situation) {
        const SpectralGrid& grid = model.grid();
        const Real* action = model.action() + static_cast<std::size_t>(cell) * grid.stride();
        for (int i = 0; i < grid.frequencies; ++i)
            for (const int j : by_bearing)
                values[0].push_back(
                    static_cast<float>(grid.sigma[static_cast<std::size_t>(i)] * action[grid.index(i, j)]));
        values[1].push_back(static_cast<float>(situation.depth));
        values[2].push_back(
            static_cast<float>(std::hypot(situation.eastward_wind, situation.northward_wind)));
        values[3].push_back(
            static_cast<float>(bearing_from(std::atan2(situation.northward_wind, situation.eastward_wind))));
    }
};

namespace {

// Extent of the sea: the smallest and largest coordinates of cell centres, in degrees.
Extent find_extent(MPI_Comm comm, const voronoi::LocalMesh& mesh) {
    double west = 1e9, east = -1e9, south = 1e9, north = -1e9;
    for (std::size_t cell = 0; cell < static_cast<std::size_t>(mesh.owned); ++cell) {
        west = std::min(west, mesh.lon[cell]);
        east = std::max(east, mesh.lon[cell]);
        south = std::min(south, mesh.lat[cell]);
        north = std::max(north, mesh.lat[cell]);
    }
    return {parallel::min(comm, west) / base::degree, parallel::max(comm, east) / base::degree,
            parallel::min(comm, south) / base::degree, parallel::max(comm, north) / base::degree};
}

// Records of a whole run up to and with `step`.
std::int64_t records_until(const TimePlan& plan, base::Duration every, std::int64_t step) {
    return (plan.instant_at(step) - plan.start).milliseconds / every.milliseconds + 1;
}

// The folder, or while it does not exist yet the one that it will be made in.
std::filesystem::path existing_part(std::filesystem::path folder) {
    std::error_code ignored;
    folder = std::filesystem::absolute(folder).lexically_normal();
    while (!std::filesystem::exists(folder, ignored) && folder.has_relative_path())
        folder = folder.parent_path();
    return folder;
}

// What cannot even be looked for cannot be made: a folder that nobody may enter, or a name that is too long,
// also of a folder within one that does not exist yet.
void require_findable(const std::string& folder) {
    std::error_code error;
    if (std::filesystem::status(folder, error).type() == std::filesystem::file_type::none)
        base::refuse(folder, "", error.message(), "a folder that can be created");
    const long longest = ::pathconf(existing_part(folder).c_str(), _PC_NAME_MAX);
    for (const std::filesystem::path& part : std::filesystem::path(folder))
        if (longest > 0 && part.native().size() > static_cast<std::size_t>(longest))
            base::refuse(folder, "", std::strerror(ENAMETOOLONG), "a folder that can be created");
}

}  // namespace

OutputStreams::OutputStreams(MPI_Comm comm, const Case& run, const Model& model, const TimePlan& plan,
                             const OutputStart& start, const output::Roles* roles)
    : comm_(comm), case_(run), plan_(plan), start_(start) {
    const voronoi::LocalMesh& mesh = model.mesh();
    const OutputSection& section = run.output;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    faces_ = std::make_unique<output::Decomposition>(
        comm, mesh.global_cells, std::span(mesh.face.data(), static_cast<std::size_t>(mesh.owned)));
    const Extent extent = find_extent(comm, mesh);
    for (const MapSection& map : section.maps) add_map(map, model, extent);
    for (const PointsSection& points : section.points) add_points(points, model);

    parallel::agree(comm, [&] {
        if (rank != 0) return;
        require_findable(section.folder);
        if (!start.checks_only && std::filesystem::is_directory(section.folder)) take_lock();
        check_targets(mesh, model.grid());
    });
    make_output(model, roles);
}

void OutputStreams::take_lock() {
    lock_.emplace(case_.output.folder, case_.file);
}

// The way of writing, with its checks. A thread looks for a core of its own, and does without if there is
// none.
void OutputStreams::make_output(const Model& model, const output::Roles* roles) {
    const OutputSection& section = case_.output;
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    output::OutputOptions options;
    options.mode = section.mode;
    options.buffer_bytes = section.buffer_bytes;
    options.on_error = section.on_error;
    options.longest_wait = 1e-3 * static_cast<double>(section.longest_wait.milliseconds);
    options.silence = 1e-3 * static_cast<double>(section.silence.milliseconds);
    options.storage = section.storage;
    options.checksums = section.checksums;
    options.hints = section.hints;
    options.where = case_.file;
    if (section.mode == "thread" || section.mode == "auto") {
        const parallel::ThreadCore core =
            parallel::find_thread_core(comm_, parallel::allowed_cpus(), case_.threads, section.thread_cores,
                                       case_.file, "output.thread_cores");
        options.writer_cpu = core.cpu;
        const int on_host = parallel::find_placement(comm_).ranks_on_host;
        options.cores_for_all = on_host * case_.threads <= static_cast<int>(parallel::machine_cpus().size());
        if (section.mode == "thread" && !core.missing.empty() && rank == 0)
            base::log_warning("writer thread: {}", core.missing);
    }
    output_ = std::make_unique<output::Output>(comm_, options, roles);
    for (const auto& stream : streams_) output_->announce(stream->path, stream->record_bytes(model));
    if (section.restart_every)
        output_->announce(section.folder, restart_bytes_here(model.mesh(), model.grid()),
                          output::Announced::file);
}

namespace {

// What a run does with its folder; without, the first thing to fail would be a restart, hours later. As the
// effective user, which is the one that will write.
void require_access(const std::string& folder, const std::string& looked_at, int access,
                    const std::string& expected) {
    const bool has = std::filesystem::is_directory(looked_at) &&
                     ::faccessat(AT_FDCWD, looked_at.c_str(), access, AT_EACCESS) == 0;
    const int error = std::filesystem::is_directory(looked_at) ? errno : ENOTDIR;
    base::require(has, folder, "folder", looked_at,
                  fmt::format("a folder that can be {}: {}", expected, has ? "" : std::strerror(error)));
}

}  // namespace

// A restart file is made in the middle of the run: its name, also the one in which it grows, must be free, or
// of a file that may be replaced.
void OutputStreams::check_restarts() const {
    namespace fs = std::filesystem;
    const OutputSection& section = case_.output;
    std::map<std::string, std::string> refused;  // why, by path
    for (const fs::directory_entry& entry : fs::directory_iterator(section.folder)) {
        std::string name = entry.path().filename().string();
        if (!name.starts_with("restart_")) continue;
        if (name.ends_with(".part")) name.resize(name.size() - 5);
        const std::string path = section.folder + "/" + name;
        try {
            output::check_target(path, true, start_.inputs);
        } catch (const base::Refusal& refusal) {
            refused[path] = refusal.what();
        }
    }
    if (refused.empty()) return;
    const base::Instant done = plan_.instant_at(start_.continue_after.value_or(0));
    for (base::Instant at = plan_.start; at <= case_.time.end;
         at.milliseconds += section.restart_every->milliseconds) {
        const auto found = refused.find(restart_path(section.folder, at));
        if (at > done && found != refused.end()) throw base::Refusal(found->second);
    }
}

// Everything that can be refused is refused before anything is made or changed.
void OutputStreams::check_targets(const voronoi::LocalMesh& mesh, const SpectralGrid& grid) const {
    const OutputSection& section = case_.output;
    const std::int64_t done = start_.continue_after.value_or(0);
    const auto records_left = [&](base::Duration every) {
        const std::int64_t all = records_until(plan_, every, plan_.total_steps);
        return start_.continue_after ? all - records_until(plan_, every, done) : all;
    };
    const std::filesystem::path folder = existing_part(section.folder);
    if (std::filesystem::exists(section.folder)) {
        // Reading: a restart is on the disk when its folder is, too, which only a reader can ask for.
        require_access(section.folder, section.folder, R_OK | W_OK | X_OK, "read and written to");
        if (section.restart_every) check_restarts();
    } else {
        require_access(section.folder, folder.string(), W_OK | X_OK, "written to");
    }
    std::int64_t bytes = 0;
    for (const auto& stream : streams_) {
        stream->schema.validate(stream->path);
        if (start_.continue_after) {
            base::require(std::filesystem::is_regular_file(stream->path), stream->path, "", "",
                          "an output file of the run that is continued");
            const bool can = ::faccessat(AT_FDCWD, stream->path.c_str(), R_OK | W_OK, AT_EACCESS) == 0;
            base::require(
                can, stream->path, "", "",
                fmt::format("a file that can be read and written to: {}", can ? "" : std::strerror(errno)));
        } else if (std::filesystem::exists(section.folder))
            output::check_target(stream->path, start_.overwrite, start_.inputs);
        bytes += output::required_bytes(stream->schema, records_left(stream->every), section.storage);
    }
    if (section.restart_every) {
        std::int64_t restarts = records_until(plan_, *section.restart_every, plan_.total_steps) -
                                records_until(plan_, *section.restart_every, done);
        // An older one goes when a newer one is whole: so many and one more are there at a time.
        if (section.restart_keep > 0) restarts = std::min<std::int64_t>(restarts, section.restart_keep + 1);
        bytes += restart_bytes(mesh, grid) * restarts;
    }
    output::check_space(folder.string(), bytes);
}

OutputStreams::~OutputStreams() = default;

void OutputStreams::add_map(const MapSection& section, const Model& model, const Extent& extent) {
    auto map = std::make_unique<Map>();
    const voronoi::LocalMesh& mesh = model.mesh();
    map->path = case_.output.folder + "/" + section.file;
    map->every = section.every;
    map->schema = map_schema(case_, section, mesh, extent);
    map->faces = faces_.get();
    map->nodes = std::make_unique<output::Decomposition>(comm_, mesh.global_nodes, mesh.node_id);
    for (const std::string& name : section.fields) map->fields.push_back(&find_field(name));
    map->values.assign(map->fields.size(), std::vector<float>(static_cast<std::size_t>(mesh.owned)));
    streams_.push_back(std::move(map));
}

void OutputStreams::add_points(const PointsSection& section, const Model& model) {
    auto points = std::make_unique<Points>();
    points->path = case_.output.folder + "/" + section.file;
    points->every = section.every;
    points->stations = find_stations(section, model);
    points->names = section.names;
    points->by_bearing = directions_by_bearing(model.grid());
    for (const std::string& name : section.fields) points->fields.push_back(&find_field(name));
    Extent extent{1e9, -1e9, 1e9, -1e9};
    for (const Station& station : points->stations) {
        const double lon = station.lon / base::degree, lat = station.lat / base::degree;
        extent = {std::min(extent.west, lon), std::max(extent.east, lon), std::min(extent.south, lat),
                  std::max(extent.north, lat)};
    }
    points->schema = section.fields.empty() ? spectra_schema(case_, section, model.grid(), extent)
                                            : series_schema(case_, section, extent);
    points->values.resize(section.fields.empty() ? 4 : section.fields.size());
    std::vector<std::int64_t> rows;
    for (std::size_t s = 0; s < points->stations.size(); ++s) {
        if (points->stations[s].cell < 0) continue;
        points->mine.push_back(static_cast<std::int32_t>(s));
        rows.push_back(static_cast<std::int64_t>(s));
    }
    points->rows = std::make_unique<output::Decomposition>(
        comm_, static_cast<std::int64_t>(points->stations.size()), rows);
    streams_.push_back(std::move(points));
}

std::vector<OutputStreams::Station> OutputStreams::find_stations(const PointsSection& section,
                                                                 const Model& model) const {
    const voronoi::LocalMesh& mesh = model.mesh();
    std::vector<Station> stations;
    for (const auto& [lon_degrees, lat_degrees] : section.at) {
        const double lon = lon_degrees * base::degree, lat = lat_degrees * base::degree;
        const voronoi::NearestCell nearest = voronoi::nearest_cell(comm_, mesh, lon, lat);
        const std::int64_t mine =
            nearest.local >= 0 ? mesh.mesh_cell[static_cast<std::size_t>(nearest.local)] : std::int64_t{0};
        const Station station{nearest.local, nearest.distance, nearest.lon, nearest.lat,
                              parallel::max(comm_, mine)};
        stations.push_back(station);
    }
    return stations;
}

void OutputStreams::open(const Model& model) {
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    parallel::agree(comm_, [&] {
        if (rank != 0) return;
        std::error_code error;
        std::filesystem::create_directories(case_.output.folder, error);
        base::require(!error, case_.output.folder, "", error.message(), "a folder that can be created");
        require_access(case_.output.folder, case_.output.folder, R_OK | W_OK | X_OK, "read and written to");
        if (!lock_) take_lock();
    });
    for (const auto& stream : streams_) {
        if (start_.continue_after) {
            const double last = plan_.instant_at(*start_.continue_after).seconds_since({0});
            stream->file = output_->reopen(stream->path, stream->schema, last);
        } else {
            stream->file = output_->create(stream->path, stream->schema, start_.overwrite);
            stream->write_fixed(model);
        }
    }
    output_->settle();  // what cannot be written is refused before the first step
    if (start_.continue_after) parallel::agree(comm_, [&] { look_for_gaps(); });
}

void OutputStreams::look_for_gaps() {
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    if (rank != 0) return;
    const base::Instant restart = plan_.instant_at(*start_.continue_after);
    for (const auto& stream : streams_) {
        const output::Reader file(stream->path);
        std::vector<double> times;
        for (std::int64_t record = 0; record < file.records(); ++record)
            times.push_back(file.read_all<double>("time", record)[0]);
        const auto gap = find_record_gap(times, plan_, stream->every, restart);
        if (!gap) continue;
        gaps_[stream->path] = *gap;
        base::log_warning(
            "output: {}: no records between {} and {}: the run that is continued did not leave any; to have "
            "them, --restart {}",
            stream->path, gap->last ? base::format_instant(*gap->last) : "the start",
            gap->first ? base::format_instant(*gap->first) : "the end",
            gap->last ? "from a file of the first of these times or before" : "is too late: begin anew");
    }
}

void OutputStreams::write_due(const Model& model) {
    const std::int64_t step = model.step();
    if (start_.continue_after && step == *start_.continue_after) return;
    const double time = plan_.instant_at(step).seconds_since({0});
    for (const auto& stream : streams_)
        if (plan_.is_due(stream->every, step)) stream->file->append_record(time, stream->record(model));
    if (case_.output.restart_every && step > 0 && plan_.is_due(*case_.output.restart_every, step))
        write_restart_now(model);
}

void OutputStreams::write_restart_now(const Model& model) {
    if (last_restart_ == model.step()) return;
    last_restart_ = model.step();
    const std::string path = restart_path(case_.output.folder, plan_, model.step());
    write_restart(*output_, path, case_, model, plan_, *faces_, restarts_);
    if (case_.output.restart_keep > 0) restarts_.push_back(path);
}

void OutputStreams::close() {
    output_->finish();
}

// Whoever reads that the disk was full wants to know next what the files are worth now, and how to go on.
void OutputStreams::abandon() noexcept {
    const std::string reason = parallel::outcome_of_current_exception().message;
    output_->abandon();
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    const output::OutputReport report = output_->report();
    if (rank != 0 || report.failure.empty()) return;
    if (report.failure != reason) base::log_warning("{}", report.failure);
    std::string newest = report.newest;
    if (newest.empty() && start_.continue_after) newest = "with the file that this run began with";
    std::vector<std::string> missing;
    std::error_code error;
    for (const auto& stream : streams_)
        if (!std::filesystem::exists(stream->path, error)) missing.push_back(stream->path);
    if (!missing.empty()) {
        base::log_warning(
            "output: all records before the failure are whole and kept, but these files are not there: {}; "
            "without them, begin anew",
            fmt::join(missing, ", "));
        return;
    }
    base::log_warning("output: all records before the failure are whole and kept; {}",
                      newest.empty()
                          ? std::string("there is no restart file of this run to go on from")
                          : fmt::format("with its cause gone, continue with --restart {}", newest));
}

}  // namespace groundswell::sea
