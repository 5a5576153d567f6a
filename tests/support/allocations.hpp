#pragma once

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

// Counts what a program takes by operator new, in place of the library's: one file of a program includes this.

namespace groundswell::test {

inline std::atomic<std::int64_t> allocations{0};
inline std::atomic<std::int64_t> allocated_bytes{0};            ///< asked for
inline std::atomic<std::int64_t> held_bytes{0}, peak_bytes{0};  ///< as the system gave them

inline void* counted(std::size_t bytes) noexcept {
    void* memory = std::malloc(bytes == 0 ? 1 : bytes);
    if (memory == nullptr) return nullptr;
    ++allocations;
    allocated_bytes += static_cast<std::int64_t>(bytes);
    const std::int64_t now = held_bytes += static_cast<std::int64_t>(malloc_usable_size(memory));
    if (now > peak_bytes) peak_bytes = now;
    return memory;
}

}  // namespace groundswell::test

// GCC cannot see that the two replace each other's library versions together.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t bytes) {
    void* memory = groundswell::test::counted(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
// Sanitizers have their own of these, where libraries call the ones above.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    return groundswell::test::counted(bytes);
}
void operator delete(void* memory) noexcept {
    groundswell::test::held_bytes -= static_cast<std::int64_t>(malloc_usable_size(memory));
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    operator delete(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    operator delete(memory);
}
