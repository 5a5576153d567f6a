#include "groundswell/halo/measure/byte_matrix.hpp"

#include <numeric>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::halo {

using parallel::check;

std::vector<std::int64_t> received_bytes(const Plan& plan, std::size_t bytes_per_id,
                                         const Selection* selection) {
    std::vector<std::int64_t> bytes;
    for (const Link& link : plan.sources()) {
        std::int64_t sum = static_cast<std::int64_t>(link.count) * static_cast<std::int64_t>(bytes_per_id);
        if (selection != nullptr) {
            std::int64_t values = 0;
            for (const std::int32_t position : plan.unpack_position().subspan(link.first, link.count))
                values += selection->needed[position].count;
            sum = values * selection->rows * static_cast<std::int64_t>(selection->value_bytes);
        }
        bytes.push_back(sum);
    }
    return bytes;
}

std::vector<std::vector<std::int64_t>> byte_matrix(const Plan& plan,
                                                   const std::vector<std::int64_t>& received) {
    GS_ASSERT(received.size() == plan.sources().size());
    const int rank = parallel::rank_of(plan.comm()), ranks = parallel::size_of(plan.comm());

    // Pairs of source and bytes, receiver after receiver.
    std::vector<std::int64_t> mine;
    for (std::size_t k = 0; k < received.size(); ++k) {
        mine.push_back(plan.sources()[k].rank);
        mine.push_back(received[k]);
    }
    const int length = static_cast<int>(mine.size());
    std::vector<int> lengths(rank == 0 ? static_cast<std::size_t>(ranks) : 0), begins(lengths.size());
    check(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, plan.comm()), "report a halo");
    std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
    std::vector<std::int64_t> all(rank == 0 ? static_cast<std::size_t>(begins.back() + lengths.back()) : 0);
    check(MPI_Gatherv(mine.data(), length, MPI_INT64_T, all.data(), lengths.data(), begins.data(),
                      MPI_INT64_T, 0, plan.comm()),
          "report a halo");

    std::vector<std::vector<std::int64_t>> matrix(lengths.size(),
                                                  std::vector<std::int64_t>(lengths.size(), 0));
    for (std::size_t receiver = 0; receiver < lengths.size(); ++receiver) {
        const auto begin = static_cast<std::size_t>(begins[receiver]);
        for (std::size_t i = begin; i < begin + static_cast<std::size_t>(lengths[receiver]); i += 2)
            matrix[all[i]][receiver] = all[i + 1];
    }
    return matrix;
}

}  // namespace groundswell::halo
