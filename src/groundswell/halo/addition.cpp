#include "groundswell/halo/addition.hpp"

#include <mpi.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <tuple>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::halo {

namespace {

using parallel::check;

std::size_t bytes_of(Number type) {
    return type == Number::int32 || type == Number::float32 ? 4 : 8;
}

/// Key by which owners order a rank's contributions: in the order in which they come, or nothing
/// where no rank has an order. Collective.
std::vector<std::int64_t> received_order(const Plan& reversed, const std::vector<std::int64_t>& order) {
    const auto needed = static_cast<std::size_t>(reversed.needed());
    const bool any = parallel::max(reversed.comm(), std::int64_t{order.empty() ? 0 : 1}) != 0;
    parallel::agree(reversed.comm(), [&] {
        if (any)
            base::require(order.size() == needed, "halo", "order of addition",
                          fmt::format("{} numbers", order.size()),
                          fmt::format("one for each of the {} needed ids", needed));
    });
    if (!any) return {};
    std::vector<std::int64_t> sent, received(reversed.unpack_index().size());
    for (const std::int32_t position : reversed.unpack_position()) sent.push_back(order[position]);

    const auto comm = parallel::Communicator::duplicate(reversed.comm());
    std::vector<MPI_Request> requests;
    for (const Link& link : reversed.sources())
        check(MPI_Irecv(received.data() + link.first, link.count, MPI_INT64_T, link.rank, 0, comm.get(),
                        &requests.emplace_back()),
              "receive the order of an addition");
    for (const Link& link : reversed.destinations())
        check(MPI_Isend(sent.data() + link.first, link.count, MPI_INT64_T, link.rank, 0, comm.get(),
                        &requests.emplace_back()),
              "send the order of an addition");
    check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
          "agree on the order of an addition");
    return received;
}

template <class T>
void add_block(std::byte* owned, const std::byte* contribution, std::size_t bytes) {
    for (std::size_t b = 0; b < bytes; b += sizeof(T)) {
        T sum, summand;  // values of a message need not be aligned
        std::memcpy(&sum, owned + b, sizeof(T));
        std::memcpy(&summand, contribution + b, sizeof(T));
        sum += summand;
        std::memcpy(owned + b, &sum, sizeof(T));
    }
}

auto adder_of(Number type) {
    // Whole numbers that run over begin anew, whatever their sign.
    if (type == Number::int32) return &add_block<std::uint32_t>;
    if (type == Number::int64) return &add_block<std::uint64_t>;
    return type == Number::float32 ? &add_block<float> : &add_block<double>;
}

}  // namespace

Adder::Adder(const Plan& reversed, std::span<const AddedField> fields) {
    parallel::agree(reversed.comm(), [&] {
        for (const AddedField& field : fields) {
            const std::size_t value = bytes_of(field.addition->type);
            base::require(field.bytes % value == 0, "halo", "bytes added to an id",
                          std::to_string(field.bytes), fmt::format("a multiple of the {} of a value", value));
        }
    });
    // Where each field's part of each message begins.
    std::vector<std::size_t> begin(reversed.sources().size(), 0);
    for (const AddedField& field : fields) {
        const std::vector<std::int64_t> order = received_order(reversed, field.addition->order);
        Sums sums{field.bytes, field.stride, field.addition->type, {}};
        for (std::size_t k = 0; k < begin.size(); ++k) {
            const Link& link = reversed.sources()[k];
            for (std::int32_t i = link.first; i < link.first + link.count; ++i, begin[k] += field.bytes)
                sums.contributions.push_back(
                    {reversed.unpack_index()[i], static_cast<std::int32_t>(k), begin[k]});
        }
        // They stand in the order of ranks, and of the needed ids of each: equal ones keep it.
        std::vector<std::size_t> sorted(sums.contributions.size());
        std::iota(sorted.begin(), sorted.end(), std::size_t{0});
        std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
            const auto key = [&](std::size_t i) {
                return std::tuple(sums.contributions[i].owned, order.empty() ? std::int64_t{0} : order[i]);
            };
            return key(a) < key(b);
        });
        Sums in_order{field.bytes, field.stride, field.addition->type, {}};
        for (const std::size_t i : sorted) in_order.contributions.push_back(sums.contributions[i]);
        fields_.push_back(std::move(in_order));
    }
}

void Adder::add(std::span<std::byte* const> bases, std::span<const std::byte* const> messages) const {
    for (std::size_t c = 0; c < fields_.size(); ++c) {
        const Sums& sums = fields_[c];
        const auto add_one = adder_of(sums.type);
        for (const Contribution& one : sums.contributions)
            add_one(bases[c] + static_cast<std::size_t>(one.owned) * sums.stride,
                    messages[one.message] + one.offset, sums.bytes);
    }
}

}  // namespace groundswell::halo
