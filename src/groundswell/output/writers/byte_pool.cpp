#include "groundswell/output/writers/byte_pool.hpp"

#include <iterator>
#include <utility>

namespace groundswell::output {

namespace {

// Smaller pieces the heap itself keeps.
constexpr std::int64_t least = std::int64_t{1} << 17;

std::int64_t capacity(const std::vector<std::byte>& bytes) {
    return static_cast<std::int64_t>(bytes.capacity());
}

}  // namespace

std::vector<std::byte> BytePool::take(std::int64_t bytes, std::int64_t room) {
    std::vector<std::byte> taken;
    if (bytes < least) return taken;
    // Not one that is much larger, so that what waits is no more than it says.
    for (auto it = free_.rbegin(); it != free_.rend(); ++it) {
        if (capacity(*it) < bytes || capacity(*it) > bytes + bytes / 8) continue;
        taken = std::move(*it);
        kept_ -= capacity(taken);
        free_.erase(std::next(it).base());
        break;
    }
    while (!free_.empty() && kept_ > room) {
        kept_ -= capacity(free_.front());
        free_.erase(free_.begin());
    }
    return taken;
}

void BytePool::give(std::vector<std::byte> bytes) {
    if (capacity(bytes) < least) return;
    kept_ += capacity(bytes);
    free_.push_back(std::move(bytes));
}

}  // namespace groundswell::output
