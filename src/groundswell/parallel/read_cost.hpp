#pragma once

#include <cstdint>

namespace groundswell::parallel {

/// Cost for one rank of a file that all of them read together.
struct ReadCost {
    std::int64_t messages = 0;    ///< that this rank sent
    std::int64_t bytes_sent = 0;  ///< in them
    std::int64_t bytes_read = 0;  ///< values that this rank read from the disk

    ReadCost& operator+=(const ReadCost& more) {
        messages += more.messages;
        bytes_sent += more.bytes_sent;
        bytes_read += more.bytes_read;
        return *this;
    }
};

}  // namespace groundswell::parallel
