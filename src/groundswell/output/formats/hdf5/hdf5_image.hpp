#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/output/formats/file_space.hpp"
#include "groundswell/output/formats/hdf5/hdf5_layout.hpp"
#include "groundswell/output/schema.hpp"

/// The metadata of a netCDF-4 file, made anew for each record.
///
/// HDF5 changes its metadata in place, in many writes: a process that is killed among them leaves a file that
/// nobody can open, and while they last a reader sees some variables with one record more than others. So
/// nothing of an existing file is changed here. The library writes the whole metadata of a file with so many
/// records into memory, at addresses that the file does not use, while the values stay where they are; a
/// driver beneath the library decides about both (HDF5 Virtual File Layer, The HDF Group). What the image
/// holds is then written, and found on the disk, before the superblock: the one small block at the beginning
/// of the file that names the root of all metadata. With that single write the file changes from its old
/// state to the new one.
///
/// Dimensions, variables and attributes stand in the file as netCDF-C puts them there: dimension scales, in
/// the order of creation (Unidata, "NetCDF-4 Format Specification").
namespace groundswell::output {

struct Hdf5Image {
    struct Block {
        std::int64_t begin = 0;
        std::vector<std::byte> bytes;
    };
    std::vector<Block> blocks;          ///< metadata but the superblock
    std::vector<std::byte> superblock;  ///< for offset 0
    std::int64_t bytes() const;         ///< of the blocks
};

/// Bytes at the beginning of the file that only the superblock uses.
constexpr std::int64_t hdf5_begin = 512;

/// The metadata of a file that holds `records` records, and values where `places` says: for each variable its
/// chunks in the order of records and rows, at least as many as so many records need; none: its fill value.
/// The blocks are taken from `space`. RunFailure with the library's words.
Hdf5Image make_hdf5_image(const std::string& path, const Schema& schema, int compression,
                          const std::vector<std::vector<Place>>& places, std::int64_t records,
                          FileSpace& space);

}  // namespace groundswell::output
