#include "groundswell/quake/source/rupture/read.hpp"

#include "groundswell/base/errors.hpp"
#include "groundswell/quake/source/rupture/fsrm.hpp"
#include "groundswell/quake/source/rupture/srf.hpp"

namespace groundswell::quake {

Rupture read_rupture(const Case& run, const RuptureSection& section) {
    const bool srf = section.format == "srf" || (section.format == "auto" && is_srf(section.file));
    if (!srf) {
        base::require(!section.depth_from_surface, run.file, section.name + ".depth_from", "surface",
                      "a file in the Standard Rupture Format; places of FSRM are those of the mesh");
        return read_fsrm(section.file, section.delay);
    }
    base::require(run.projection.has_value(), run.file, section.name + ".file", section.file,
                  "a section [projection], which turns the file's degrees into the mesh's metres");
    Rupture rupture = read_srf(section.file, *run.projection, section.delay);
    rupture.depth_from_surface = section.depth_from_surface;
    return rupture;
}

}  // namespace groundswell::quake
