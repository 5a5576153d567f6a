// Rows of a file that a rank holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "groundswell/base/key_index.hpp"

namespace groundswell::mesh {

/// Rows [begin, end).
struct RowRange {
    std::int64_t begin = 0, end = 0;
    std::int64_t rows() const { return end - begin; }
};

/// Rows of the file (counted from 0) held by the rows of an array: `own` consecutive ones from `first` on,
/// then single ones in ascending order. Of a whole file all rows are own.
class HeldRows {
public:
    HeldRows() = default;
    HeldRows(std::int64_t first, std::int64_t own_rows) : own(own_rows), first_(first) {}

    std::int64_t own = 0;

    /// Adds the single ones, once.
    void add_others(std::vector<std::int32_t> others) {
        others_ = std::move(others);
        place_.reserve(others_.size());
        for (std::size_t i = 0; i < others_.size(); ++i)
            place_.add(others_[i], static_cast<std::int32_t>(own + static_cast<std::int64_t>(i)));
    }

    std::int64_t in_file(std::int64_t row) const { return row < own ? first_ + row : others_[row - own]; }
    bool is_own(std::int64_t file_row) const { return file_row >= first_ && file_row < first_ + own; }
    /// Place in the array of a row that is held.
    std::int64_t here(std::int64_t file_row) const {
        return is_own(file_row) ? file_row - first_ : place_(file_row);
    }

private:
    std::int64_t first_ = 0;
    std::vector<std::int32_t> others_;
    base::KeyIndex place_;  // of the others
};

}  // namespace groundswell::mesh
