// A box of tetrahedra as a file of the PUML form, as netCDF writes it.
#pragma once

#include <netcdf.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/mesh/tetra/box.hpp"

namespace groundswell::tetra::test {

/// `format`: i32, i64, i32x4; empty: i32, and the file does not say so. `untold`: it says nothing of the others either, and
/// numbers have 64 bits.
inline void write_puml(const Box& box, const std::string& path, const std::string& format = "",
                       int fault_tag = 3, bool untold = false) {
    const bool wide = format == "i32x4";
    int file = 0, cells = 0, vertices = 0, four = 0, three = 0, geometry = 0, connect = 0, group = 0,
        boundary = 0, identify = 0;
    nc_create(path.c_str(), NC_CLOBBER | NC_NETCDF4, &file);
    nc_def_dim(file, "cells", static_cast<std::size_t>(box.cells()), &cells);
    nc_def_dim(file, "vertices", static_cast<std::size_t>(box.vertices()), &vertices);
    nc_def_dim(file, "four", 4, &four);
    nc_def_dim(file, "three", 3, &three);
    const int by_vertex[] = {vertices, three}, by_cell[] = {cells, four};
    nc_def_var(file, "geometry", NC_DOUBLE, 2, by_vertex, &geometry);
    nc_def_var(file, "connect", NC_UINT64, 2, by_cell, &connect);
    nc_def_var(file, "group", NC_INT, 1, by_cell, &group);
    nc_def_var(file, "boundary", format == "i64" || untold ? NC_INT64 : NC_INT, wide ? 2 : 1, by_cell,
               &boundary);
    nc_def_var(file, "identify", NC_UINT64, 1, by_vertex, &identify);
    if (!format.empty() && !untold)
        nc_put_att_text(file, NC_GLOBAL, "boundary-format", format.size(), format.c_str());
    if (box.is_periodic()) nc_put_att_text(file, NC_GLOBAL, "topology-format", 15, "identify-vertex");
    nc_enddef(file);

    std::vector<double> places;
    std::vector<long long> numbers, corners, tags;
    for (std::int64_t v = 0; v < box.vertices(); ++v) {
        const auto vertex = box.vertex(v);
        places.insert(places.end(), vertex.place.begin(), vertex.place.end());
        numbers.push_back(vertex.number);
    }
    for (std::int64_t c = 0; c < box.cells(); ++c) {
        Tetrahedron cell = box.unfolded_cell(c);
        if (is_inverted(cell)) {
            std::swap(cell.vertex[2], cell.vertex[3]);
            std::swap(cell.boundary[0], cell.boundary[1]);
        }
        corners.insert(corners.end(), cell.vertex.begin(), cell.vertex.end());
        long long packed = 0;
        for (const int f : {0, 1, 3, 2}) {  // as the form counts them
            const long long tag = is_fault(cell.boundary[f]) ? fault_tag : tag_of(cell.boundary[f]);
            const int at = f < 2 ? f : 5 - f;
            packed |= tag << (format == "i64" ? 16 : 8) * at;
            if (wide) tags.push_back(tag);
        }
        if (!wide) tags.push_back(packed);
    }
    nc_put_var_double(file, geometry, places.data());
    nc_put_var_longlong(file, identify, numbers.data());
    nc_put_var_longlong(file, connect, corners.data());
    nc_put_var_longlong(file, boundary, tags.data());
    const std::vector<int> groups(static_cast<std::size_t>(box.cells()), 4);
    nc_put_var_int(file, group, groups.data());
    nc_close(file);
}

}  // namespace groundswell::tetra::test
