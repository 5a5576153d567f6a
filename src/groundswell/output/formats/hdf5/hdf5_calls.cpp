#include "groundswell/output/formats/hdf5/hdf5_calls.hpp"

#include <netcdf.h>

#include <tuple>
#include <type_traits>

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
    // In the order of Type; a character's size is 1.
    const hid_t types[] = {H5T_C_S1, H5T_NATIVE_INT32, H5T_NATIVE_INT64, H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE};
    return types[static_cast<std::size_t>(type)];
}

herr_t set_fill(hid_t properties, const Variable& variable) {
    const std::tuple usual(char{NC_FILL_CHAR}, std::int32_t{NC_FILL_INT}, std::int64_t{NC_FILL_INT64},
                           float{NC_FILL_FLOAT}, double{NC_FILL_DOUBLE});
    const Attribute* given = find_named(variable.attributes, "_FillValue");
    return with_type(variable.type, [&]<class T>(T fill) {
        fill = std::get<T>(usual);
        if constexpr (!std::is_same_v<T, char>)
            if (const auto* values = given ? std::get_if<std::vector<T>>(&given->value) : nullptr;
                values && !values->empty())
                fill = values->front();
        return H5Pset_fill_value(properties, memory_type(variable.type), &fill);
    });
}

}  // namespace groundswell::output
