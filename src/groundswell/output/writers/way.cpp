#include "groundswell/output/writers/way.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/output/disk/mpi_hints.hpp"
#include "groundswell/output/file.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::output {

namespace {

constexpr std::int64_t least_buffer = std::int64_t{1} << 20;  // where no bound is given

bool threads_may_call_mpi() {
    int given = MPI_THREAD_SINGLE;
    parallel::check(MPI_Query_thread(&given), "tell its thread level");
    return given == MPI_THREAD_MULTIPLE;
}

}  // namespace

std::vector<std::string> output_modes(Format format) {
    std::vector<std::string> modes{"auto"};
    for (const std::string& mode : available_modes(format)) modes.push_back(mode);
    modes.insert(modes.end(), {"thread", "servers"});
    return modes;
}

Way::Way(MPI_Comm parent, const OutputOptions& options, const Roles* roles)
    : options_(options), comm_(parallel::Communicator::duplicate(parent)) {
    parallel::agree(comm(), [&] { check_options(roles); });
    WriterOptions writers{options.backend, options.on_error, options.first_pause, options.longest_wait};
    limits_ = {options.buffer_bytes, options.silence};
    report_.mode = options.mode;
    if (lacks_shared_memory()) writers.backend = "serial";
    if (report_.mode == "servers") {
        courier_ = make_server_courier(*roles, limits_);
        report_.server = roles->server;
        report_.host = roles->host;
        report_.server_host = roles->server_host;
        courier_->deliver({.kind = JobKind::begin, .options = writers}, "setting up");
        courier_->settle();  // what the servers said of an earlier Output is of no interest
        return;
    }
    if (report_.mode == "auto") {
        decides_ = threads_may_call_mpi();
        report_.mode = resolve_mode(writers.backend, options.where, options.storage.format);
        if (!decides_ && rank() == 0)
            base::log_info("output: mode {}: {} gives no thread support", report_.mode,
                           parallel::library().name);
    }
    if (report_.mode == "direct" || report_.mode == "serial") writers.backend = report_.mode;
    executor_ = std::make_shared<Executor>(comm(), writers);
    courier_ = make_direct_courier(executor_);
    if (report_.mode == "thread") use_thread();
}

/// Whether MPI-IO would be the way of writing, and cannot work here. Refused where the options demand it.
bool Way::lacks_shared_memory() const {
    const std::string& wanted =
        report_.mode == "direct" || report_.mode == "serial" ? report_.mode : options_.backend;
    if (options_.storage.format != Format::cdf5 ||
        resolve_mode(wanted, options_.where, options_.storage.format) != "direct")
        return false;
    const std::string missing = missing_shared_memory(comm_.size());
    parallel::agree(comm(), [&] {
        base::require(missing.empty() || wanted == "auto", options_.where, options_.names.mode, wanted,
                      "serial or auto: " + missing);
    });
    if (parallel::max(comm(), std::int64_t{missing.empty() ? 0 : 1}) == 0) return false;
    if (rank() == 0)
        base::log_warning("output: one rank writes for all: {}",
                          missing.empty() ? "/dev/shm of another host is too small" : missing);
    return true;
}

void Way::check_options(const Roles* roles) const {
    const OptionNames& names = options_.names;
    check_storage(options_.storage, options_.where, names.compression);
    check_hints(options_.hints, options_.where, names.hints);
    const std::vector<std::string> modes = output_modes(options_.storage.format);
    base::require(std::find(modes.begin(), modes.end(), options_.mode) != modes.end(), options_.where,
                  names.mode, options_.mode, fmt::format("one of {}", fmt::join(modes, ", ")));
    if (options_.mode == "servers")
        base::require(roles != nullptr && !roles->serves, options_.where, names.mode, "servers",
                      "servers set apart before the start: " + names.servers);
    if (options_.mode == "thread")
        base::require(threads_may_call_mpi(), options_.where, names.mode, "thread",
                      fmt::format("direct, serial or servers where the MPI library gives no "
                                  "MPI_THREAD_MULTIPLE: {} {} was started without",
                                  parallel::library().name, parallel::library().version));
    resolve_mode(options_.backend, options_.where, options_.storage.format);
}

void Way::use_thread() {
    const parallel::Placement placement = parallel::find_placement(comm());
    limits_.buffer_bytes = std::max(limits_.buffer_bytes, courier_->buffer_bytes());
    courier_ = make_thread_courier(
        executor_, limits_, options_.writer_cpu,
        fmt::format("the writer thread of rank {} on host {}", rank(), placement.host_name));
    report_.mode = "thread";
}

/// Ends this call on all ranks with the failure that any writer met before.
void Way::check_writers() {
    const WriterState state = courier_->state();
    if (courier_->in_step() && state.failure.code == base::ExitCode::done) return;
    parallel::agree_on(comm(), state.failure);
}

void Way::announce(const std::string& path, std::int64_t bytes, bool whole_file) {
    announced_ += whole_file ? bytes : 2 * bytes;
    if (whole_file) return;
    const std::int64_t largest = parallel::max(comm(), bytes);
    const bool copies = report_.mode == "thread" || report_.mode == "servers" || decides_;
    parallel::agree(comm(), [&] {
        if (!copies || options_.buffer_bytes == 0) return;
        base::require(options_.buffer_bytes >= largest, options_.where, options_.names.buffer,
                      base::size_text(options_.buffer_bytes),
                      fmt::format("at least {}, one record of {} on a rank", base::size_text(largest), path));
    });
}

void Way::deliver(Job job, const std::string& path) {
    const parallel::Stopwatch span(report_.blocked_seconds);
    double elsewhere = 0.0;
    const parallel::Stopwatch of_file(path.empty() ? elsewhere : blocked_by_file_[cost_name(path)]);
    check_writers();
    const std::string description = job.describe(path);
    if (options_.buffer_bytes == 0)
        courier_->set_buffer_bytes(
            std::max({least_buffer, courier_->buffer_bytes(), announced_, 2 * job.value_bytes()}));
    courier_->deliver(std::move(job), description);
    if (courier_->in_step()) check_writers();
    if (!warned_ && courier_->waited_seconds() > 1.0) {
        warned_ = true;
        if (rank() == 0)
            base::log_warning("output: the model has to wait for the disk ({:.1f} s so far); {}",
                              courier_->waited_seconds(), advice());
    }
}

std::string Way::advice() const {
    const WriterState state = courier_->state();
    std::string text;
    if (state.writing_seconds > 0.0)
        text = fmt::format("the output reaches {:.3g} MB/s; ",
                           1e-6 * static_cast<double>(state.bytes) / state.writing_seconds);
    text +=
        fmt::format("what would help: a faster file system or {} for it, fewer fields or longer intervals",
                    options_.names.hints);
    if (report_.mode == "servers") text += ", more servers";
    return fmt::format("{}; a larger {} only where several files are due at once", text,
                       options_.names.buffer);
}

/// Mode auto, before a record.
void Way::decide() {
    decides_ = false;
    FirstRecord measured;
    measured.writing = parallel::max(comm(), record_time_.wall);
    measured.asleep = parallel::max(comm(), record_time_.asleep());
    measured.computing = parallel::max(comm(), parallel::now() - measured_at_);
    measured.own_core = parallel::min(comm(), std::int64_t{options_.writer_cpu ? 1 : 0}) == 1;
    measured.cores_for_all = parallel::min(comm(), std::int64_t{options_.cores_for_all ? 1 : 0}) == 1;
    if (threads_pay(measured)) use_thread();
    if (rank() == 0)
        base::log_info(
            "output: the first record took {:.3f} s ({:.3f} s of it waiting for the disk), the "
            "computation up to the second {:.3f} s{}: mode {}",
            measured.writing, measured.asleep, measured.computing,
            measured.own_core ? "" : ", and there is no free core for writer threads", report_.mode);
}

void Way::append(Job job, const std::string& path) {
    // The first records of several files may be due at once: the second of any ends the measurement.
    if (decides_ && !begun_.insert(job.file).second) decide();
    if (!decides_) {
        deliver(std::move(job), path);
        return;
    }
    const parallel::ThreadTime begin = parallel::ThreadTime::now();
    deliver(std::move(job), path);
    record_time_ += parallel::ThreadTime::now() - begin;
    measured_at_ = parallel::now();
}

void Way::settle() {
    const parallel::Stopwatch span(report_.blocked_seconds);
    courier_->settle();
    check_writers();
}

void Way::wait_for_all() {
    courier_->deliver({.kind = JobKind::finish}, "closing all files");
    courier_->settle();
    ended_ = true;
}

void Way::finish() {
    GS_ASSERT(!ended_);
    {
        const parallel::Stopwatch span(report_.finish_seconds);
        wait_for_all();
    }
    check_writers();
    const double waited = parallel::max(comm(), courier_->waited_seconds());
    if (waited > 0.5 && rank() == 0)
        base::log_warning("output: the model waited {:.1f} s for the disk in all; {}", waited, advice());
}

OutputReport Way::report() const {
    const WriterState state = courier_->state();
    OutputReport report = report_;
    static_cast<WriterWork&>(report) = state;
    report.waited_seconds = courier_->waited_seconds();
    report.waits = courier_->waits();
    report.buffer_bytes = courier_->buffer_bytes();
    report.most_bytes = courier_->most_bytes_held();
    for (const auto& [path, blocked] : blocked_by_file_) {
        const auto found = state.files.find(path);
        const FileWork work = found == state.files.end() ? FileWork{} : found->second;
        report.files.push_back({path, work.records, work.bytes, blocked, work.seconds});
    }
    report.given_up = state.given_up;
    report.newest = state.newest;
    if (state.failure.code == base::ExitCode::failed) report.failure = state.failure.message;
    return report;
}

bool threads_pay(const FirstRecord& measured) {
    constexpr double worth_it = 0.02;
    if (!measured.cores_for_all) return false;
    return (measured.own_core ? measured.writing : measured.asleep) > worth_it * measured.computing;
}

}  // namespace groundswell::output
