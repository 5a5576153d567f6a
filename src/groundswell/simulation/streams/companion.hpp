#pragma once

#include <string>

#include "groundswell/simulation/case.hpp"
#include "groundswell/simulation/stream.hpp"

/// The files that tell other programs what stands where in an output file: see Stream::companion(). Not collective.
namespace groundswell::simulation {

/// Where the one of a stream's file `path` is: NAME.xdmf beside NAME.nc. Empty where it has none: it is of no such name, not
/// in HDF5, or of a stream without.
std::string companion_path(const OutputSection& section, const Stream& stream, const std::string& path);

/// Writes it anew, whole or not at all, with the whole records that the file holds; a warning where it cannot be written.
void write_companion(const OutputSection& section, const Stream& stream, const std::string& path) noexcept;

}  // namespace groundswell::simulation
