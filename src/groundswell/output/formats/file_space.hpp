#pragma once

#include <cstdint>
#include <map>

/// Map of the bytes of a file that are in use, for a format in which anything may stand anywhere.
namespace groundswell::output {

class FileSpace {
public:
    /// Everything below `end` is in use, everything from there on is free.
    explicit FileSpace(std::int64_t end = 0) : end_(end) {}

    /// The offset of `bytes` (> 0) that are in use from now on: in the first gap that is large enough, or at
    /// the end.
    std::int64_t take(std::int64_t bytes);

    /// Bytes [begin, begin + bytes) are no longer in use.
    void give_back(std::int64_t begin, std::int64_t bytes);

    std::int64_t end() const { return end_; }  ///< of the last byte in use

private:
    std::map<std::int64_t, std::int64_t> gaps_;  // begin → end; apart from each other and from end_
    std::int64_t end_;
};

}  // namespace groundswell::output
