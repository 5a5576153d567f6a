#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/mesh/tetra/gmsh/scanner.hpp"

namespace groundswell::tetra::gmsh {

/// Rows of one kind that lie one behind the other, and where the first begins.
struct Run {
    std::int64_t row = 0, rows = 0;  ///< counted through the file
    Spot begin;
    std::int64_t numbers = 0;  ///< in a row, of 8 bytes each in a binary file
    std::int64_t meaning = 0;  ///< of triangles their Boundary, of tetrahedra their group
};

/// What a file holds and where, but for the rows themselves. In a text a run is short enough to be searched for a row.
struct Outline {
    bool binary = false;
    std::int64_t nodes = 0, lowest_tag = 0, highest_tag = 0, triangles = 0, tetrahedra = 0;
    std::vector<Run> tags, places;                     ///< of the nodes
    std::vector<Run> triangle_runs, tetrahedron_runs;  ///< triangles: those with a boundary
    std::int64_t bytes_read = 0;                       ///< by the rank that went through the file
};

/// Goes once through a file. base::Refusal for another version, elements that are none of ours, and what is cut or damaged.
Outline read_outline(const std::string& path);

/// Calls `take(scanner, run, row)` for each row of [begin, end).
template <class Take>
void for_rows(Scanner& scanner, const std::vector<Run>& runs, std::int64_t begin, std::int64_t end,
              Take take) {
    for (const Run& run : runs) {
        const std::int64_t first = begin > run.row ? begin : run.row;
        const std::int64_t last = end < run.row + run.rows ? end : run.row + run.rows;
        if (first >= last) continue;
        scanner.go_to(run.begin);
        if (scanner.binary) {
            scanner.skip_bytes(8 * run.numbers * (first - run.row));
        } else {
            scanner.skip_lines(first - run.row);
        }
        for (std::int64_t row = first; row < last; ++row) {
            take(scanner, run, row);
            if (!scanner.binary) scanner.end_line();
        }
    }
}

}  // namespace groundswell::tetra::gmsh
