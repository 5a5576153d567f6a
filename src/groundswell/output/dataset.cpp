#include "groundswell/output/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/output/check/checksum.hpp"
#include "groundswell/output/disk/mpi_hints.hpp"
#include "groundswell/output/disk/mpi_io_memory.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/output/writers/courier.hpp"
#include "groundswell/output/writers/first_record.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/cores/thread_time.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::output {

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr std::int64_t least_buffer = std::int64_t{1} << 20;  // where no bound is given

std::string human(std::int64_t bytes) {
    if (static_cast<double>(bytes) < mebibyte) return fmt::format("{} bytes", bytes);
    return fmt::format("{:.4g} MiB", static_cast<double>(bytes) / mebibyte);
}

bool threads_may_call_mpi() {
    int given = MPI_THREAD_SINGLE;
    parallel::check(MPI_Query_thread(&given), "tell its thread level");
    return given == MPI_THREAD_MULTIPLE;
}

/// Adds its life to a sum.
class Span {
public:
    explicit Span(double& sum) : sum_(sum), begin_(parallel::now()) {}
    ~Span() { sum_ += parallel::now() - begin_; }
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;

private:
    double& sum_;
    double begin_;
};

}  // namespace

std::vector<std::string> output_modes(Format format) {
    std::vector<std::string> modes{"auto"};
    for (const std::string& mode : available_modes(format)) modes.push_back(mode);
    modes.insert(modes.end(), {"thread", "servers"});
    return modes;
}

struct Output::Implementation {
    Implementation(MPI_Comm parent, const OutputOptions& options_, const Roles* roles)
        : options(options_), comm(parallel::Communicator::duplicate(parent)) {
        parallel::agree(comm.get(), [&] { check_options(roles); });
        WriterOptions writers{options.backend, options.on_error, options.first_pause, options.longest_wait};
        limits = {options.buffer_bytes, options.silence};
        mode = options.mode;
        if (lacks_shared_memory()) writers.backend = "serial";
        if (mode == "servers") {
            courier = make_server_courier(*roles, limits);
            Job begin;
            begin.kind = JobKind::begin;
            begin.options = writers;
            courier->deliver(std::move(begin), "setting up");
            courier->settle();  // what the servers said of an earlier Output is of no interest
            return;
        }
        if (mode == "auto") {
            decides = threads_may_call_mpi();
            mode = resolve_mode(writers.backend, options.where, options.storage.format);
            if (!decides && comm.rank() == 0)
                base::log_info("output: mode {}: {} gives no thread support", mode, parallel::library().name);
        }
        if (mode == "direct" || mode == "serial") writers.backend = mode;
        executor = std::make_shared<Executor>(comm.get(), writers);
        courier = make_direct_courier(executor);
        if (mode == "thread") use_thread();
    }

    /// Whether MPI-IO would be the way of writing, and cannot work here. Refused where the options demand it.
    bool lacks_shared_memory() const {
        const std::string& wanted = mode == "direct" || mode == "serial" ? mode : options.backend;
        if (options.storage.format != Format::cdf5 ||
            resolve_mode(wanted, options.where, options.storage.format) != "direct")
            return false;
        const std::string missing = missing_shared_memory(comm.size());
        parallel::agree(comm.get(), [&] {
            base::require(missing.empty() || wanted == "auto", options.where, "output.mode", wanted,
                          "serial or auto: " + missing);
        });
        if (parallel::max(comm.get(), std::int64_t{missing.empty() ? 0 : 1}) == 0) return false;
        if (comm.rank() == 0)
            base::log_warning("output: one rank writes for all: {}",
                              missing.empty() ? "/dev/shm of another host is too small" : missing);
        return true;
    }

    void check_options(const Roles* roles) const {
        check_storage(options.storage, options.where, "output.compression");
        check_hints(options.hints, options.where);
        const std::vector<std::string> modes = output_modes(options.storage.format);
        base::require(std::find(modes.begin(), modes.end(), options.mode) != modes.end(), options.where,
                      "output.mode", options.mode, fmt::format("one of {}", fmt::join(modes, ", ")));
        if (options.mode == "servers")
            base::require(roles != nullptr && !roles->serves, options.where, "output.mode", "servers",
                          "servers set apart before the start: output.servers = 1");
        if (options.mode == "thread")
            base::require(threads_may_call_mpi(), options.where, "output.mode", "thread",
                          fmt::format("direct, serial or servers where the MPI library gives no "
                                      "MPI_THREAD_MULTIPLE: {} {} was started without",
                                      parallel::library().name, parallel::library().version));
        resolve_mode(options.backend, options.where, options.storage.format);
    }

    void use_thread() {
        const parallel::Placement placement = parallel::find_placement(comm.get());
        limits.buffer_bytes = std::max(limits.buffer_bytes, courier->buffer_bytes());
        courier = make_thread_courier(
            executor, limits, options.writer_cpu,
            fmt::format("the writer thread of rank {} on host {}", comm.rank(), placement.host_name));
        mode = "thread";
    }

    /// What any writer met before ends this call on all ranks.
    void check_writers() {
        const WriterState state = courier->state();
        if (courier->in_step() && state.failure.code == base::ExitCode::done) return;
        parallel::agree_on(comm.get(), state.failure);
    }

    void deliver(Job job, const std::string& path) {
        const Span span(blocked_seconds);
        check_writers();
        const std::string description = job.describe(path);
        if (options.buffer_bytes == 0)
            courier->set_buffer_bytes(
                std::max({least_buffer, courier->buffer_bytes(), announced, 2 * job.value_bytes()}));
        courier->deliver(std::move(job), description);
        if (courier->in_step()) check_writers();
        if (!warned && courier->waited_seconds() > 1.0) {
            warned = true;
            if (comm.rank() == 0)
                base::log_warning("output: the model has to wait for the disk ({:.1f} s so far); {}",
                                  courier->waited_seconds(), advice());
        }
    }

    std::string advice() const {
        const WriterState state = courier->state();
        std::string text;
        if (state.writing_seconds > 0.0)
            text = fmt::format("the output reaches {:.3g} MB/s; ",
                               1e-6 * static_cast<double>(state.bytes) / state.writing_seconds);
        text +=
            "what would help: a faster file system or [output.hints] for it, fewer fields or longer "
            "intervals";
        if (mode == "servers") text += ", more servers";
        return text + "; a larger output.buffer only where several files are due at once";
    }

    std::int32_t number_of(const Decomposition& decomposition) {
        const auto [place, is_new] = decompositions.try_emplace(
            decomposition.identity(), static_cast<std::int32_t>(decompositions.size()));
        if (is_new) {
            Job job;
            job.kind = JobKind::decomposition;
            job.file = place->second;
            job.rows = decomposition.rows();
            job.owned = decomposition.owned_rows();
            deliver(std::move(job), "");
        }
        return place->second;
    }

    /// Mode auto, before a record.
    void decide() {
        decides = false;
        FirstRecord measured;
        measured.writing = parallel::max(comm.get(), record_time.wall);
        measured.asleep = parallel::max(comm.get(), record_time.asleep());
        measured.computing = parallel::max(comm.get(), parallel::now() - measured_at);
        measured.own_core = parallel::min(comm.get(), std::int64_t{options.writer_cpu ? 1 : 0}) == 1;
        measured.cores_for_all = parallel::min(comm.get(), std::int64_t{options.cores_for_all ? 1 : 0}) == 1;
        if (threads_pay(measured)) use_thread();
        if (comm.rank() == 0)
            base::log_info(
                "output: the first record took {:.3f} s ({:.3f} s of it waiting for the disk), the "
                "computation up to the second {:.3f} s{}: mode {}",
                measured.writing, measured.asleep, measured.computing,
                measured.own_core ? "" : ", and there is no free core for writer threads", mode);
    }

    void append(Job job, const std::string& path) {
        // The first records of several files may be due at once: the second of any ends the measurement.
        if (decides && !begun.insert(job.file).second) decide();
        if (!decides) {
            deliver(std::move(job), path);
            return;
        }
        const parallel::ThreadTime begin = parallel::ThreadTime::now();
        deliver(std::move(job), path);
        record_time += parallel::ThreadTime::now() - begin;
        measured_at = parallel::now();
    }

    void wait_for_all() {
        Job job;
        job.kind = JobKind::finish;
        courier->deliver(std::move(job), "closing all files");
        courier->settle();
        ended = true;
    }

    OutputOptions options;
    parallel::Communicator comm;
    CourierLimits limits;
    std::string mode;
    std::shared_ptr<Executor> executor;  // none where servers write
    std::unique_ptr<Courier> courier;
    std::map<std::uint64_t, std::int32_t> decompositions;  // identity → number of its job
    std::int32_t files = 0;
    std::int64_t announced = 0;
    double blocked_seconds = 0.0, finish_seconds = 0.0;
    bool warned = false, ended = false;
    bool decides = false;              // mode auto, before its decision
    std::set<std::int32_t> begun;      // files that have a record, until then
    parallel::ThreadTime record_time;  // of their first records
    double measured_at = 0.0;
};

Output::Output(MPI_Comm comm, const OutputOptions& options, const Roles* roles)
    : implementation_(std::make_unique<Implementation>(comm, options, roles)) {}
Output::~Output() = default;

void Output::announce(const std::string& path, std::int64_t bytes, Announced what) {
    Implementation& self = *implementation_;
    self.announced += what == Announced::record ? 2 * bytes : bytes;
    if (what == Announced::file) return;
    const std::int64_t largest = parallel::max(self.comm.get(), bytes);
    const bool copies = self.mode == "thread" || self.mode == "servers" || self.decides;
    parallel::agree(self.comm.get(), [&] {
        if (!copies || self.options.buffer_bytes == 0) return;
        base::require(self.options.buffer_bytes >= largest, self.options.where, "output.buffer",
                      human(self.options.buffer_bytes),
                      fmt::format("at least {}, one record of {} on a rank", human(largest), path));
    });
}

Dataset Output::make(Job job, const Schema& schema) {
    Implementation& self = *implementation_;
    Dataset dataset(*this, self.files++, std::make_shared<const Schema>(schema), job.path);
    job.file = dataset.number_;
    job.checksums = self.options.checksums;
    job.hints = self.options.hints;
    if (!job.replaces) job.file_storage = self.options.storage;
    job.schema = job.checksums ? std::make_shared<const Schema>(with_checksums(schema)) : dataset.schema_;
    self.deliver(std::move(job), dataset.path_);
    return dataset;
}

Dataset Output::create(const std::string& path, const Schema& schema, bool overwrite) {
    Job job;
    job.kind = JobKind::create;
    job.path = path;
    job.overwrite = overwrite;
    return make(std::move(job), schema);
}

Dataset Output::reopen(const std::string& path, const Schema& schema, double last_time) {
    Job job;
    job.kind = JobKind::reopen;
    job.path = path;
    job.time = last_time;
    return make(std::move(job), schema);
}

Dataset Output::replace(const std::string& path, const Schema& schema) {
    Job job;
    job.kind = JobKind::create;
    const std::string file = without_links(path);
    job.path = file + ".part";
    job.overwrite = true;
    job.replaces = true;
    Dataset dataset = make(std::move(job), schema);
    dataset.final_path_ = file;
    return dataset;
}

void Output::settle() {
    const Span span(implementation_->blocked_seconds);
    implementation_->courier->settle();
    implementation_->check_writers();
}

void Output::finish() {
    Implementation& self = *implementation_;
    GS_ASSERT(!self.ended);
    {
        const Span span(self.finish_seconds);
        self.wait_for_all();
    }
    self.check_writers();
    const double waited = parallel::max(self.comm.get(), self.courier->waited_seconds());
    if (waited > 0.5 && self.comm.rank() == 0)
        base::log_warning("output: the model waited {:.1f} s for the disk in all; {}", waited, self.advice());
}

void Output::abandon() noexcept {
    try {
        if (!implementation_->ended) implementation_->wait_for_all();
    } catch (const std::exception& error) {
        base::write_warning(error.what());
    }
}

OutputReport Output::report() const {
    const Implementation& self = *implementation_;
    const WriterState state = self.courier->state();
    OutputReport report;
    report.mode = self.mode;
    report.records = state.records;
    report.bytes = state.bytes;
    report.blocked_seconds = self.blocked_seconds;
    report.waited_seconds = self.courier->waited_seconds();
    report.waits = self.courier->waits();
    report.finish_seconds = self.finish_seconds;
    report.writing_seconds = state.writing_seconds;
    report.setup_seconds = state.setup_seconds;
    report.buffer_bytes = self.courier->buffer_bytes();
    report.most_bytes = self.courier->most_bytes_held();
    report.given_up = state.given_up;
    report.newest = state.newest;
    if (state.failure.code == base::ExitCode::failed) report.failure = state.failure.message;
    return report;
}

/// The caller's side of the contract that protects our memory is checked here; the rest by File.
VariablePart Dataset::part_of(const Values& values) const {
    const Variable* variable = schema_->find(values.variable);
    if (variable == nullptr) throw base::Defect(fmt::format("{}: no variable {}", path_, values.variable));
    const std::int64_t value_bytes = size_of(variable->type), width = schema_->row_width(*variable);
    const std::int64_t stride = values.row_stride == 0 ? width : values.row_stride;
    Output::Implementation& output = *output_->implementation_;
    VariablePart part;
    part.variable = static_cast<std::int32_t>(variable - schema_->variables.data());
    part.row_bytes = width * value_bytes;
    part.stride_bytes = stride * value_bytes;
    part.data = values.data;
    if (values.decomposition != nullptr) {
        part.decomposition = output.number_of(*values.decomposition);
        part.rows = values.decomposition->owned();
    } else if (output.comm.rank() == 0) {
        part.rows = schema_->rows(*variable);
    }
    const bool enough = part.rows == 0 || values.count >= (part.rows - 1) * stride + width;
    if (values.type != variable->type || stride < width || !enough)
        throw base::Defect(fmt::format("{}: values of {} do not fit it", path_, values.variable));
    return part;
}

namespace {

std::uint64_t checksum_of(const VariablePart& part, const Decomposition* decomposition) {
    std::uint64_t sum = 0;
    const auto row_at = [&](std::int64_t i) {
        return std::span(part.data + i * part.stride_bytes, static_cast<std::size_t>(part.row_bytes));
    };
    if (decomposition == nullptr) {
        for (std::int64_t i = 0; i < part.rows; ++i) sum += rows_checksum(i, row_at(i), part.row_bytes);
        return sum;
    }
    for (const Decomposition::Partner& partner : decomposition->receivers())
        for (std::size_t i = 0; i < partner.index.size(); ++i)
            sum += rows_checksum(partner.row[i], row_at(partner.index[i]), part.row_bytes);
    return sum;
}

}  // namespace

void Dataset::write_fixed(const Values& values) {
    Output::Implementation& output = *output_->implementation_;
    Job job;
    job.kind = JobKind::fixed;
    job.file = number_;
    job.parts.push_back(part_of(values));
    if (output.options.checksums)
        job.parts.back().checksum = checksum_of(job.parts.back(), values.decomposition);
    output.deliver(std::move(job), path_);
}

void Dataset::append_record(double time, std::span<const Values> values) {
    Output::Implementation& output = *output_->implementation_;
    Job job;
    job.kind = JobKind::record;
    job.file = number_;
    job.time = time;
    for (const Values& each : values) {
        job.parts.push_back(part_of(each));
        if (output.options.checksums)
            job.parts.back().checksum = checksum_of(job.parts.back(), each.decomposition);
    }
    output.append(std::move(job), path_);
}

void Dataset::close(const std::vector<std::string>& older, int keep) {
    Job job;
    job.kind = JobKind::close;
    job.file = number_;
    job.path = final_path_;
    job.older = older;
    job.keep = keep;
    output_->implementation_->deliver(std::move(job), path_);
}

}  // namespace groundswell::output
