#pragma once

#include <cstddef>
#include <map>
#include <string>

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
        bool released = false;
    };

    explicit PlayedMemory(const DeviceLimits& limits) : limits_(limits) {}
    ~PlayedMemory();
    PlayedMemory(const PlayedMemory&) = delete;
    PlayedMemory& operator=(const PlayedMemory&) = delete;

    void* allocate(const std::string& name, std::size_t bytes, const Filling& filling);
    void release(void* known);

    /// The array that the host knows by this address or one within, also when it is released; null if there is none.
    const Piece* find(const void* known) const;

private:
    const DeviceLimits& limits_;
    std::size_t taken_ = 0;
    std::map<const std::byte*, Piece> pieces_;
};

}  // namespace groundswell::exec
