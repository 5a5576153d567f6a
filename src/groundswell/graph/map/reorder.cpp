#include "groundswell/graph/map/reorder.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/agree.hpp"

namespace groundswell::graph {
namespace {

constexpr const char* pretence_variable = "GROUNDSWELL_TEST_REORDER";
constexpr int message_tag = 1702;

enum class Pretence { none, reverse, rotate };

Pretence read_pretence() {
    const char* const text = std::getenv(pretence_variable);
    const std::string_view value = text == nullptr ? "" : text;
    if (value.empty()) return Pretence::none;
    if (value == "reverse") return Pretence::reverse;
    if (value == "rotate") return Pretence::rotate;
    base::refuse("environment", pretence_variable, value, "reverse or rotate");
}

/// MPI's weights are ints, and no more than a hint.
int as_weight(std::int64_t passing) {
    return static_cast<int>(std::min<std::int64_t>(passing, std::numeric_limits<int>::max()));
}

/// A row of the graph of parts: neighbours, what comes from them, what goes to them.
struct Row {
    std::vector<int> neighbour, received, sent;
};

Row row_of(const PartGraph& parts, int p) {
    Row row;
    for (std::int64_t j = parts.offset[p]; j < parts.offset[p + 1]; ++j) {
        row.neighbour.push_back(parts.neighbour[j]);
        row.received.push_back(as_weight(parts.received[j]));
        row.sent.push_back(as_weight(parts.sent[j]));
    }
    return row;
}

Row share_rows(MPI_Comm comm, const PartGraph& parts) {
    constexpr auto what = "telling ranks their neighbours";
    const int rank = parallel::rank_of(comm), size = parallel::size_of(comm);
    if (rank == 0) {
        for (int other = 1; other < size; ++other) {
            const Row row = row_of(parts, other);
            for (const auto* values : {&row.neighbour, &row.received, &row.sent})
                parallel::check(MPI_Send(values->data(), static_cast<int>(values->size()), MPI_INT, other,
                                         message_tag, comm),
                                what);
        }
        return row_of(parts, 0);
    }
    Row row;
    for (auto* values : {&row.neighbour, &row.received, &row.sent}) {
        MPI_Status status;
        int count = 0;
        parallel::check(MPI_Probe(0, message_tag, comm, &status), what);
        MPI_Get_count(&status, MPI_INT, &count);
        values->resize(static_cast<std::size_t>(count));
        parallel::check(MPI_Recv(values->data(), count, MPI_INT, 0, message_tag, comm, MPI_STATUS_IGNORE),
                        what);
    }
    return row;
}

}  // namespace

parallel::Communicator reorder_ranks(MPI_Comm comm, const PartGraph& parts) {
    const int rank = parallel::rank_of(comm), size = parallel::size_of(comm);
    const Pretence pretence = parallel::agree(comm, read_pretence);
    if (pretence == Pretence::reverse) return parallel::Communicator::split(comm, 0, size - 1 - rank);
    if (pretence == Pretence::rotate) return parallel::Communicator::split(comm, 0, (rank + 1) % size);

    Row row = share_rows(comm, parts);
    const int degree = static_cast<int>(row.neighbour.size());
    // A rank without neighbours takes part too; some libraries want a place to point at even for nothing.
    for (auto* values : {&row.neighbour, &row.received, &row.sent}) values->reserve(1);
    MPI_Comm reordered = MPI_COMM_NULL;
    parallel::check(
        MPI_Dist_graph_create_adjacent(comm, degree, row.neighbour.data(), row.received.data(), degree,
                                       row.neighbour.data(), row.sent.data(), MPI_INFO_NULL, 1, &reordered),
        "give the processes new ranks");
    return parallel::Communicator::adopt(reordered);
}

}  // namespace groundswell::graph
