#include "groundswell/exec/array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace groundswell::exec {

void ask_for_large_pages(void* memory, std::size_t bytes) {
    constexpr std::size_t worthwhile = std::size_t{4} << 20;
    if (bytes < worthwhile) return;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(memory) % page) % page;
    ::madvise(static_cast<std::byte*>(memory) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
}

}  // namespace groundswell::exec
