#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "groundswell/exec/device/device.hpp"

namespace groundswell::exec {

/// Memory of the played device. Every array is mapped three times: where the host knows it, nobody may touch it; kernels get one of
/// the other two, to read or to write. So whoever touches what he may not stops at that line (SIGSEGV). Addresses are never used
/// again; no array lies next to another, and it ends, but for less than 64 bytes, where its last page does.
class PlayedMemory {
public:
    struct Piece {
        std::string name;
        std::size_t bytes = 0, pages_bytes = 0;
        std::byte *known = nullptr, *readable = nullptr, *writable = nullptr;  ///< first byte of the array
        bool released = false, takes_memory = true;
        int file = -1;                   ///< its pages
        std::vector<std::byte> unset{};  ///< a number that nobody may read
    };

    explicit PlayedMemory(const DeviceLimits& limits) : limits_(limits) {}
    ~PlayedMemory();
    PlayedMemory& operator=(PlayedMemory&&) = delete;  // neither copied nor moved

    void* allocate(const std::string& name, std::size_t bytes, const Filling& filling);
    void release(void* known);

    /// As Device::share() and open_shared(): what another process has of this kind stands here as an array that takes no memory.
    std::vector<std::byte> share(const void* known) const;
    void* open_shared(std::span<const std::byte> name);

    /// The array that the host knows by this address or one within, also when it is released; null if there is none.
    const Piece* find(const void* known) const;
    /// Bytes of all arrays that live.
    std::size_t taken() const { return taken_; }

private:
    void map(Piece& piece) const;

    const DeviceLimits& limits_;
    std::size_t taken_ = 0;
    std::map<const std::byte*, Piece> pieces_;
};

/// Finds operations on different streams that use the same bytes of an array, at least one of them writing, without an order between
/// them that events or the host's waiting give. Knows it when the second is asked for, whatever order they would have run in. (Vector clocks:
/// Mattern 1989, "Virtual time and global states of distributed systems".)
class HazardChecker {
public:
    /// Bytes of an array that an operation uses; the array by its first address.
    struct Use {
        const void* array;
        std::string name;
        bool writes;
        std::size_t begin, end;
    };

    void add_stream();
    void record(Stream stream, Event event);
    void wait(Stream stream, Event event);
    void synchronise(Stream stream);
    /// Throws a Defect that names both operations and the array.
    void operation(Stream stream, const std::string& name, const std::vector<Use>& uses);

private:
    /// [stream] Operations of it that are known to be done.
    using Clock = std::vector<long>;
    struct Access {
        int stream = 0;
        long number = 0;  ///< of the operation in its stream, from 1
        std::string name;
        std::size_t begin = 0, end = 0;
    };
    struct History {
        std::vector<Access> writes, reads;  ///< of each stream those that no later one covers
    };
    static void merge(Clock& into, const Clock& from);

    std::vector<Clock> streams_;
    std::map<Event, Clock> events_;
    Clock host_;
    std::map<const void*, History> arrays_;
};

}  // namespace groundswell::exec
