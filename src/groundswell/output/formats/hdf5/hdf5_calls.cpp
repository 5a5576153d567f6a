#include "groundswell/output/formats/hdf5/hdf5_calls.hpp"

#include <netcdf.h>

#include <algorithm>

#include "groundswell/base/errors.hpp"

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

hid_t memory_type(Type type) {
    switch (type) {
        case Type::character:
            return H5T_C_S1;  // one character: its size is 1
        case Type::int32:
            return H5T_NATIVE_INT32;
        case Type::int64:
            return H5T_NATIVE_INT64;
        case Type::float32:
            return H5T_NATIVE_FLOAT;
        case Type::float64:
            return H5T_NATIVE_DOUBLE;
    }
    GS_ASSERT(false);
    return H5I_INVALID_HID;
}

herr_t set_fill(hid_t properties, const Variable& variable) {
    const Attribute* given = find_named(variable.attributes, "_FillValue");
    const auto set = [&]<class T>(T usual) {
        T fill = usual;
        if (given != nullptr)
            if (const auto* values = std::get_if<std::vector<T>>(&given->value); values && !values->empty())
                fill = values->front();
        return H5Pset_fill_value(properties, memory_type(variable.type), &fill);
    };
    switch (variable.type) {
        case Type::character: {
            const char fill = NC_FILL_CHAR;
            return H5Pset_fill_value(properties, memory_type(variable.type), &fill);
        }
        case Type::int32:
            return set(std::int32_t{NC_FILL_INT});
        case Type::int64:
            return set(static_cast<std::int64_t>(NC_FILL_INT64));
        case Type::float32:
            return set(float{NC_FILL_FLOAT});
        case Type::float64:
            return set(double{NC_FILL_DOUBLE});
    }
    GS_ASSERT(false);
    return -1;
}

}  // namespace groundswell::output
