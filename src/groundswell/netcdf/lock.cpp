#include "groundswell/netcdf/lock.hpp"

#include <hdf5.h>

namespace groundswell::netcdf {

std::unique_lock<std::mutex> own_library() {
    static std::mutex mutex;
    auto lock = std::unique_lock<std::mutex>(mutex);
    // Else HDF5 would print messages of its own on the terminal; each thread has a choice.
    thread_local const herr_t quiet = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    static_cast<void>(quiet);
    return lock;
}

}  // namespace groundswell::netcdf
