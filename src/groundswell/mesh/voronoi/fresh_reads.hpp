#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/mesh/voronoi/local_mesh.hpp"

namespace groundswell::voronoi {

/// The cells that each owned cell reads and that none of the many before it has read: they are not in the cache.
class FreshReads {
public:
    explicit FreshReads(const LocalMesh& mesh) : begin_{0} {
        std::vector<std::int32_t> last_read(static_cast<std::size_t>(mesh.total), -1 - remembered);
        const auto add = [&](std::int32_t reader, std::int32_t cell) {
            if (cell < 0) return;
            if (reader - last_read[cell] > remembered) cells_.push_back(cell);
            last_read[cell] = reader;
        };
        for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
            add(cell, cell);
            for (std::int32_t edge = mesh.edge_offset[cell]; edge < mesh.edge_offset[cell + 1]; ++edge)
                add(cell, mesh.neighbour[edge]);
            begin_.push_back(static_cast<std::int32_t>(cells_.size()));
        }
    }

    /// On behalf of an owned cell, or of none behind the last.
    std::span<const std::int32_t> of(std::int32_t cell) const {
        if (static_cast<std::size_t>(cell) + 1 >= begin_.size()) return {};
        return std::span(cells_).subspan(begin_[cell], begin_[cell + 1] - begin_[cell]);
    }

private:
    // Cells whose state stays in the second-level cache, beside what is written. 20 and 200 were 3 % slower.
    static constexpr std::int32_t remembered = 60;
    std::vector<std::int32_t> begin_, cells_;
};

}  // namespace groundswell::voronoi
