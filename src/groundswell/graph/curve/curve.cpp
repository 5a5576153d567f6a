#include "groundswell/graph/curve/curve.hpp"

#include <algorithm>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/graph/curve/stretch.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/parallel/row_blocks.hpp"

namespace groundswell::graph {
namespace {

using parallel::Parcel;
using parallel::SparseExchange;

/// A cell on its way, and where it came from.
struct Traveller {
    CurveCell cell;
    int home;            // rank
    std::int32_t index;  // among the cells there

    auto key() const { return std::pair(cell.position, cell.row); }
};

struct Answer {
    CurvePlace place;
    std::int32_t index;
};

/// The largest value for which `count(value)`, which grows with it, is at most `wanted`.
template <class Value, class Count>
Value largest_with(Value most, std::int64_t wanted, Count count) {
    Value low = 0, high = most;
    while (low < high) {
        const Value middle = low + (high - low) / 2 + 1;
        if (count(middle) <= wanted) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/// Number of this rank's cells among the first `wanted` of all ranks'.
std::int64_t cells_among_first(MPI_Comm comm, const std::vector<Traveller>& sorted, std::int64_t wanted) {
    const auto mine_before = [&](std::uint64_t position, std::int64_t row) {
        const auto end = std::ranges::lower_bound(sorted, std::pair(position, row), {}, &Traveller::key);
        return static_cast<std::int64_t>(end - sorted.begin());
    };
    const auto before = [&](std::uint64_t position, std::int64_t row) {
        return parallel::sum(comm, mine_before(position, row));
    };
    std::uint64_t last_position = 0;
    std::int64_t last_row = 0;
    for (const Traveller& t : sorted) {
        last_position = std::max(last_position, t.cell.position);
        last_row = std::max(last_row, t.cell.row);
    }
    // Positions are at most 63 bits.
    last_position = static_cast<std::uint64_t>(parallel::max(comm, static_cast<std::int64_t>(last_position)));
    last_row = parallel::max(comm, last_row);
    const std::uint64_t position =
        largest_with(last_position, wanted, [&](std::uint64_t p) { return before(p, 0); });
    const std::int64_t row =
        largest_with(last_row + 1, wanted, [&](std::int64_t r) { return before(position, r); });
    return mine_before(position, row);
}

/// Adds parcels for `cells`, which all ranks deal evenly to `ranks` ranks from `first` on.
void deal_evenly(MPI_Comm comm, std::span<const Traveller> cells, std::int64_t of_all, int first, int ranks,
                 std::vector<Parcel>& outgoing) {
    const parallel::RowBlocks blocks(of_all, ranks, 0);
    std::int64_t next = parallel::sum_before(comm, static_cast<std::int64_t>(cells.size()));
    while (!cells.empty()) {
        const int target = blocks.owner(next);
        const std::int64_t room = (target + 1) * blocks.length - next;
        const std::size_t count = std::min(cells.size(), static_cast<std::size_t>(room));
        outgoing.push_back(parallel::pack_parcel<Traveller>(first + target, cells.first(count)));
        cells = cells.subspan(count);
        next += static_cast<std::int64_t>(count);
    }
}

std::vector<Traveller> unpack(const std::vector<Parcel>& parcels) {
    std::vector<Traveller> cells;
    for (const Parcel& parcel : parcels) {
        const std::vector<Traveller> more = parallel::unpack_parcel<Traveller>(parcel);
        cells.insert(cells.end(), more.begin(), more.end());
    }
    std::ranges::sort(cells, {}, &Traveller::key);
    return cells;
}

/// Puts all ranks' cells in order: each rank then holds cells that come before those of the next.
std::vector<Traveller> sort_along(MPI_Comm comm, SparseExchange& exchange, std::vector<Traveller> cells) {
    const int size = parallel::size_of(comm);
    std::ranges::sort(cells, {}, &Traveller::key);
    parallel::Communicator half = parallel::Communicator::duplicate(comm);
    int first = 0;  // rank of half's first
    for (int reached = 1; reached < size; reached *= 2) {
        std::vector<Parcel> outgoing;
        const bool divides = half.size() > 1;
        int lower = half.size();
        if (divides) {
            lower = half.size() / 2;
            const std::int64_t all = parallel::sum(half.get(), static_cast<std::int64_t>(cells.size()));
            const std::int64_t wanted = all * lower / half.size();
            const std::int64_t mine = cells_among_first(half.get(), cells, wanted);
            const auto lows = std::span(cells).first(mine);
            const auto highs = std::span(cells).subspan(mine);
            deal_evenly(half.get(), lows, wanted, first, lower, outgoing);
            deal_evenly(half.get(), highs, all - wanted, first + lower, half.size() - lower, outgoing);
            cells.clear();
        }
        const std::vector<Parcel> incoming = exchange(outgoing);  // all ranks take part
        if (!divides) continue;
        cells = unpack(incoming);
        const bool above = half.rank() >= lower;
        half = parallel::Communicator::split(half.get(), above ? 1 : 0, half.rank());
        if (above) first += lower;
    }
    return cells;
}

}  // namespace

std::vector<CurvePlace> cut_along_curve(MPI_Comm comm, SparseExchange& exchange,
                                        std::span<const CurveCell> cells, int parts) {
    const int rank = parallel::rank_of(comm);
    std::vector<Traveller> sorted;
    sorted.reserve(cells.size());
    for (const CurveCell& cell : cells) {
        GS_ASSERT(cell.position < std::uint64_t{1} << 63 && cell.row >= 0 && cell.weight >= 0);
        sorted.push_back({cell, rank, static_cast<std::int32_t>(sorted.size())});
    }
    sorted = sort_along(comm, exchange, std::move(sorted));

    std::int64_t groups = 1;
    for (const Traveller& t : sorted) groups = std::max<std::int64_t>(groups, t.cell.group + 1);
    groups = parallel::max(comm, groups);
    std::vector<std::int64_t> total(groups, 0), before(groups, 0);
    for (const Traveller& t : sorted) total[t.cell.group] += t.cell.weight;
    MPI_Exscan(total.data(), before.data(), static_cast<int>(groups), MPI_INT64_T, MPI_SUM, comm);
    if (rank == 0) std::ranges::fill(before, 0);
    MPI_Allreduce(MPI_IN_PLACE, total.data(), static_cast<int>(groups), MPI_INT64_T, MPI_SUM, comm);
    std::int64_t place = parallel::sum_before(comm, static_cast<std::int64_t>(sorted.size()));
    std::vector<std::pair<int, Answer>> answers;
    answers.reserve(sorted.size());
    for (const Traveller& t : sorted) {
        const auto group = t.cell.group;
        const int part = part_along(before[group], t.cell.weight, total[group], parts);
        answers.push_back({t.home, {{place++, part}, t.index}});
        before[group] += t.cell.weight;
    }
    sorted = {};
    std::ranges::stable_sort(answers, {}, &std::pair<int, Answer>::first);
    std::vector<Parcel> outgoing;
    for (std::size_t begin = 0, end = 0; begin < answers.size(); begin = end) {
        std::vector<Answer> run;
        for (end = begin; end < answers.size() && answers[end].first == answers[begin].first; ++end)
            run.push_back(answers[end].second);
        outgoing.push_back(parallel::pack_parcel<Answer>(answers[begin].first, run));
    }
    std::vector<CurvePlace> places(cells.size());
    for (const Parcel& parcel : exchange(outgoing)) {
        for (const Answer& answer : parallel::unpack_parcel<Answer>(parcel))
            places[answer.index] = answer.place;
    }
    return places;
}

}  // namespace groundswell::graph
