#include "groundswell/parallel/profile/held_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstddef>

namespace groundswell::parallel {

namespace {
thread_local int open_holders = 0;
thread_local std::array<std::int64_t, memory_part_names.size()> gained{};
}  // namespace

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
