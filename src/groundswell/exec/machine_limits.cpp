#include "groundswell/exec/machine_limits.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/exec/limit_kernels.hpp"

namespace groundswell::exec {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Seconds from the first thread's start to the last one's end: what it takes to wake the threads does not count.
template <class Body>
double time_together(const Body& body) {
    std::vector<double> begin(static_cast<std::size_t>(threads())), end(begin);
#pragma omp parallel num_threads(threads())
    {
        const auto mine = static_cast<std::size_t>(omp_get_thread_num());
#pragma omp barrier
        begin[mine] = now();
        body(static_cast<std::int64_t>(mine));
        end[mine] = now();
    }
    return std::ranges::max(end) - std::ranges::min(begin);
}

// Short tries, of which the quickest counts: it is undisturbed even where other programs take part of the time.
constexpr std::int64_t slice = std::int64_t{4} << 20;  // bytes of an array, a quarter of a millisecond

// Slices of each array and of each thread. Threads share the last cache with others, and one that is alone has it all.
std::int64_t slices_of_thread(Care care, int ranks) {
    const LastCache cache = last_cache();
    const int all = threads() * ranks;
    const std::int64_t share = std::max(cache.bytes / all, cache.bytes / cache.cpus);
    const std::int64_t least = (std::int64_t{128} << 20) / all;
    const std::int64_t bytes = care == Care::quick ? share + share / 2 : std::max(4 * share, least);
    return (bytes + slice - 1) / slice;
}

// In pages as large as the system gives: small ones take longer to get than all passes together.
struct Free {
    void operator()(void* memory) const { std::free(memory); }
};
std::unique_ptr<double, Free> numbers(std::size_t count) {
    constexpr std::size_t page = std::size_t{2} << 20;
    const std::size_t bytes = (count * sizeof(double) + page - 1) / page * page;
    std::unique_ptr<double, Free> memory(static_cast<double*>(std::aligned_alloc(page, bytes)));
    if (memory) ask_for_large_pages(memory.get(), bytes);
    return memory;
}

}  // namespace

std::int64_t stream_bytes(Care care, int ranks) {
    return 3 * slices_of_thread(care, ranks) * slice * threads();
}

double measure_stream(Care care, int ranks) {
    constexpr std::int64_t numbers_in_slice = slice / static_cast<std::int64_t>(sizeof(double));
    const std::int64_t slices = slices_of_thread(care, ranks), count = slices * numbers_in_slice;
    const auto size = static_cast<std::size_t>(count * threads());
    const auto a = numbers(size), b = numbers(size), c = numbers(size);
    if (!a || !b || !c) return 0.0;
    time_together([&](std::int64_t thread) {
        for (double* const array : {a.get(), b.get(), c.get()})
            std::fill_n(array + count * thread, count, 1.0);
    });
    const auto triad = limit_kernels().triad;
    std::vector<double> best(static_cast<std::size_t>(slices), std::numeric_limits<double>::max());
    for (int pass = 0; pass < (care == Care::quick ? 3 : 10); ++pass) {
        for (std::int64_t at = 0; at < slices; ++at) {
            double& quickest = best[static_cast<std::size_t>(at)];
            quickest =
                std::min(quickest, time_together([&](std::int64_t thread) {
                             const std::int64_t first = count * thread + at * numbers_in_slice;
                             triad(a.get() + first, b.get() + first, c.get() + first, 3.0, numbers_in_slice);
                         }));
        }
    }
    return 3.0 * sizeof(double) * static_cast<double>(size) / std::reduce(best.begin(), best.end()) * 1e-9;
}

template <class Real>
double measure_peak(Care care) {
    const LimitKernels& kernels = limit_kernels();
    const MultiplyAdds<Real>& loop = [&]() -> const auto& {
        if constexpr (sizeof(Real) == sizeof(float))
            return kernels.of_float;
        else
            return kernels.of_double;
    }
    ();
    // A third of a millisecond where two registers are done in a cycle.
    const std::int64_t rounds = std::int64_t{5'000'000} * register_bytes(instruction_set()) /
                                static_cast<int>(sizeof(Real)) / loop.operations_in_round;
    volatile double sink = 0.0;  // so that the sums are needed
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < (care == Care::quick ? 8 : 100); ++i) {
        best = std::min(best, time_together([&](std::int64_t) {
                            const double sum = loop.run(rounds, Real(0.999), Real(1e-3));
                            if (sum == 0.0) sink = sum;
                        }));
    }
    return static_cast<double>(loop.operations_in_round * rounds) * threads() / best * 1e-9;
}
template double measure_peak<float>(Care);
template double measure_peak<double>(Care);

}  // namespace groundswell::exec
