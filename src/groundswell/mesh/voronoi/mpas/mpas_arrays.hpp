// The variables of an MPAS-format mesh file as they stand there, before anything is believed about them.
// Format: "MPAS Mesh Specification", version 1.0 (Los Alamos and NCAR, 2015). Indices count from 1, 0 means
// none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/base/key_index.hpp"
#include "groundswell/netcdf/reader.hpp"

namespace groundswell::voronoi {

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

/// A whole file, or what one rank needs to check and to understand its slab of cells: the own rows of cells,
/// edges and vertices, and of the other ranks' rows those edges, cells and vertices that the own cells touch.
/// Indices always count in the whole file.
struct MpasArrays {
    std::string file;
    double sphere_radius = 0.0;                                      ///< in the unit of the lengths
    std::int32_t cells = 0, edges = 0, vertices = 0, max_edges = 0;  ///< of the whole file
    HeldRows held_cells, held_edges, held_vertices;

    std::vector<double> lon_cell, lat_cell;                                    // [held cells]
    std::vector<double> area_cell;                                             // [own cells]
    std::optional<std::vector<double>> bottom_depth;                           // [own cells]
    std::vector<std::int32_t> edges_on_cell_count;                             // [own cells], nEdgesOnCell
    std::vector<std::int32_t> cells_on_cell, edges_on_cell, vertices_on_cell;  // [own cells][max_edges]

    std::vector<double> dv_edge, dc_edge;                               // [held edges]
    std::optional<std::vector<double>> angle_edge, lon_edge, lat_edge;  // [held edges]
    std::vector<std::int32_t> cells_on_edge, vertices_on_edge;          // [held edges][2]
    std::vector<std::int32_t> listings;  // [own edges] how often cells of the whole file list it

    std::vector<double> lon_vertex, lat_vertex;  // [held vertices]
};

/// A mesh file open for reading. Any number of processes may have it open. All functions throw base::Refusal
/// with file, variable, shape found and expected where a variable is missing, is not numeric, or does not
/// have the dimensions of the format, or where the file is cut short.
class MpasFile {
public:
    /// Refuses also a file that cannot be opened, and a planar mesh.
    explicit MpasFile(const std::string& path);

    std::int32_t cells() const { return cells_; }
    std::int32_t edges() const { return edges_; }
    std::int32_t vertices() const { return vertices_; }
    std::int32_t max_edges() const { return max_edges_; }

    /// These rows of all variables that the model needs, as own rows; `listings` is left empty.
    MpasArrays read(RowRange cells, RowRange edges, RowRange vertices) const;

    /// Some rows of one variable of cells: [rows] or [rows][max_edges].
    std::vector<double> cell_numbers(const char* variable, RowRange rows) const;
    std::vector<std::int32_t> cell_indices(const char* variable, RowRange rows, bool per_edge) const;

    /// Bytes of values read so far.
    std::int64_t bytes_read() const { return bytes_read_; }

private:
    std::int32_t dimension(const char* name) const;
    template <class Value>
    std::vector<Value> slab(const char* name, std::int32_t length, RowRange rows,
                            std::int32_t width = 0) const;
    std::optional<std::vector<double>> optional_slab(const char* name, std::int32_t length,
                                                     RowRange rows) const;

    netcdf::Reader file_;
    double sphere_radius_ = 0.0;
    std::int32_t cells_ = 0, edges_ = 0, vertices_ = 0, max_edges_ = 0;
    mutable std::int64_t bytes_read_ = 0;
};

/// The whole file.
MpasArrays read_arrays(const std::string& path);

/// Number of times that the own cells list each held edge: [held edges]. Indices must have been checked.
std::vector<std::int32_t> count_listings(const MpasArrays& arrays);

/// Throws base::Refusal at the first own value that no mesh can have, naming variable, index (from 1), value
/// and what was expected: indices out of range, coordinates that are not radians, depths that are not finite,
/// areas and lengths not positive. Needs the own rows alone.
void check_values(const MpasArrays& arrays);

/// The same for neighbours, edges or corners that contradict each other, lengths that are not of the
/// coordinates' size, and edge angles that contradict the coordinates. After check_values(), with all held
/// rows in place. Looks at own cells.
void check_structure(const MpasArrays& arrays);

/// The same for own edges that more or fewer cells list than they name; they are less telling than what
/// check_structure() finds, so after it. With `listings` in place.
void check_listings(const MpasArrays& arrays);

}  // namespace groundswell::voronoi
