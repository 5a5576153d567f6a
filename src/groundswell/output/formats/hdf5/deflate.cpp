#include "groundswell/output/formats/hdf5/deflate.hpp"

#include <zlib.h>

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

std::int64_t append_deflated(std::vector<std::byte>& to, std::span<const std::byte> values,
                             std::int64_t value_bytes, int level) {
    const auto width = static_cast<std::size_t>(value_bytes);
    const std::size_t count = values.size() / width;
    GS_ASSERT(count * width == values.size());
    std::vector<std::byte> shuffled(values.size());
    for (std::size_t byte = 0; byte < width; ++byte) {
        std::byte* const row = shuffled.data() + byte * count;
        for (std::size_t i = 0; i < count; ++i) row[i] = values[i * width + byte];
    }
    const std::size_t before = to.size();
    uLongf length = compressBound(static_cast<uLong>(shuffled.size()));
    to.resize(before + length);
    const int status = compress2(reinterpret_cast<Bytef*>(to.data() + before), &length,
                                 reinterpret_cast<const Bytef*>(shuffled.data()),
                                 static_cast<uLong>(shuffled.size()), level);
    GS_ASSERT(status == Z_OK);
    to.resize(before + length);
    return static_cast<std::int64_t>(length);
}

}  // namespace groundswell::output
