#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace groundswell::output {

/// Memory that one record has left and the next one takes: the system would take it back and hand it out
/// again page by page, which costs more than to copy the values. Not for several threads at once.
class BytePool {
public:
    /// Room for `bytes`, used before if there is such; its size and values are left over. What is kept
    /// afterwards is no more than `room` bytes: the rest is given back to the system.
    std::vector<std::byte> take(std::int64_t bytes, std::int64_t room);
    void give(std::vector<std::byte> bytes);
    std::int64_t bytes() const { return kept_; }  ///< kept now

private:
    std::int64_t kept_ = 0;
    std::vector<std::vector<std::byte>> free_;  // oldest first
};

}  // namespace groundswell::output
