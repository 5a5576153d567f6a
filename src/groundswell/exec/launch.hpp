#pragma once

#include <cstdint>

#include "groundswell/exec/array.hpp"

/// Maps cells to the threads of a rank. Physics is a function of one cell and never sees this layer.
namespace groundswell::exec {

/// Threads that a launch uses; set once at the start from the case file. At least 1.
void set_threads(int threads);
int threads();

/// Index of the calling thread inside a launch, 0…threads()-1; 0 outside.
int thread_index();

/// Callbacks that time each thread's share of a launch: `begin` returns the time at which a thread's share of the cells begins,
/// `end` gets it back when the share is done, on the same thread. Neither may throw.
struct ShareWatch {
    double (*begin)() = nullptr;
    void (*end)(double begin) = nullptr;
};
/// From now on; nobody if they are null, as at first. Outside of launches.
void watch_shares(const ShareWatch& watch);

namespace detail {
extern ShareWatch share_watch;

/// A thread's share of a launch, as long as its life.
class Share {
public:
    Share() : begin_(share_watch.begin != nullptr ? share_watch.begin() : 0.0) {}
    ~Share() {
        if (share_watch.end != nullptr) share_watch.end(begin_);
    }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

private:
    double begin_;
};
}  // namespace detail

/// Calls body(cell) for begin ≤ cell < end. Each thread gets one contiguous run of cells, the same for the
/// same range, so memory first touched through this function stays near the thread that computes on it.
/// The body must write to its own cell only; then the result does not depend on the number of threads.
/// An exception may not leave the body.
template <class Body>
void for_each_cell(std::int32_t begin, std::int32_t end, const Body& body) {
#pragma omp parallel num_threads(threads())
    {
        const detail::Share share;
#pragma omp for schedule(static) nowait
        for (std::int32_t cell = begin; cell < end; ++cell) body(cell);
    }
}

/// An array of `cells` blocks of `stride` values each, zeroed by the thread that for_each_cell maps to the
/// cell.
template <class T>
Array<T> make_cell_array(std::int32_t cells, std::size_t stride) {
    Array<T> array(static_cast<std::size_t>(cells) * stride);
    for_each_cell(0, cells, [&](std::int32_t cell) {
        T* block = array.data() + static_cast<std::size_t>(cell) * stride;
        for (std::size_t i = 0; i < stride; ++i) block[i] = T{};
    });
    return array;
}

/// Makes this thread, and those that it starts from now on, take numbers too small for full precision for 0
/// (flush to zero, on x86). A spectrum is full of them far from its peak, their products more so, and some
/// processors need a hundred times as long for each: source terms ran at a quarter of their speed. Call it
/// once at the start of a program, before there are threads, so that all compute the same bits; a library
/// leaves this to the program that it serves. Does nothing on other processors.
void flush_subnormals();

/// Whether this thread does so now; true on other processors, where nobody can say.
bool flushes_subnormals();

}  // namespace groundswell::exec
