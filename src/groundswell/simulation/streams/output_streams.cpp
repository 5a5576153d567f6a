#include "groundswell/simulation/streams/output_streams.hpp"

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
#include "groundswell/output/check/finite.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/formats/space.hpp"
#include "groundswell/output/reader.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/profile/start_up.hpp"
#include "groundswell/simulation/streams/companion.hpp"
#include "groundswell/simulation/streams/restart.hpp"

namespace groundswell::simulation {

OutputStreams::OutputStreams(const Case& run, Model& model, const Schedule& schedule,
                             const OutputStart& start, const output::Roles* roles)
    : comm_(model.comm()), case_(run), model_(model), schedule_(schedule), start_(start) {
    for (std::unique_ptr<Stream>& stream : model.streams()) {
        const std::string path = run.output.folder + "/" + stream->file();
        files_.push_back({std::move(stream), path, std::nullopt});
    }
    parallel::agree(comm_, [&] {
        if (parallel::rank_of(comm_) != 0) return;
        output::require_findable(run.output.folder);
        if (!start.checks_only && std::filesystem::is_directory(run.output.folder)) take_lock();
        check_targets();
    });
    make_output(roles);
}

void OutputStreams::take_lock() {
    lock_.emplace(case_.output.folder, case_.file);
}

// The way of writing, with its checks. A thread looks for a core of its own, and does without if there is
// none.
void OutputStreams::make_output(const output::Roles* roles) {
    const parallel::StartUpTimer timer(parallel::StartUpPart::output);
    const OutputSection& section = case_.output;
    const int rank = parallel::rank_of(comm_);
    output::OutputOptions options;
    options.mode = section.mode;
    options.buffer_bytes = section.buffer_bytes;
    options.on_error = section.on_error;
    options.longest_wait = section.longest_wait.seconds();
    options.silence = section.silence.seconds();
    options.storage = section.storage;
    options.checksums = section.checksums;
    options.hints = section.hints;
    options.where = case_.file;
    options.names = {"output.mode", "output.buffer", "output.compression", "output.hints",
                     "output.servers = 1"};
    if (section.mode == "thread" || section.mode == "auto") {
        const parallel::ThreadCore core =
            parallel::find_thread_core(comm_, parallel::allowed_cpus(), case_.threads);
        options.writer_cpu = core.cpu;
        const int on_host = parallel::find_placement(comm_).ranks_on_host;
        options.cores_for_all = on_host * case_.threads <= static_cast<int>(parallel::machine_cpus().size());
        if (section.mode == "thread" && !core.missing.empty() && rank == 0)
            base::log_warning("writer thread: {}", core.missing);
    }
    output_ = std::make_unique<output::Output>(comm_, options, roles);
    for (const File& file : files_) output_->announce(file.path, file.stream->record_bytes());
    if (section.restart_every)
        output_->announce(section.folder, restart_bytes_here(model_.state()), output::Announced::file);
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
    const base::Instant done = schedule_.instant_at(start_.continue_after.value_or(0));
    for (base::Instant at = schedule_.start; at <= case_.time.end; at = at + *section.restart_every) {
        const base::Instant written = schedule_.instant_at(schedule_.step_at(at));
        const auto found = refused.find(restart_path(section.folder, schedule_, written));
        if (written > done && found != refused.end()) throw base::Refusal(found->second);
    }
}

// Everything that can be refused is refused before anything is made or changed.
void OutputStreams::check_targets() const {
    const OutputSection& section = case_.output;
    const std::int64_t done = start_.continue_after.value_or(0);
    const auto records_left = [&](base::Duration every) {
        const std::int64_t all = schedule_.records_until(every, schedule_.total_steps);
        return start_.continue_after ? all - schedule_.records_until(every, done) : all;
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
    for (const File& file : files_) {
        file.stream->schema().validate(file.path);
        if (start_.continue_after) {
            base::require(std::filesystem::is_regular_file(file.path), file.path, "", "",
                          "an output file of the run that is continued");
            const bool can = ::faccessat(AT_FDCWD, file.path.c_str(), R_OK | W_OK, AT_EACCESS) == 0;
            base::require(
                can, file.path, "", "",
                fmt::format("a file that can be read and written to: {}", can ? "" : std::strerror(errno)));
        } else if (std::filesystem::exists(section.folder))
            output::check_target(file.path, start_.overwrite, start_.inputs);
        const std::string companion = companion_path(section, *file.stream, file.path);
        if (!companion.empty() && std::filesystem::exists(section.folder))
            output::check_target(companion, start_.overwrite || start_.continue_after, start_.inputs);
        bytes += output::required_bytes(file.stream->schema(), records_left(file.stream->every()),
                                        section.storage);
    }
    if (section.restart_every) {
        std::int64_t restarts = schedule_.records_until(*section.restart_every, schedule_.total_steps) -
                                schedule_.records_until(*section.restart_every, done);
        // An older one goes when a newer one is whole: so many and one more are there at a time.
        if (section.restart_keep > 0) restarts = std::min<std::int64_t>(restarts, section.restart_keep + 1);
        bytes += restart_bytes(model_.state()) * restarts;
    }
    output::check_space(folder.string(), bytes);
}

OutputStreams::~OutputStreams() = default;

// What a run that was killed had begun: nobody else writes here while this one holds the lock, and it is of no use.
void OutputStreams::remove_unfinished_restarts() const {
    namespace fs = std::filesystem;
    for (const fs::directory_entry& entry : fs::directory_iterator(case_.output.folder)) {
        const std::string name = entry.path().filename().string();
        std::error_code kept;  // as where the folder's owner is another: it stays, and does no harm
        if (is_restart_name(name) && name.ends_with(".part") && entry.is_regular_file(kept))
            fs::remove(entry.path(), kept);
    }
}

void OutputStreams::open() {
    const parallel::StartUpTimer timer(parallel::StartUpPart::output);
    const int rank = parallel::rank_of(comm_);
    parallel::agree(comm_, [&] {
        if (rank != 0) return;
        std::error_code error;
        std::filesystem::create_directories(case_.output.folder, error);
        base::require(!error, case_.output.folder, "", error.message(), "a folder that can be created");
        output::require_access(case_.output.folder, case_.output.folder, R_OK | W_OK | X_OK,
                               "read and written to");
        if (!lock_) take_lock();
        remove_unfinished_restarts();
    });
    for (File& file : files_) {
        const output::Schema& schema = file.stream->schema();
        if (start_.continue_after) {
            const double last = schedule_.last_record_at(*start_.continue_after).seconds_since({0});
            file.dataset = output_->reopen(file.path, schema, last);
        } else {
            file.dataset = output_->create(file.path, schema, start_.overwrite);
            file.stream->write_fixed(*file.dataset);
        }
    }
    output_->settle();  // what cannot be written is refused before the first step
    if (start_.continue_after) parallel::agree(comm_, [&] { look_for_gaps(); });
    write_companions();
}

// Writes a companion for what is whole on the disk: the records before a restart, and those of a run that has ended.
void OutputStreams::write_companions() const noexcept {
    if (parallel::rank_of(comm_) != 0) return;
    for (const File& file : files_) write_companion(case_.output, *file.stream, file.path);
}

void OutputStreams::look_for_gaps() {
    const int rank = parallel::rank_of(comm_);
    if (rank != 0) return;
    const base::Instant restart = schedule_.last_record_at(*start_.continue_after);
    for (const File& file : files_) {
        const output::Reader reader(file.path);
        std::vector<double> times;
        for (std::int64_t record = 0; record < reader.records(); ++record)
            times.push_back(reader.read_all<double>("time", record)[0]);
        const auto gap = find_record_gap(times, schedule_, file.stream->every(), restart);
        if (!gap) continue;
        gaps_[file.path] = *gap;
        base::log_warning(
            "output: {}: no records between {} and {}: the run that is continued did not leave any; to have "
            "them, --restart {}",
            file.path, gap->last ? schedule_.text(*gap->last) : "the start",
            gap->first ? schedule_.text(*gap->first) : "the end",
            gap->last ? "from a file of the first of these times or before" : "is too late: start again");
    }
}

// What is written is looked at, whatever else watches the model: sums and squares overflow before what they are of.
void OutputStreams::require_numbers(const File& file, const std::vector<output::Values>& values,
                                    double time) const {
    const bool is_first = parallel::rank_of(comm_) == 0;
    for (const output::Values& one : values) {
        if ((one.decomposition == nullptr && !is_first) || output::all_finite(file.stream->schema(), one))
            continue;
        throw base::RunFailure(fmt::format(
            "{}: {} of the records from {:.6g} s on holds values that are no finite numbers: nothing of them "
            "is written; the run has blown up, or what drives it is too large for its precision",
            file.path, one.variable, time));
    }
}

void OutputStreams::write_due(std::int64_t step) {
    if (start_.continue_after && step == *start_.continue_after) return;
    for (File& file : files_) {
        const base::Duration every = file.stream->every();
        const std::int64_t first = step > 0 ? schedule_.records_until(every, step - 1) : 0;
        const std::int64_t count = schedule_.records_until(every, step) - first;
        if (count == 0) continue;
        std::vector<double> times;
        for (std::int64_t record = first; record < first + count; ++record)
            times.push_back(
                (schedule_.start + base::Duration{record * every.microseconds}).seconds_since({0}));
        const std::vector<output::Values> values = file.stream->records(first, count);
        require_numbers(file, values, times.front());
        file.dataset->append_records(times, values);
    }
    if (case_.output.restart_every && step > 0 && schedule_.is_due(*case_.output.restart_every, step))
        write_restart_now(step);
}

void OutputStreams::write_restart_now(std::int64_t step) {
    if (last_restart_ == step) return;
    last_restart_ = step;
    const std::string path = restart_path(case_.output.folder, schedule_, schedule_.instant_at(step));
    write_restart(*output_, path, case_, model_.state(), {schedule_, step}, start_.remembered, restarts_);
    if (case_.output.restart_keep > 0) restarts_.push_back(path);
}

void OutputStreams::close() {
    output_->finish();
    write_companions();
}

// Whoever reads that the disk was full wants to know next what the files are worth now, and how to go on.
void OutputStreams::abandon() noexcept {
    const std::string reason = parallel::outcome_of_current_exception().message;
    output_->abandon();
    write_companions();
    const int rank = parallel::rank_of(comm_);
    const output::OutputReport report = output_->report();
    if (rank != 0 || report.failure.empty()) return;
    if (report.failure != reason) base::log_warning("{}", report.failure);
    std::string newest = report.newest;
    if (newest.empty() && start_.continue_after) newest = "with the file that this run began with";
    std::vector<std::string> missing;
    std::error_code error;
    for (const File& file : files_)
        if (!std::filesystem::exists(file.path, error)) missing.push_back(file.path);
    if (!missing.empty()) {
        base::log_warning(
            "output: all records before the failure are whole and kept, but these files are not there: {}; "
            "without them, start again",
            fmt::join(missing, ", "));
        return;
    }
    base::log_warning("output: all records before the failure are whole and kept; {}",
                      newest.empty()
                          ? std::string("this run has no restart file to continue from")
                          : fmt::format("once the cause is removed, continue with --restart {}", newest));
}

}  // namespace groundswell::simulation
