#include <span>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/checksum.hpp"
#include "groundswell/output/writers/executor.hpp"
#include "groundswell/parallel/message_pieces.hpp"

namespace groundswell::output {

std::vector<std::uint64_t> Executor::sum_checksums(const Job& job) const {
    std::vector<std::uint64_t> sums;
    for (const VariablePart& part : job.parts)
        sums.insert(sums.end(), part.checksums.begin(), part.checksums.end());
    parallel::check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_UINT64_T,
                                  MPI_SUM, comm_.get()),
                    "add up checksums");
    return sums;
}

/// A whole array is written by the first writer. The rank that gave it may be served by another one.
std::vector<std::byte> Executor::bring_to_first(VariablePart& part) const {
    constexpr int tag_array = 761;
    std::vector<std::byte> bytes;
    if (part.decomposition >= 0 || comm_.size() == 1) return bytes;
    std::int64_t holder[2] = {part.bytes() > 0 ? comm_.rank() : -1, part.rows};
    parallel::check(MPI_Allreduce(MPI_IN_PLACE, holder, 2, MPI_INT64_T, MPI_MAX, comm_.get()),
                    "find the values of an array");
    if (holder[0] <= 0) return bytes;
    const std::int64_t size = part.groups * holder[1] * part.row_bytes;
    if (comm_.rank() == holder[0]) {
        parallel::for_each_piece(size, [&](std::int64_t at, int count) {
            parallel::check(MPI_Send(part.data + at, count, MPI_BYTE, 0, tag_array, comm_.get()),
                            "pass the values of an array on");
        });
        part.rows = 0;
    } else if (comm_.rank() == 0) {
        bytes.resize(size);
        parallel::for_each_piece(size, [&](std::int64_t at, int count) {
            parallel::check(MPI_Recv(bytes.data() + at, count, MPI_BYTE, static_cast<int>(holder[0]),
                                     tag_array, comm_.get(), MPI_STATUS_IGNORE),
                            "take the values of an array");
        });
        part.rows = holder[1];
        part.data = bytes.data();
    }
    return bytes;
}

void Executor::write(Slot& slot, const Job& job) {
    if (!slot.file) throw base::Defect(slot.path + ": written before it was created");
    std::vector<Values> values;
    std::vector<std::vector<std::byte>> passed_on;
    for (VariablePart part : job.parts) {
        passed_on.push_back(bring_to_first(part));
        const Variable& variable = slot.schema->variables[part.variable];
        const std::int64_t value_bytes = size_of(variable.type);
        const Decomposition* decomposition =
            part.decomposition < 0 ? nullptr : decompositions_[part.decomposition].get();
        const std::int64_t width = part.row_bytes / value_bytes, stride = part.stride_bytes / value_bytes;
        values.push_back({variable.name, variable.type, part.data,
                          part.bytes() == 0 ? 0 : (part.groups * part.rows - 1) * stride + width,
                          stride == width ? 0 : stride, decomposition});
    }
    std::vector<std::int64_t> sums;
    if (slot.checksums) {
        // The file holds them as int64: the same 64 bits.
        for (const std::uint64_t sum : sum_checksums(job)) sums.push_back(static_cast<std::int64_t>(sum));
        std::span<const std::int64_t> left = sums;
        for (std::size_t i = 0; i < job.parts.size(); ++i) {
            const std::size_t count = job.parts[i].checksums.size();
            values.push_back(replicated<std::int64_t>(checksum_name(values[i].variable), left.first(count)));
            left = left.subspan(count);
        }
    }
    if (job.kind == JobKind::record) {
        // The time's own checksum follows from the time, which every writer has.
        const std::string& time_name = slot.schema->record_dimension()->name;
        std::vector<std::int64_t> time_sums;
        for (const double& time : job.times)
            time_sums.push_back(static_cast<std::int64_t>(
                rows_checksum(0, std::as_bytes(std::span(&time, 1)), sizeof(double))));
        if (slot.checksums) values.push_back(replicated<std::int64_t>(checksum_name(time_name), time_sums));
        attempt(slot, true, [&] {
            const std::int64_t before = slot.file->bytes_written();
            slot.file->append_records(job.times, values);
            state_.bytes += slot.file->bytes_written() - before;
            state_.records += static_cast<std::int64_t>(job.times.size());
        });
        return;
    }
    for (const Values& each : values) {
        if (slot.given_up || state_.failure.code != base::ExitCode::done) return;
        attempt(slot, true, [&] {
            const std::int64_t before = slot.file->bytes_written();
            slot.file->write_fixed(each);
            state_.bytes += slot.file->bytes_written() - before;
        });
    }
}

}  // namespace groundswell::output
