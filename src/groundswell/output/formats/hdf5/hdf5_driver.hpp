#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "groundswell/output/formats/file_space.hpp"
#include "groundswell/output/formats/hdf5/hdf5_image.hpp"

/// A file driver beneath HDF5 that keeps metadata in memory, at free places of a file, and only pretends to
/// write values.
namespace groundswell::output {

class Hdf5Memory {
public:
    explicit Hdf5Memory(FileSpace& space) : space_(space) {}

    /// Where the values are that HDF5 writes next; asked for once.
    void next_values_at(std::int64_t address) { next_values_ = address; }
    bool values_placed() const { return next_values_ < 0; }

    /// An access property list with which files are made here. The object must live until the file is closed.
    hid_t access_properties();

    /// Contents as written, once the file is closed.
    Hdf5Image take();

    // What the driver is asked by the library.
    std::int64_t allocate(H5FD_mem_t type, std::int64_t bytes);
    void read(std::int64_t begin, std::size_t bytes, std::byte* to) const;
    bool write(std::int64_t begin, std::size_t bytes, const std::byte* from);
    std::int64_t end = 0;  ///< of all that is in the file

private:
    FileSpace& space_;
    std::int64_t next_values_ = -1;
    std::vector<Hdf5Image::Block> blocks_;
    std::int64_t used_ = 0;  // bytes of the last block
    std::vector<std::byte> superblock_;
};

}  // namespace groundswell::output
