#pragma once

#include <netcdf.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "groundswell/netcdf/reader.hpp"

/// Our types for the library's, and its calls for them. For the reader's own files.
namespace groundswell::netcdf {

/// A type of the library, what holds its values here, and how many bits an integer of it has.
struct LibraryType {
    nc_type type;
    Held held;
    int integer_bits;
};
inline constexpr LibraryType library_types[] = {
    {NC_CHAR, Held::text, 0},     {NC_BYTE, Held::int32, 8},    {NC_UBYTE, Held::int32, 8},
    {NC_SHORT, Held::int32, 16},  {NC_USHORT, Held::int32, 16}, {NC_INT, Held::int32, 32},
    {NC_UINT, Held::int64, 32},   {NC_INT64, Held::int64, 64},  {NC_UINT64, Held::int64, 64},
    {NC_FLOAT, Held::float32, 0}, {NC_DOUBLE, Held::float64, 0}};

inline LibraryType library_type(nc_type type) {
    const auto* const found = std::ranges::find(library_types, type, &LibraryType::type);
    return found != std::end(library_types) ? *found : LibraryType{type, Held::other, 0};
}

/// The calls of the library for a type of its own.
template <class T, auto get_values, auto get_attribute>
struct Calls {
    static constexpr auto values = get_values;
    static constexpr auto attribute = get_attribute;
    using Library = T;
};

/// Those for a type of ours.
template <class T>
struct Get;
template <>
struct Get<char> : Calls<char, nc_get_vara_text, nc_get_att_text> {};
template <>
struct Get<std::int32_t> : Calls<int, nc_get_vara_int, nc_get_att_int> {};
template <>
struct Get<std::int64_t> : Calls<long long, nc_get_vara_longlong, nc_get_att_longlong> {};
static_assert(sizeof(long long) == sizeof(std::int64_t));
template <>
struct Get<float> : Calls<float, nc_get_vara_float, nc_get_att_float> {};
template <>
struct Get<double> : Calls<double, nc_get_vara_double, nc_get_att_double> {};

}  // namespace groundswell::netcdf
