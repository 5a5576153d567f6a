#include "groundswell/output/formats/hdf5/hdf5_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/output/disk/disk.hpp"
#include "groundswell/output/formats/backend.hpp"
#include "groundswell/output/formats/hdf5/hdf5_calls.hpp"

namespace groundswell::output {

Hdf5Layout hdf5_layout(const Schema& schema, const Variable& variable, int compression) {
    constexpr std::int64_t least_deflated = 1 << 10, shared_chunk = 16 << 10, deflated_chunk = 1 << 20;
    constexpr std::int64_t largest_chunk = 1 << 30;  // HDF5 takes less than 4 GiB
    constexpr std::int64_t most_slots = 512;
    Hdf5Layout layout;
    layout.record = schema.is_record(variable);
    const std::int64_t bytes = schema.row_shape(variable).values() * size_of(variable.type);
    layout.deflated = compression > 0 && bytes >= least_deflated;
    const std::string along = layout.deflated ? variable.distributed : std::string();
    const RowShape shape = schema.row_shape(variable, along);
    layout.axis = schema.row_axis(variable, along);
    layout.segments = shape.segments;
    layout.rows = shape.rows;
    layout.row_bytes = shape.row_width * size_of(variable.type);
    layout.chunked = layout.record || layout.deflated;
    layout.chunk_rows = layout.rows;
    if (!layout.chunked) return layout;
    if (layout.record && !layout.deflated)
        layout.slots = std::clamp<std::int64_t>(shared_chunk / bytes, 1, most_slots);
    const std::int64_t target = layout.deflated ? deflated_chunk : largest_chunk;
    const std::int64_t parts = std::min(layout.rows, (bytes + target - 1) / target);
    layout.chunk_rows = (layout.rows + parts - 1) / parts;
    return layout;
}

std::vector<Hdf5Layout> hdf5_layouts(const Schema& schema, int compression) {
    std::vector<Hdf5Layout> layouts;
    for (const Variable& variable : schema.variables)
        layouts.push_back(hdf5_layout(schema, variable, compression));
    return layouts;
}

std::vector<std::int64_t> chunk_shape(const Schema& schema, const Variable& variable,
                                      const Hdf5Layout& layout) {
    std::vector<std::int64_t> shape = schema.shape(variable);
    if (!shape.empty()) shape[layout.axis] = layout.chunk_rows;
    if (layout.record) shape.insert(shape.begin(), layout.slots);
    return shape;
}

std::int64_t hdf5_extra_bytes(const Schema& schema, std::int64_t records, int compression) {
    std::int64_t padding = 0, chunks = 0;
    for (const Variable& variable : schema.variables) {
        const Hdf5Layout layout = hdf5_layout(schema, variable, compression);
        const std::int64_t values = layout.record_bytes() * (layout.record ? records : 1);
        const std::int64_t count = layout.chunks_of(records);
        padding += std::max<std::int64_t>(0, count * layout.chunk_bytes() - values) + 16 * count;
        chunks += count;
    }
    constexpr std::int64_t object = 8 << 10, chunk = 256, old = std::int64_t{4} << 20;
    const auto objects = static_cast<std::int64_t>(schema.variables.size() + schema.dimensions.size() + 4);
    const std::int64_t metadata = objects * object + chunks * chunk;
    return padding + 3 * metadata + std::min(old, records * metadata);
}

namespace {

std::int64_t signed_address(haddr_t address) {
    return address == HADDR_UNDEF ? -1 : static_cast<std::int64_t>(address);
}

/// Places of all chunks of a dataset, by their corners.
std::vector<Place> chunk_places(const Hdf5Id& data, const std::vector<hsize_t>& shape,
                                const std::vector<std::int64_t>& chunk, const std::string& path,
                                const std::string& what) {
    std::vector<Place> places;
    std::vector<hsize_t> corner(shape.size(), 0);
    if (std::find(shape.begin(), shape.end(), hsize_t{0}) != shape.end()) return places;
    // A chunk has a byte at least, but for some that nobody has written.
    const double most = static_cast<double>(file_size(path)) + 1e6;
    double count = 1.0;
    for (std::size_t d = 0; d < shape.size(); ++d)
        count *= std::ceil(static_cast<double>(shape[d]) /
                           static_cast<double>(std::max<std::int64_t>(1, chunk[d])));
    if (count > most)
        throw base::Refusal(
            fmt::format("{}: {:.3g} pieces: expected no more than the file can hold", what, count));
    while (true) {
        unsigned unused = 0;
        haddr_t address = HADDR_UNDEF;
        hsize_t bytes = 0;
        const auto find = [&] {
            return H5Dget_chunk_info_by_coord(data.get(), corner.data(), &unused, &address, &bytes);
        };
        check_hdf5<base::Refusal>(netcdf::limited_call(path, find), what);
        places.push_back({signed_address(address), static_cast<std::int64_t>(bytes)});
        std::size_t d = shape.size();
        while (d-- > 0) {
            corner[d] += static_cast<hsize_t>(chunk[d]);
            if (corner[d] < shape[d]) break;
            corner[d] = 0;
        }
        if (d == static_cast<std::size_t>(-1)) return places;
    }
}

Hdf5Stored read_stored(const Hdf5Id& file, const Schema& schema, const Variable& variable,
                       const std::string& path) {
    const std::string what = path + ": variable " + variable.name;
    const auto check = [&](auto status) { return check_hdf5<base::Refusal>(status, what); };
    Hdf5Stored stored;
    // netCDF-C gives a variable that is no coordinate, but has the name of a dimension, this name.
    const std::string other = "_nc4_non_coord_" + variable.name;
    const bool usual = H5Lexists(file.get(), variable.name.c_str(), H5P_DEFAULT) > 0;
    const char* name = usual ? variable.name.c_str() : other.c_str();
    hid_t opened = H5I_INVALID_HID;
    netcdf::limited_call(path,
                         [&] { return (opened = H5Dopen2(file.get(), name, H5P_DEFAULT)) < 0 ? -1 : 0; });
    const Hdf5Id data(check(opened), H5Dclose);
    const Hdf5Id space(check(H5Dget_space(data.get())), H5Sclose);
    const Hdf5Id properties(check(H5Dget_create_plist(data.get())), H5Pclose);
    std::vector<hsize_t> shape(check(H5Sget_simple_extent_ndims(space.get())));
    check(H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr));
    if (schema.is_record(variable) && !shape.empty())
        stored.records = static_cast<std::int64_t>(shape.front());
    stored.deflated = check(H5Pget_nfilters(properties.get())) > 0;
    const H5D_layout_t layout = H5Pget_layout(properties.get());
    if (layout == H5D_CHUNKED) {
        std::vector<hsize_t> chunk(shape.size());
        check(H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()));
        stored.chunk.assign(chunk.begin(), chunk.end());
        stored.places = chunk_places(data, shape, stored.chunk, path, what);
    } else if (layout == H5D_CONTIGUOUS) {
        stored.places.push_back({signed_address(H5Dget_offset(data.get())),
                                 static_cast<std::int64_t>(H5Dget_storage_size(data.get()))});
    }
    return stored;
}

}  // namespace

std::vector<Hdf5Stored> read_hdf5_places(const std::string& path, const Schema& schema) {
    const auto lock = netcdf::own_library();
    const Hdf5Id access(check_hdf5<base::Refusal>(H5Pcreate(H5P_FILE_ACCESS), path), H5Pclose);
    hid_t opened = H5I_INVALID_HID;
    netcdf::limited_call(path, [&] {
        opened = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
        return opened < 0 ? -1 : 0;
    });
    const Hdf5Id file(check_hdf5<base::Refusal>(opened, path + ": expected an HDF5 file that can be read"),
                      H5Fclose);
    std::vector<Hdf5Stored> all;
    for (const Variable& variable : schema.variables)
        all.push_back(read_stored(file, schema, variable, path));
    return all;
}

void check_hdf5_stored(const std::string& path, const Schema& schema, std::size_t variable,
                       const Hdf5Layout& layout, const Hdf5Stored& stored, std::int64_t records) {
    const Variable& known = schema.variables[variable];
    const auto words = [](bool deflated, const std::vector<std::int64_t>& chunk) {
        return chunk.empty()
                   ? std::string("contiguous")
                   : fmt::format("{}in chunks of {}", deflated ? "compressed " : "", fmt::join(chunk, " x "));
    };
    const std::vector<std::int64_t> chunk =
        layout.chunked ? chunk_shape(schema, known, layout) : std::vector<std::int64_t>{};
    base::require(
        stored.chunk == chunk && stored.deflated == layout.deflated, path, "storage of " + known.name,
        words(stored.deflated, stored.chunk),
        words(layout.deflated, chunk) + ", to be continued after a restart (is the compression another?)");
    const std::int64_t needed = layout.chunks_of(records);
    const auto whole = std::find_if(stored.places.begin(), stored.places.end(),
                                    [](const Place& each) { return each.address < 0; }) -
                       stored.places.begin();
    base::require(whole >= needed, path, "variable " + known.name, fmt::format("{} pieces", whole),
                  fmt::format("{} pieces, to be continued after a restart", needed));
}

}  // namespace groundswell::output
