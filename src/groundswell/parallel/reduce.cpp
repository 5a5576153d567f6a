#include "groundswell/parallel/reduce.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "groundswell/parallel/communicator.hpp"

namespace groundswell::parallel {

namespace {

/// Whether `a` wins over `b` under any order of values: nothing loses, NaN wins, then the value, then the
/// lower id.
template <class Before>
bool wins(const Located& a, const Located& b, Before before) {
    if (a.id == Located::no_id || b.id == Located::no_id) return b.id == Located::no_id;
    const bool a_nan = std::isnan(a.value);
    const bool b_nan = std::isnan(b.value);
    if (a_nan != b_nan) return a_nan;
    if (!a_nan && a.value != b.value) return before(a.value, b.value);
    return a.id <= b.id;
}

template <Located (*choose)(Located, Located)>
void combine(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* from = static_cast<const Located*>(in);
    auto* to = static_cast<Located*>(inout);
    for (int i = 0; i < *count; ++i) to[i] = choose(to[i], from[i]);
}

template <Located (*choose)(Located, Located)>
Located reduce_located(MPI_Comm comm, Located mine) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op op = MPI_OP_NULL;
    check(MPI_Type_contiguous(sizeof(Located), MPI_BYTE, &type), "describe a located value");
    check(MPI_Type_commit(&type), "describe a located value");
    check(MPI_Op_create(&combine<choose>, 1, &op), "describe a reduction");
    Located result;
    const int code = MPI_Allreduce(&mine, &result, 1, type, op, comm);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    check(code, "reduce a located value");
    return result;
}

template <class T>
T reduce_one(MPI_Comm comm, T mine, MPI_Datatype type, MPI_Op op) {
    check(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, type, op, comm), "reduce a number");
    return mine;
}

}  // namespace

Located lesser(Located a, Located b) {
    return wins(a, b, [](double x, double y) { return x < y; }) ? a : b;
}

Located greater(Located a, Located b) {
    return wins(a, b, [](double x, double y) { return x > y; }) ? a : b;
}

Located min_located(MPI_Comm comm, Located mine) {
    return reduce_located<lesser>(comm, mine);
}
Located max_located(MPI_Comm comm, Located mine) {
    return reduce_located<greater>(comm, mine);
}

std::vector<double> sum(MPI_Comm comm, std::span<ExactSum> mine) {
    std::vector<std::int64_t> words(mine.size() * ExactSum::width);
    for (std::size_t s = 0; s < mine.size(); ++s) {
        mine[s].normalise();
        for (int i = 0; i < ExactSum::width; ++i) words[s * ExactSum::width + i] = mine[s].data()[i];
    }
    check(
        MPI_Allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(words.size()), MPI_INT64_T, MPI_SUM, comm),
        "add up sums");
    std::vector<double> values(mine.size());
    for (std::size_t s = 0; s < mine.size(); ++s) {
        ExactSum total;
        for (int i = 0; i < ExactSum::width; ++i) total.data()[i] = words[s * ExactSum::width + i];
        values[s] = total.value();
    }
    return values;
}

double sum(MPI_Comm comm, std::span<const double> mine) {
    ExactSum local;
    local.add(mine);
    return sum(comm, std::span(&local, 1)).front();
}

std::int64_t sum(MPI_Comm comm, std::int64_t mine) {
    return reduce_one(comm, mine, MPI_INT64_T, MPI_SUM);
}
std::optional<std::int64_t> max_within(MPI_Comm comm, std::int64_t mine, double seconds) {
    // The reduction has them for as long as it goes on, which may be for ever.
    auto numbers = std::make_unique<std::array<std::int64_t, 2>>(std::array<std::int64_t, 2>{mine, mine});
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallreduce(numbers->data(), numbers->data() + 1, 1, MPI_INT64_T, MPI_MAX, comm, &request),
          "reduce a number");
    if (std::isinf(seconds)) {
        check(MPI_Wait(&request, MPI_STATUS_IGNORE), "reduce a number");
        return (*numbers)[1];
    }
    for (const double end = MPI_Wtime() + seconds; MPI_Wtime() < end;) {
        int done = 0;
        check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "reduce a number");
        if (done != 0) return (*numbers)[1];
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    [[maybe_unused]] const auto* const kept = numbers.release();
    return std::nullopt;
}

std::int64_t sum_before(MPI_Comm comm, std::int64_t mine) {
    const int rank = rank_of(comm);
    std::int64_t before = 0;
    check(MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, comm), "count what ranks hold");
    return rank == 0 ? 0 : before;  // which MPI_Exscan leaves undefined
}
std::int64_t min(MPI_Comm comm, std::int64_t mine) {
    return reduce_one(comm, mine, MPI_INT64_T, MPI_MIN);
}
std::int64_t max(MPI_Comm comm, std::int64_t mine) {
    return reduce_one(comm, mine, MPI_INT64_T, MPI_MAX);
}
double min(MPI_Comm comm, double mine) {
    return min_located(comm, {mine, 0}).value;
}
double max(MPI_Comm comm, double mine) {
    return max_located(comm, {mine, 0}).value;
}
std::vector<double> max(MPI_Comm comm, std::vector<double> mine) {
    check(MPI_Allreduce(MPI_IN_PLACE, mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, MPI_MAX, comm),
          "find maxima over ranks");
    return mine;
}

Statistic statistic(MPI_Comm comm, double mine) {
    return statistics(comm, std::span(&mine, 1)).front();
}

std::vector<Statistic> statistics(MPI_Comm comm, std::span<const double> mine) {
    const int ranks = size_of(comm);
    const auto n = static_cast<int>(mine.size());
    std::vector<double> low(mine.begin(), mine.end());
    const std::vector<double> high = max(comm, low);
    check(MPI_Allreduce(MPI_IN_PLACE, low.data(), n, MPI_DOUBLE, MPI_MIN, comm), "find a minimum over ranks");
    std::vector<ExactSum> sums(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) sums[i].add(mine[i]);
    const std::vector<double> total = sum(comm, std::span(sums));
    std::vector<Statistic> result(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) result[i] = {low[i], total[i] / ranks, high[i]};
    return result;
}

}  // namespace groundswell::parallel
