#include "groundswell/base/errors.hpp"
#include "groundswell/mesh/tetra/projection/projection.hpp"

// Stands in for the PROJ library in a program that was built without it.
namespace groundswell::tetra {

std::shared_ptr<const Projection::Formula> proj_library(const std::string& words, std::string_view where,
                                                        std::string_view key) {
    base::refuse(
        where, key, words,
        "+proj=utm or +proj=tmerc on WGS84, or a UTM zone by its number (EPSG:32611): this program was built "
        "without the PROJ library (Debian's libproj-dev), which knows the others");
}

}  // namespace groundswell::tetra
