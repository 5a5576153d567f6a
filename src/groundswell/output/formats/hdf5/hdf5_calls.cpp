#include "groundswell/output/formats/hdf5/hdf5_calls.hpp"

namespace groundswell::output {

std::string hdf5_error() {
    std::string text;
    const auto keep = [](unsigned, const H5E_error2_t* error, void* into) -> herr_t {
        *static_cast<std::string*>(into) = error->desc != nullptr ? error->desc : "";
        return 0;
    };
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep, &text);
    return text.empty() ? "HDF5 reports an error" : "HDF5: " + text;
}

}  // namespace groundswell::output
