#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/mesh/tetra/gmsh/scanner.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"

namespace groundswell::tetra::gmsh {

/// The physical groups of a file: what users say of surfaces and volumes.
struct Groups {
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> name;  ///< by dimension and number
    /// Numbers of the groups that an entity is in, by its dimension and tag.
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int64_t>> of;

    /// Kind of a surface; `none` if it is in no group. base::Refusal naming `path` for groups that say nothing, or
    /// different things.
    Boundary boundary(std::int64_t surface, const std::string& path) const;
    /// The number of the group that a volume is in.
    std::int64_t material(std::int64_t volume, const std::string& path) const;
};

/// Rows of one kind that lie one behind the other, and where the first begins.
struct Run {
    std::int64_t row = 0, rows = 0;  ///< counted through the file
    Spot begin;
    std::int64_t bytes = 0;  ///< of a row, in a binary file
    std::int64_t ahead = 0,
                 behind = 0;   ///< numbers in a row that nobody wants, before and after those that count
    std::int64_t meaning = 0;  ///< of triangles their Boundary, of tetrahedra their group
};

/// Contents of a file and their places, without the rows themselves. In a text a run is short enough to be searched for a row.
struct Outline {
    bool binary = false, narrow = false;  ///< as Scanner has them
    std::int64_t nodes = 0, lowest_tag = 0, highest_tag = 0, triangles = 0, tetrahedra = 0;
    std::int64_t curved = 0;        ///< tetrahedra of second order, which are taken as straight
    std::vector<Run> tags, places;  ///< of the nodes
    std::vector<Run> triangle_runs, tetrahedron_runs;  ///< triangles: those with a boundary
    std::int64_t bytes_read = 0;                       ///< by the rank that went through the file
};

/// Properties of types of elements, by Gmsh's number; the corners come first of the nodes.
struct Kind {
    int type, corners, nodes;
};
constexpr int second_order = 11;  // tetrahedra of 10 nodes
/// Points, lines, triangles and tetrahedra of first and second order. Refuses others.
const Kind& kind_of(const Scanner& scanner, std::int64_t type);

/// The sections $Nodes and $Elements of MSH 2, of which each row has everything that belongs to it.
void read_nodes_2(Scanner& scanner, Outline& outline);
void read_elements_2(Scanner& scanner, Outline& outline, Groups& groups, const std::string& path);

constexpr std::int64_t rows_of_text = 8192;  // in a run

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
            scanner.skip_bytes(run.bytes * (first - run.row));
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
