#include "groundswell/mesh/tetra/recognise.hpp"

#include <fstream>
#include <string_view>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/plain_file.hpp"
#include "groundswell/netcdf/reader.hpp"

namespace groundswell::tetra {

bool is_tetrahedra(const std::string& path) {
    try {
        base::require_plain_file(path);
        std::string beginning(16, '\0');
        std::ifstream(path, std::ios::binary)
            .read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
        if (beginning.starts_with("$MeshFormat")) return true;
        const bool hdf5 = beginning.starts_with(std::string_view("\x89HDF\r\n\x1a\n"));
        return hdf5 && netcdf::Reader(path).find("connect") != nullptr;
    } catch (const base::Refusal&) {
        return false;
    }
}

}  // namespace groundswell::tetra
