#include "groundswell/halo/measure/byte_matrix.hpp"

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/gather.hpp"

namespace groundswell::halo {

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
    // Pairs of source and bytes, receiver after receiver.
    std::vector<std::int64_t> mine;
    for (std::size_t k = 0; k < received.size(); ++k) {
        mine.push_back(plan.sources()[k].rank);
        mine.push_back(received[k]);
    }
    const auto all = parallel::gather_rows<std::int64_t>(plan.comm(), mine);
    const std::size_t ranks = all.begin.empty() ? 0 : all.begin.size() - 1;
    std::vector<std::vector<std::int64_t>> matrix(ranks, std::vector<std::int64_t>(ranks, 0));
    for (std::size_t receiver = 0; receiver < ranks; ++receiver) {
        const auto pairs = all.of_rank(receiver);
        for (std::size_t i = 0; i < pairs.size(); i += 2) matrix[pairs[i]][receiver] = pairs[i + 1];
    }
    return matrix;
}

}  // namespace groundswell::halo
