#pragma once

#include <cstdint>
#include <string>

#include "groundswell/output/disk/mpi_hints.hpp"

/// A file on the disk, by calls of the system. base::RunFailure with its words where one fails.
namespace groundswell::output {

/// Makes a file that is not there yet. With hints MPI-IO does it, because a parallel file system lays the file out by them.
void make_file(const std::string& path, const MpiHints* hints);
/// Opens it for reading and writing; returns its number.
int open_file(const std::string& path);
void shorten(int file, const std::string& path, std::int64_t bytes);

}  // namespace groundswell::output
