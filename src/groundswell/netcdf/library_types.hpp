#pragma once

#include <netcdf.h>

#include <cstdint>

#include "groundswell/netcdf/reader.hpp"

/// Our types for the library's, and its calls for them. For the reader's own files.
namespace groundswell::netcdf {

inline Held held_as(nc_type type) {
    switch (type) {
        case NC_CHAR:
            return Held::text;
        case NC_BYTE:
        case NC_UBYTE:
        case NC_SHORT:
        case NC_USHORT:
        case NC_INT:
            return Held::int32;
        case NC_UINT:
        case NC_INT64:
        case NC_UINT64:
            return Held::int64;
        case NC_FLOAT:
            return Held::float32;
        case NC_DOUBLE:
            return Held::float64;
        default:
            return Held::other;
    }
}

inline int integer_bits(nc_type type) {
    switch (type) {
        case NC_BYTE:
        case NC_UBYTE:
            return 8;
        case NC_SHORT:
        case NC_USHORT:
            return 16;
        case NC_INT:
        case NC_UINT:
            return 32;
        case NC_INT64:
        case NC_UINT64:
            return 64;
        default:
            return 0;
    }
}

/// The calls of the library for a type.
template <class T>
struct Get;
template <>
struct Get<char> {
    static constexpr auto values = nc_get_vara_text;
    static constexpr auto attribute = nc_get_att_text;
    using Library = char;
};
template <>
struct Get<std::int32_t> {
    static constexpr auto values = nc_get_vara_int;
    static constexpr auto attribute = nc_get_att_int;
    using Library = int;
};
template <>
struct Get<std::int64_t> {
    static constexpr auto values = nc_get_vara_longlong;
    static constexpr auto attribute = nc_get_att_longlong;
    using Library = long long;
    static_assert(sizeof(long long) == sizeof(std::int64_t));
};
template <>
struct Get<float> {
    static constexpr auto values = nc_get_vara_float;
    static constexpr auto attribute = nc_get_att_float;
    using Library = float;
};
template <>
struct Get<double> {
    static constexpr auto values = nc_get_vara_double;
    static constexpr auto attribute = nc_get_att_double;
    using Library = double;
};

}  // namespace groundswell::netcdf
