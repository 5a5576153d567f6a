#include "groundswell/parallel/profile/start_up.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/profile/timeline.hpp"

namespace groundswell::parallel {

namespace {

struct StartUp {
    bool running = false;
    StartUpPart part = StartUpPart::other;
    double since = 0.0;
    std::array<double, start_up_part_names.size()> seconds{};

    StartUpPart enter(StartUpPart next) {
        if (running) {
            const double time = now();
            seconds[static_cast<std::size_t>(part)] += time - since;
            if (timeline_is_on())
                add_to_timeline(timeline_label(start_up_part_names[static_cast<std::size_t>(part)]),
                                "start-up", since, time);
            since = time;
        }
        return std::exchange(part, next);
    }
};

// One for each thread: what other threads read or exchange for themselves is not part of the start-up.
thread_local StartUp start_up;

thread_local int open_holders = 0;
thread_local std::array<std::int64_t, memory_part_names.size()> gained{};

}  // namespace

void begin_start_up() {
    start_up = {true, StartUpPart::other, now(), {}};
}

std::array<double, start_up_part_names.size()> end_start_up() {
    start_up.enter(StartUpPart::other);
    start_up.running = false;
    return start_up.seconds;
}

StartUpTimer::StartUpTimer(StartUpPart part) : before_(start_up.enter(part)) {}

StartUpTimer::~StartUpTimer() {
    start_up.enter(before_);
}

std::int64_t heap_bytes() {
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
    const struct mallinfo2 heap = ::mallinfo2();
    return static_cast<std::int64_t>(heap.uordblks + heap.hblkhd);
#endif
#endif
    return 0;
}

std::array<std::int64_t, memory_part_names.size()> held_memory() {
    std::array<std::int64_t, memory_part_names.size()> all = gained;
    for (std::int64_t& bytes : all) bytes = std::max<std::int64_t>(bytes, 0);
    return all;
}

MemoryHolder::MemoryHolder(MemoryPart part) : part_(part) {
    if (open_holders++ == 0) before_ = heap_bytes();
}

MemoryHolder::~MemoryHolder() {
    if (--open_holders == 0) gained[static_cast<std::size_t>(part_)] += heap_bytes() - before_;
}

}  // namespace groundswell::parallel
