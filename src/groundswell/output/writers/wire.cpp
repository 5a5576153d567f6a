#include "groundswell/output/writers/wire.hpp"

#include <algorithm>

namespace groundswell::output {

void ByteWriter::reserve(std::int64_t bytes) {
    if (const auto count = static_cast<std::size_t>(bytes); bytes_.size() < count) bytes_.resize(count);
}

std::byte* ByteWriter::extend(std::int64_t count) {
    const std::size_t before = used_;
    used_ += static_cast<std::size_t>(count);
    if (bytes_.size() < used_) bytes_.resize(std::max(used_, 2 * bytes_.size()));
    return bytes_.data() + before;
}

void ByteWriter::put_bytes(std::span<const std::byte> bytes) {
    if (!bytes.empty())
        std::memcpy(extend(static_cast<std::int64_t>(bytes.size())), bytes.data(), bytes.size());
}

std::vector<std::byte> ByteWriter::take() {
    bytes_.resize(used_);
    used_ = 0;
    return std::move(bytes_);
}

std::span<const std::byte> ByteReader::view(std::int64_t count) {
    GS_ASSERT(count >= 0 && static_cast<std::size_t>(count) <= bytes_.size());
    const auto part = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return part;
}

}  // namespace groundswell::output
