#include "groundswell/output/dataset.hpp"

#include <fmt/format.h>

#include <map>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"
#include "groundswell/output/checksum.hpp"
#include "groundswell/output/disk/target.hpp"
#include "groundswell/output/writers/way.hpp"

namespace groundswell::output {

namespace {

/// Checksum of each record.
std::vector<std::uint64_t> checksums_of(const VariablePart& part, const RowShape& shape, std::int64_t records,
                                        const Decomposition* decomposition) {
    std::vector<std::uint64_t> sums(records, 0);
    const std::byte* group = part.data;
    for (std::uint64_t& sum : sums)
        for (std::int64_t segment = 0; segment < shape.segments;
             ++segment, group += part.rows * part.stride_bytes) {
            const auto add = [&](std::int64_t row, std::int64_t i) {
                const std::span values(group + i * part.stride_bytes,
                                       static_cast<std::size_t>(part.row_bytes));
                sum += rows_checksum(shape.number(segment, row), values, part.row_bytes);
            };
            if (decomposition == nullptr)
                for (std::int64_t i = 0; i < part.rows; ++i) add(i, i);
            else
                for (const Decomposition::Partner& partner : decomposition->receivers())
                    for (std::size_t i = 0; i < partner.index.size(); ++i)
                        add(partner.row[i], partner.index[i]);
        }
    return sums;
}

}  // namespace

struct Output::Implementation {
    Implementation(MPI_Comm comm, const OutputOptions& options, const Roles* roles)
        : way(comm, options, roles) {}

    std::int32_t number_of(const Decomposition& decomposition) {
        const auto [place, is_new] = decompositions.try_emplace(
            decomposition.identity(), static_cast<std::int32_t>(decompositions.size()));
        if (is_new) {
            way.deliver({.kind = JobKind::decomposition,
                         .file = place->second,
                         .rows = decomposition.rows(),
                         .owned = decomposition.owned_rows()},
                        "");
        }
        return place->second;
    }

    /// The caller's side of the contract that protects our memory is checked here; the rest by File.
    VariablePart part_of(const Dataset& dataset, const Values& values, std::int64_t records) {
        const Schema& schema = *dataset.schema_;
        const Variable* variable = schema.find(values.variable);
        if (variable == nullptr)
            throw base::Defect(fmt::format("{}: no variable {}", dataset.path_, values.variable));
        const RowShape shape = schema.row_shape(*variable);
        const std::int64_t value_bytes = size_of(variable->type), width = shape.row_width;
        const std::int64_t stride = values.row_stride == 0 ? width : values.row_stride;
        VariablePart part;
        part.variable = static_cast<std::int32_t>(variable - schema.variables.data());
        part.groups = records * shape.segments;
        part.row_bytes = width * value_bytes;
        part.stride_bytes = stride * value_bytes;
        part.data = values.data;
        if (values.decomposition != nullptr) {
            part.decomposition = number_of(*values.decomposition);
            part.rows = values.decomposition->owned();
        } else if (way.rank() == 0) {
            part.rows = shape.rows;
        }
        const std::int64_t rows = part.groups * part.rows;
        const bool enough = rows == 0 || values.count >= (rows - 1) * stride + width;
        if (values.type != variable->type || stride < width || !enough)
            throw base::Defect(fmt::format("{}: values of {} do not fit it", dataset.path_, values.variable));
        if (dataset.checksums_) part.checksums = checksums_of(part, shape, records, values.decomposition);
        return part;
    }

    Dataset make(Output& output, Job job, const Schema& schema, bool checksums = false) {
        Dataset dataset(output, files++, std::make_shared<const Schema>(schema), job.path);
        job.file = dataset.number_;
        dataset.checksums_ = job.checksums = checksums || way.options().checksums;
        job.hints = way.options().hints;
        if (!job.replaces) job.file_storage = way.options().storage;
        job.schema = job.checksums ? std::make_shared<const Schema>(with_checksums(schema)) : dataset.schema_;
        way.deliver(std::move(job), dataset.path_);
        return dataset;
    }

    Way way;
    std::map<std::uint64_t, std::int32_t> decompositions;  // identity → number of its job
    std::int32_t files = 0;
};

Output::Output(MPI_Comm comm, const OutputOptions& options, const Roles* roles)
    : implementation_(std::make_unique<Implementation>(comm, options, roles)) {}
Output::~Output() = default;

void Output::announce(const std::string& path, std::int64_t bytes, Announced what) {
    implementation_->way.announce(path, bytes, what == Announced::file);
}

Dataset Output::create(const std::string& path, const Schema& schema, bool overwrite) {
    return implementation_->make(*this, {.kind = JobKind::create, .path = path, .overwrite = overwrite},
                                 schema);
}

Dataset Output::reopen(const std::string& path, const Schema& schema, double last_time) {
    return implementation_->make(*this, {.kind = JobKind::reopen, .path = path, .time = last_time}, schema);
}

Dataset Output::replace(const std::string& path, const Schema& schema, bool checksums) {
    const std::string file = without_links(path);
    Dataset dataset = implementation_->make(
        *this, {.kind = JobKind::create, .path = file + ".part", .overwrite = true, .replaces = true}, schema,
        checksums);
    dataset.final_path_ = file;
    return dataset;
}

void Output::settle() {
    implementation_->way.settle();
}

void Output::finish() {
    implementation_->way.finish();
}

void Output::abandon() noexcept {
    try {
        if (!implementation_->way.ended()) implementation_->way.wait_for_all();
    } catch (const std::exception& error) {
        base::write_warning(error.what());
    }
}

OutputReport Output::report() const {
    return implementation_->way.report();
}

void Dataset::write_fixed(const Values& values) {
    Job job{.kind = JobKind::fixed, .file = number_};
    job.parts.push_back(output_->implementation_->part_of(*this, values, 1));
    output_->implementation_->way.deliver(std::move(job), path_);
}

void Dataset::append_record(double time, std::span<const Values> values) {
    append_records(std::span(&time, 1), values);
}

void Dataset::append_records(std::span<const double> times, std::span<const Values> values) {
    if (times.empty()) return;
    Job job{.kind = JobKind::record, .file = number_, .times = {times.begin(), times.end()}};
    for (const Values& each : values)
        job.parts.push_back(
            output_->implementation_->part_of(*this, each, static_cast<std::int64_t>(times.size())));
    output_->implementation_->way.append(std::move(job), path_);
}

void Dataset::close(const std::vector<std::string>& older, int keep) {
    output_->implementation_->way.deliver(
        {.kind = JobKind::close, .file = number_, .path = final_path_, .older = older, .keep = keep}, path_);
}

}  // namespace groundswell::output
