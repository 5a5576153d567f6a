#pragma once

#include <hdf5.h>

#include "groundswell/output/schema.hpp"

/// Types of values, as HDF5 knows them.
namespace groundswell::output {

hid_t memory_type(Type type);

/// Sets what readers get where nothing was written: _FillValue, or what netCDF takes without one. Returns HDF5's status.
herr_t set_fill(hid_t properties, const Variable& variable);

}  // namespace groundswell::output
