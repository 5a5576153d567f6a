#include "groundswell/output/formats/file_space.hpp"

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

std::int64_t FileSpace::take(std::int64_t bytes) {
    GS_ASSERT(bytes > 0);
    for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
        const auto [begin, end] = *gap;
        if (end - begin < bytes) continue;
        gaps_.erase(gap);
        if (end - begin > bytes) gaps_.emplace(begin + bytes, end);
        return begin;
    }
    const std::int64_t begin = end_;
    end_ += bytes;
    return begin;
}

void FileSpace::give_back(std::int64_t begin, std::int64_t bytes) {
    if (bytes == 0) return;
    std::int64_t end = begin + bytes;
    GS_ASSERT(bytes > 0 && end <= end_);
    auto next = gaps_.lower_bound(begin);
    if (next != gaps_.end() && next->first == end) {
        end = next->second;
        next = gaps_.erase(next);
    }
    if (next != gaps_.begin()) {
        const auto before = std::prev(next);
        GS_ASSERT(before->second <= begin);
        if (before->second == begin) {
            begin = before->first;
            gaps_.erase(before);
        }
    }
    if (end == end_) {
        end_ = begin;
    } else {
        gaps_.emplace(begin, end);
    }
}

}  // namespace groundswell::output
