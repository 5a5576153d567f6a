#include "groundswell/quake/device/fault/cuda_entry.hpp"

namespace groundswell::quake {

const void* cuda_entry_of_law(std::string_view) {
    return nullptr;
}

template <class Real>
const void* cuda_entry_of_feeling() {
    return nullptr;
}

template const void* cuda_entry_of_feeling<float>();
template const void* cuda_entry_of_feeling<double>();

}  // namespace groundswell::quake
