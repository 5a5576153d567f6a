#include "groundswell/sea/output_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/output/disk/output_folder.hpp"
#include "groundswell/output/disk/space.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/sea/restart.hpp"
#include "groundswell/sea/streams/map.hpp"
#include "groundswell/sea/streams/points.hpp"

namespace groundswell::sea {

namespace {

// Records of a whole run up to and with `step`.
std::int64_t records_until(const TimePlan& plan, base::Duration every, std::int64_t step) {
    return (plan.instant_at(step) - plan.start).milliseconds / every.milliseconds + 1;
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
    for (const MapSection& map : section.maps)
        streams_.push_back(make_map(comm, run, map, model, extent, *faces_));
    for (const PointsSection& points : section.points)
        streams_.push_back(make_points(comm, run, points, model));

    parallel::agree(comm, [&] {
        if (rank != 0) return;
        output::require_findable(section.folder);
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

// A restart file is made in the middle of the run: its name, also the one in which it grows, must be free, or
// of a file that may be replaced.
void OutputStreams::check_restarts() const {
    namespace fs = std::filesystem;
    const OutputSection& section = case_.output;
    std::map<std::string, std::string> refused;  // why, by path
    for (const fs::directory_entry& entry : fs::directory_iterator(section.folder)) {
        std::string name = entry.path().filename().string();
        if (!is_restart_name(name)) continue;
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
    const std::filesystem::path folder = output::existing_part(section.folder);
    if (std::filesystem::exists(section.folder)) {
        // Reading: a restart is on the disk when its folder is, too, which only a reader can ask for.
        output::require_access(section.folder, section.folder, R_OK | W_OK | X_OK, "read and written to");
        if (section.restart_every) check_restarts();
    } else {
        output::require_access(section.folder, folder.string(), W_OK | X_OK, "written to");
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

void OutputStreams::open(const Model& model) {
    int rank = 0;
    MPI_Comm_rank(comm_, &rank);
    parallel::agree(comm_, [&] {
        if (rank != 0) return;
        std::error_code error;
        std::filesystem::create_directories(case_.output.folder, error);
        base::require(!error, case_.output.folder, "", error.message(), "a folder that can be created");
        output::require_access(case_.output.folder, case_.output.folder, R_OK | W_OK | X_OK,
                               "read and written to");
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
