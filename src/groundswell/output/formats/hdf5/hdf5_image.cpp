#include "groundswell/output/formats/hdf5/hdf5_image.hpp"

#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/output/formats/backend.hpp"
#include "groundswell/output/formats/hdf5/hdf5_calls.hpp"
#include "groundswell/output/formats/hdf5/hdf5_driver.hpp"

namespace groundswell::output {

std::int64_t Hdf5Image::bytes() const {
    return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0},
                           [](std::int64_t sum, const Block& block) {
                               return sum + static_cast<std::int64_t>(block.bytes.size());
                           });
}

namespace {

/// A variable along the dimension whose name it has: the scale of that dimension in HDF5.
bool is_coordinate(const Schema& schema, const Variable& variable) {
    return schema.find_dimension(variable.name) != nullptr && variable.dimensions.size() == 1 &&
           variable.dimensions.front() == variable.name;
}

class Writer {
public:
    Writer(const std::string& path, const Schema& schema, int compression, std::int64_t records,
           FileSpace& space)
        : path_(path), schema_(schema), compression_(compression), records_(records), memory_(space) {}

    Hdf5Image run(const std::vector<std::vector<Place>>& places) {
        Hdf5Id file = create_file();
        {
            const Hdf5Id root(check(H5Gopen2(file.get(), "/", H5P_DEFAULT)), H5Gclose);
            put_attributes(root, schema_.attributes);
        }
        define_dimensions(file);
        std::vector<Hdf5Id> variables;
        for (std::size_t i = 0; i < schema_.variables.size(); ++i)
            variables.push_back(define(file, schema_.variables[i], places[i]));
        attach_scales(variables);
        variables.clear();
        scales_.clear();
        check(file.close());
        return memory_.take();
    }

private:
    template <class Status>
    Status check(Status status) const {
        return check_hdf5<base::RunFailure>(status, path_ + ": cannot make the header");
    }

    Hdf5Id create_file() {
        if (netcdf::library_is_lost())
            throw base::RunFailure(path_ +
                                   ": cannot make the header: a damaged file has made the library unusable");
        const Hdf5Id access(check(memory_.access_properties()), H5Pclose);
        check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_EARLIEST, H5F_LIBVER_V18));  // as netCDF-C does
        const Hdf5Id creation(check(H5Pcreate(H5P_FILE_CREATE)), H5Pclose);
        constexpr unsigned in_order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
        check(H5Pset_link_creation_order(creation.get(), in_order));
        check(H5Pset_attr_creation_order(creation.get(), in_order));
        check(H5Pset_obj_track_times(creation.get(), false));
        return {check(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, creation.get(), access.get())), H5Fclose};
    }

    Hdf5Id creation_properties() const {
        Hdf5Id properties(check(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
        check(H5Pset_attr_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
        check(H5Pset_obj_track_times(properties.get(), false));
        return properties;
    }

    // Dimensions.

    /// A dimension without a coordinate variable is a data set that holds nothing and says so in its name.
    void define_dimensions(const Hdf5Id& file) {
        for (std::size_t i = 0; i < schema_.dimensions.size(); ++i) {
            const Dimension& dimension = schema_.dimensions[i];
            scales_.emplace_back(H5I_INVALID_HID, H5Dclose);
            const Variable* variable = schema_.find(dimension.name);
            if (variable != nullptr && is_coordinate(schema_, *variable)) continue;
            const auto length = static_cast<hsize_t>(dimension.unlimited ? records_ : dimension.length);
            const hsize_t longest = dimension.unlimited ? H5S_UNLIMITED : length;
            const Hdf5Id space(check(H5Screate_simple(1, &length, &longest)), H5Sclose);
            const Hdf5Id properties = creation_properties();
            const hsize_t chunk = 1024;
            if (dimension.unlimited) check(H5Pset_chunk(properties.get(), 1, &chunk));
            Hdf5Id scale(check(H5Dcreate2(file.get(), dimension.name.c_str(), H5T_IEEE_F32BE, space.get(),
                                          H5P_DEFAULT, properties.get(), H5P_DEFAULT)),
                         H5Dclose);
            make_scale(scale.get(), i,
                       fmt::format("This is a netCDF dimension but not a netCDF variable. {:10}", length));
            scales_.back() = std::move(scale);
        }
    }

    void make_scale(hid_t data, std::size_t dimension, const std::string& name) const {
        check(H5DSset_scale(data, name.c_str()));
        const int number = static_cast<int>(dimension);
        const Hdf5Id scalar(check(H5Screate(H5S_SCALAR)), H5Sclose);
        const Hdf5Id attribute(
            check(H5Acreate2(data, "_Netcdf4Dimid", H5T_NATIVE_INT, scalar.get(), H5P_DEFAULT, H5P_DEFAULT)),
            H5Aclose);
        check(H5Awrite(attribute.get(), H5T_NATIVE_INT, &number));
    }

    std::size_t number_of(const std::string& dimension) const {
        const Dimension* found = schema_.find_dimension(dimension);
        GS_ASSERT(found != nullptr);
        return static_cast<std::size_t>(found - schema_.dimensions.data());
    }

    void attach_scales(const std::vector<Hdf5Id>& variables) const {
        for (std::size_t i = 0; i < variables.size(); ++i) {
            const Variable& variable = schema_.variables[i];
            if (is_coordinate(schema_, variable)) continue;
            for (unsigned d = 0; d < variable.dimensions.size(); ++d) {
                const std::size_t number = number_of(variable.dimensions[d]);
                const Variable* coordinate = schema_.find(variable.dimensions[d]);
                const hid_t scale = coordinate != nullptr
                                        ? variables[coordinate - schema_.variables.data()].get()
                                        : scales_[number].get();
                check(H5DSattach_scale(variables[i].get(), scale, d));
            }
        }
    }

    // Variables.

    Hdf5Id define(const Hdf5Id& file, const Variable& variable, const std::vector<Place>& places) {
        const Hdf5Layout layout = hdf5_layout(schema_, variable, compression_);
        const Hdf5Id space = space_of(variable);
        const Hdf5Id properties = creation_properties();
        const bool written = !places.empty();
        check(set_fill(properties.get(), variable));
        if (layout.chunked) {
            const std::vector<std::int64_t> shape = chunk_shape(schema_, variable, layout);
            const std::vector<hsize_t> chunk(shape.begin(), shape.end());
            check(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()));
        } else if (written) {
            // The place is asked for at once, and nothing is put there.
            check(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY));
            check(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER));
            memory_.next_values_at(places.front().address);
        }
        if (layout.deflated) {
            check(H5Pset_shuffle(properties.get()));
            check(H5Pset_deflate(properties.get(), static_cast<unsigned>(compression_)));
        }
        Hdf5Id data(check(H5Dcreate2(file.get(), variable.name.c_str(), memory_type(variable.type),
                                     space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT)),
                    H5Dclose);
        GS_ASSERT(memory_.values_placed());
        if (is_coordinate(schema_, variable)) make_scale(data.get(), number_of(variable.name), variable.name);
        put_attributes(data, variable.attributes);
        if (layout.chunked && written) put_chunks(data, variable, layout, places);
        return data;
    }

    Hdf5Id space_of(const Variable& variable) const {
        if (variable.dimensions.empty()) return {check(H5Screate(H5S_SCALAR)), H5Sclose};
        std::vector<hsize_t> lengths, longest;
        for (const std::string& name : variable.dimensions) {
            const Dimension& dimension = schema_.dimensions[number_of(name)];
            lengths.push_back(static_cast<hsize_t>(dimension.unlimited ? records_ : dimension.length));
            longest.push_back(dimension.unlimited ? H5S_UNLIMITED : lengths.back());
        }
        return {check(H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), longest.data())),
                H5Sclose};
    }

    void put_chunks(const Hdf5Id& data, const Variable& variable, const Hdf5Layout& layout,
                    const std::vector<Place>& places) {
        const auto count = static_cast<std::size_t>(layout.chunks_of(records_));
        GS_ASSERT(places.size() >= count);
        const auto per_record = static_cast<std::size_t>(layout.chunks());
        std::vector<hsize_t> corner(variable.dimensions.size(), 0);
        const std::size_t row_dimension = layout.axis + (layout.record ? 1 : 0);
        const std::byte nothing{};  // the driver looks at no values
        for (std::size_t i = 0; i < count; ++i) {
            if (layout.record)
                corner[0] = static_cast<hsize_t>(i / per_record) * static_cast<hsize_t>(layout.slots);
            if (row_dimension < corner.size())
                corner[row_dimension] =
                    static_cast<hsize_t>(i % per_record) * static_cast<hsize_t>(layout.chunk_rows);
            memory_.next_values_at(places[i].address);
            check(H5Dwrite_chunk(data.get(), H5P_DEFAULT, 0, corner.data(),
                                 static_cast<std::size_t>(places[i].bytes), &nothing));
            GS_ASSERT(memory_.values_placed());
        }
    }

    // Attributes.

    void put_attributes(const Hdf5Id& owner, const std::vector<Attribute>& attributes) const {
        for (const Attribute& attribute : attributes)
            std::visit([&](const auto& values) { put_attribute(owner, attribute.name, values); },
                       attribute.value);
    }

    template <class Values>
    void put_attribute(const Hdf5Id& owner, const std::string& name, const Values& values) const {
        using Value = typename Values::value_type;
        const hsize_t count = values.size();
        hid_t type = memory_type(type_of<Value>());
        Hdf5Id text(H5I_INVALID_HID, H5Tclose);
        if constexpr (std::is_same_v<Value, char>) {  // one string, of this length
            text = Hdf5Id(check(H5Tcopy(H5T_C_S1)), H5Tclose);
            check(H5Tset_size(text.get(), std::max<std::size_t>(1, count)));
            type = text.get();
        }
        const Hdf5Id space(check(count == 0                    ? H5Screate(H5S_NULL)
                                 : std::is_same_v<Value, char> ? H5Screate(H5S_SCALAR)
                                                               : H5Screate_simple(1, &count, nullptr)),
                           H5Sclose);
        const Hdf5Id attribute(
            check(H5Acreate2(owner.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT)),
            H5Aclose);
        if (count > 0) check(H5Awrite(attribute.get(), type, values.data()));
    }

    const std::string& path_;
    const Schema& schema_;
    int compression_;
    std::int64_t records_;
    Hdf5Memory memory_;
    std::vector<Hdf5Id> scales_;  // of the dimensions; none where a coordinate variable is it
};

}  // namespace

Hdf5Image make_hdf5_image(const std::string& path, const Schema& schema, int compression,
                          const std::vector<std::vector<Place>>& places, std::int64_t records,
                          FileSpace& space) {
    const auto lock = netcdf::own_library();
    return Writer(path, schema, compression, records, space).run(places);
}

void check_hdf5_schema(const Schema& schema, std::string_view file) {
    for (const Variable& variable : schema.variables)
        base::require(schema.find_dimension(variable.name) == nullptr || is_coordinate(schema, variable),
                      file, "variable " + variable.name,
                      fmt::format("({})", fmt::join(variable.dimensions, ", ")),
                      "the dimension of its name alone, in a netCDF-4 file");
}

}  // namespace groundswell::output
