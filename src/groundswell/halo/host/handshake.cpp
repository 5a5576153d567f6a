#include "groundswell/halo/host/handshake.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>

namespace groundswell::halo {

using Word = std::atomic_ref<std::uint64_t>;
// A lock would lie in one process only.
static_assert(Word::is_always_lock_free);

std::size_t Handshake::bytes(std::size_t channels) {
    const std::size_t owners = sizeof(std::uint64_t) + channels * sizeof(Whereabouts);
    return alignment + (owners + alignment - 1) / alignment * alignment;
}

std::uint64_t& Handshake::released_word() const {
    return *reinterpret_cast<std::uint64_t*>(memory_);
}

std::uint64_t& Handshake::published_word() const {
    return *reinterpret_cast<std::uint64_t*>(memory_ + alignment);
}

Whereabouts* Handshake::whereabouts() const {
    return reinterpret_cast<Whereabouts*>(memory_ + alignment + sizeof(std::uint64_t));
}

void Handshake::publish(std::uint64_t number, std::span<const Whereabouts> where) const {
    std::copy_n(where.data(), channels_, whereabouts());
    Word(published_word()).store(number, std::memory_order_release);
}

bool Handshake::released(std::uint64_t number) const {
    return Word(released_word()).load(std::memory_order_acquire) >= number;
}

bool Handshake::published(std::uint64_t number) const {
    return Word(published_word()).load(std::memory_order_acquire) >= number;
}

Whereabouts Handshake::where(std::size_t channel) const {
    return whereabouts()[channel];
}

void Handshake::release(std::uint64_t number) const {
    Word(released_word()).store(number, std::memory_order_release);
}

void Patience::pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

void Patience::yield_processor() {
    sched_yield();
}

}  // namespace groundswell::halo
