#include "groundswell/exec/array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace groundswell::exec {

void ask_for_large_pages(void* memory, std::size_t bytes) {
    constexpr std::size_t worthwhile = std::size_t{4} << 20;
    if (bytes < worthwhile) return;
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
    ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace groundswell::exec
