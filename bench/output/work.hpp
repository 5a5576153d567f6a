#pragma once

#include <mpi.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/math.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"

/// Work of the measured model between its records: arithmetic, and messages to its neighbours.
namespace bench {

using namespace groundswell;

/// Arithmetic in the first-level cache, as source terms are: it takes a core and leaves the memory alone.
class Work {
public:
    Work() {
        for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = 1e-3F * static_cast<float>(i);
    }
    void pass() {
        for (int repeat = 0; repeat < 16; ++repeat)
            for (float& value : values_) value = exec::lanes::exp(-value * value);
    }
    float result() const { return values_[values_.size() / 2]; }

private:
    std::array<float, 2048> values_;
};

/// Messages to the next rank and from the one before, of the size of a halo.
class Halo {
public:
    explicit Halo(MPI_Comm comm) : comm_(comm) {
        MPI_Comm_rank(comm, &rank_);
        MPI_Comm_size(comm, &ranks_);
    }
    void exchange() {
        if (ranks_ == 1) return;
        std::array<MPI_Request, 2> requests{};
        const auto count = static_cast<int>(sent_.size());
        parallel::check(MPI_Irecv(received_.data(), count, MPI_FLOAT, (rank_ + ranks_ - 1) % ranks_, 1, comm_,
                                  requests.data()),
                        "receive a halo");
        parallel::check(
            MPI_Isend(sent_.data(), count, MPI_FLOAT, (rank_ + 1) % ranks_, 1, comm_, &requests[1]),
            "send a halo");
        parallel::check(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "exchange a halo");
    }

private:
    MPI_Comm comm_;
    int rank_ = 0, ranks_ = 1;
    std::vector<float> sent_ = std::vector<float>(16'384), received_ = sent_;
};

/// Cells of a side × side square that a rank owns: a stretch of the Z-shaped curve through it. The curve's
/// first cut is between west and east, and the file counts cells row by row from the south, so that about
/// half of the values must change ranks.
inline std::vector<std::int64_t> owned_cells(std::int64_t side, int rank, int ranks) {
    int levels = 0;
    while ((std::int64_t{1} << levels) < side) ++levels;
    const std::int64_t cells = side * side, first = rank * cells / ranks, last = (rank + 1) * cells / ranks;
    std::vector<std::int64_t> owned;
    std::int64_t place = 0;
    for (std::int64_t code = 0; code < std::int64_t{1} << (2 * levels); ++code) {
        std::int64_t x = 0, y = 0;
        for (int level = 0; level < levels; ++level) {
            y |= ((code >> (2 * level)) & 1) << level;
            x |= ((code >> (2 * level + 1)) & 1) << level;
        }
        if (x >= side || y >= side) continue;
        if (place >= first && place < last) owned.push_back(y * side + x);
        ++place;
    }
    return owned;
}

/// Passes in a second that all ranks do together, when all compute at once.
inline double passes_per_second(MPI_Comm comm, double seconds) {
    Work work;
    parallel::check(MPI_Barrier(comm), "calibration");
    const double begin = parallel::now();
    std::int64_t passes = 0;
    double elapsed = 0.0;
    while (elapsed < seconds) {
        for (int i = 0; i < 100; ++i) work.pass();
        passes += 100;
        elapsed = parallel::now() - begin;
    }
    base::require(std::isfinite(work.result()), "bench_output_model", "work", "", "numbers");
    const double rate = static_cast<double>(passes) / elapsed;
    return parallel::sum(comm, std::span(&rate, 1));
}

}  // namespace bench
