#include "groundswell/netcdf/netcdf_file.hpp"

#include <netcdf.h>

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/netcdf/lock.hpp"

namespace groundswell::netcdf {

void NetcdfFile::check(int status, const std::string& what) const {
    if (status != NC_NOERR) base::refuse(path_, what, nc_strerror(status), "a NetCDF file that can be read");
}

NetcdfFile::NetcdfFile(const std::string& path) : path_(path), extent_(path) {
    const auto lock = own_library();
    check(limited_call(path_, [&] { return nc_open(path.c_str(), NC_NOWRITE, &id_); }), "open");
    try {
        int count = 0;
        check(limited_call(path_, [&] { return nc_inq_nvars(id_, &count); }), "variables");
        char name[NC_MAX_NAME + 1] = {};
        for (int id = 0; id < count; ++id) {
            Variable variable;
            variable.id = id;
            int rank = 0;
            int dimensions[NC_MAX_VAR_DIMS];
            const auto inquire = [&] {
                return nc_inq_var(id_, id, name, nullptr, &rank, dimensions, nullptr);
            };
            check(limited_call(path_, inquire), "variables");
            variable.name = name;
            for (int i = 0; i < rank; ++i) {
                Dimension dimension;
                check(nc_inq_dim(id_, dimensions[i], name, &dimension.length), variable.name);
                dimension.name = name;
                variable.dimensions.push_back(dimension);
            }
            variables_.push_back(variable);
        }
    } catch (...) {
        close();
        throw;
    }
}

NetcdfFile::~NetcdfFile() {
    const auto lock = own_library();
    close();
}

void NetcdfFile::close() const {
    if (!library_is_lost()) nc_close(id_);
}

const NetcdfFile::Variable* NetcdfFile::find(const std::string& name) const {
    const auto found = std::find_if(variables_.begin(), variables_.end(),
                                    [&](const Variable& variable) { return variable.name == name; });
    return found == variables_.end() ? nullptr : &*found;
}

std::string NetcdfFile::text(const Variable& variable, const char* attribute) const {
    const auto lock = own_library();
    nc_type type = NC_NAT;
    std::size_t length = 0;
    const auto inquire = [&] { return nc_inq_att(id_, variable.id, attribute, &type, &length); };
    if (limited_call(path_, inquire) != NC_NOERR) return {};
    std::string value;
    if (type == NC_CHAR) {
        value.resize(length);
        check(limited_call(path_, [&] { return nc_get_att_text(id_, variable.id, attribute, value.data()); }),
              variable.name);
    } else if (type == NC_STRING && length == 1) {
        char* pointer = nullptr;
        check(limited_call(path_, [&] { return nc_get_att_string(id_, variable.id, attribute, &pointer); }),
              variable.name);
        if (pointer != nullptr) value = pointer;
        nc_free_string(1, &pointer);
    }
    while (!value.empty() && (value.back() == '\0' || value.back() == ' ')) value.pop_back();
    return value;
}

std::optional<double> NetcdfFile::number(const Variable& variable, const char* attribute) const {
    const auto lock = own_library();
    nc_type type = NC_NAT;
    std::size_t length = 0;
    const auto inquire = [&] { return nc_inq_att(id_, variable.id, attribute, &type, &length); };
    if (limited_call(path_, inquire) != NC_NOERR) return std::nullopt;
    if (type == NC_CHAR || type == NC_STRING || length == 0) return std::nullopt;
    std::vector<double> values(length);
    check(limited_call(path_, [&] { return nc_get_att_double(id_, variable.id, attribute, values.data()); }),
          variable.name);
    return values[0];
}

std::size_t NetcdfFile::chunk_length(const Variable& variable, std::size_t dimension) const {
    const auto lock = own_library();
    int storage = NC_CONTIGUOUS;
    std::vector<std::size_t> lengths(variable.dimensions.size(), 1);
    // Formats without pieces may refuse the question.
    const auto inquire = [&] { return nc_inq_var_chunking(id_, variable.id, &storage, lengths.data()); };
    if (limited_call(path_, inquire) != NC_NOERR || storage != NC_CHUNKED) return 1;
    return std::max<std::size_t>(1, lengths[dimension]);
}

std::vector<double> NetcdfFile::read_axis(const Variable& variable) const {
    base::require(variable.dimensions.size() == 1, path_, variable.name,
                  std::to_string(variable.dimensions.size()) + " dimensions", "an axis with one dimension");
    extent_.require(variable.name);  // before memory is asked for as many values as a header may claim
    std::vector<double> values(variable.dimensions[0].length);
    read(variable, {0}, {values.size()}, values.data());
    return values;
}

void NetcdfFile::read(const Variable& variable, const std::vector<std::size_t>& first,
                      const std::vector<std::size_t>& count, double* values) const {
    extent_.require(variable.name);
    const auto lock = own_library();
    std::size_t bytes = sizeof(double);
    for (const std::size_t each : count) bytes *= each;
    const auto get = [&] { return nc_get_vara_double(id_, variable.id, first.data(), count.data(), values); };
    check(limited_call(path_, get, static_cast<std::int64_t>(bytes)), variable.name);
}

}  // namespace groundswell::netcdf
