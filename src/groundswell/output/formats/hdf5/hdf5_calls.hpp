#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/output/schema.hpp"

/// Calls of HDF5, and handles that close themselves. Used under
/// netcdf::own_library().
namespace groundswell::output {

/// HDF5's words on its last error: the innermost of its messages.
std::string hdf5_error();

/// Returns `status`; throws `Error` with the library's words when it is negative.
template <class Error, class Status>
Status check_hdf5(Status status, const std::string& what) {
    if (status < 0) throw Error(what + ": " + hdf5_error());
    return status;
}

class Hdf5Id {
public:
    Hdf5Id(hid_t id, herr_t (*close_function)(hid_t)) : id_(id), close_(close_function) {}
    Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Hdf5Id& operator=(Hdf5Id&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Hdf5Id() {
        if (id_ >= 0 && !netcdf::library_is_lost()) close_(id_);
    }
    hid_t get() const { return id_; }

    /// Closes now, for whoever must know whether that succeeds.
    herr_t close() { return close_(std::exchange(id_, H5I_INVALID_HID)); }

private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

hid_t memory_type(Type type);

/// Sets what readers get where nothing was written: _FillValue, or what netCDF takes without one. Returns HDF5's status.
herr_t set_fill(hid_t properties, const Variable& variable);

}  // namespace groundswell::output
