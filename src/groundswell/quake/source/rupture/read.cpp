#include "groundswell/quake/source/rupture/read.hpp"

#include <fstream>
#include <string>

#include "groundswell/base/errors.hpp"

namespace groundswell::quake {

namespace {

// NRF is a NetCDF-4 file that SeisSol's tools make of an SRF.
void refuse_nrf(const std::string& path) {
    std::string beginning(4, '\0');
    std::ifstream(path, std::ios::binary).read(beginning.data(), 4);
    base::require(!beginning.starts_with("CDF") && beginning != "\x89HDF", path, "format", "NetCDF",
                  "an SRF or FSRM file: NetCDF is what NRF is stored in, which is not read; give the SRF "
                  "that it was made of, or `groundswell import seissol` the parameters that name it");
}

}  // namespace

Rupture read_rupture(const std::string& file, const std::optional<tetra::Projection>& projection,
                     const RuptureSection& section) {
    refuse_nrf(section.file);
    const bool srf = section.format == "srf" || (section.format == "auto" && is_srf(section.file));
    if (!srf) {
        base::require(!section.depth_from_surface, file, section.name + ".depth_from", "surface",
                      "a file in the Standard Rupture Format; places of FSRM are those of the mesh");
        return read_fsrm(section.file, section.delay);
    }
    base::require(projection.has_value(), file, section.name + ".file", section.file,
                  "a section [projection], which turns the file's degrees into the mesh's metres");
    Rupture rupture = read_srf(section.file, *projection, section.delay);
    rupture.depth_from_surface = section.depth_from_surface;
    return rupture;
}

}  // namespace groundswell::quake
