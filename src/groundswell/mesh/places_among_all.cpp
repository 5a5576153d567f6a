#include "groundswell/mesh/places_among_all.hpp"

#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/row_blocks.hpp"

namespace groundswell::mesh {

std::vector<std::int64_t> places_among_all(MPI_Comm comm, std::int64_t limit,
                                           std::span<const std::int64_t> mine) {
    parallel::SparseExchange exchange(comm);
    const parallel::RowBlocks blocks(limit, parallel::size_of(comm), parallel::rank_of(comm));
    std::vector<std::int64_t> below(blocks.mine(), 0);  // first 1 where there is such a number
    return parallel::ask_owners<std::int64_t, std::int64_t>(
        exchange, blocks, mine, [&](std::int64_t number) { below[number - blocks.begin()] = 1; },
        [&] {
            std::int64_t all = 0;
            for (std::int64_t& one : below) {
                const std::int64_t here = one;
                one = all;
                all += here;
            }
            const std::int64_t before = parallel::sum_before(comm, all);
            for (std::int64_t& one : below) one += before;
        },
        [&](std::int64_t number) { return below[number - blocks.begin()]; });
}

}  // namespace groundswell::mesh
