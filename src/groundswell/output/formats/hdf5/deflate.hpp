#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace groundswell::output {

/// Appends `values` (each of `value_bytes`) to `to` as HDF5's filters shuffle and deflate store them: all
/// first bytes, all second bytes, … as one zlib stream of this level, 1 to 9. Returns the bytes appended.
std::int64_t append_deflated(std::vector<std::byte>& to, std::span<const std::byte> values,
                             std::int64_t value_bytes, int level);

}  // namespace groundswell::output
