#include "groundswell/netcdf/reader.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "groundswell/base/errors.hpp"
#include "groundswell/netcdf/foreign_format.hpp"
#include "groundswell/netcdf/library_call.hpp"
#include "groundswell/netcdf/library_types.hpp"
#include "groundswell/netcdf/packing.hpp"

namespace groundswell::netcdf {

namespace {

template <class Named>
const Named* find_in(const std::vector<Named>& list, std::string_view name) {
    const auto found = std::ranges::find(list, name, &Named::name);
    return found == list.end() ? nullptr : &*found;
}

}  // namespace

/// The one place where the library is called to read.
int Reader::call(const std::function<int()>& function, std::int64_t bytes) const {
    const auto lock = own_library();
    return limited_call(path_, function, bytes);
}

void Reader::check(int status, std::string_view what) const {
    if (status == NC_NOERR) return;
    // Numbers above 0 are the system's: there is no such file, or it may not be read.
    base::refuse(
        path_, what, "",
        fmt::format("a {}{} ({})", kind_, status > 0 ? "" : " that can be read", nc_strerror(status)));
}

Reader::Reader(const std::string& path, std::string kind)
    : path_(path), kind_(std::move(kind)), extent_(path) {
    const int status = call([&] { return nc_open(path_.c_str(), NC_NOWRITE, &id_); });
    if (status != NC_NOERR) {
        const std::string found = foreign_format(path_);
        base::require(found.empty(), path_, "", "", fmt::format("a {}; {}", kind_, found));
    }
    check(status, "");
    try {
        read_header();
    } catch (...) {
        close();
        throw;
    }
}

Reader::~Reader() {
    close();
}

void Reader::close() const {
    const auto lock = own_library();
    if (!library_is_lost()) nc_close(id_);
}

void Reader::read_header() {
    check(call([&] { return nc_inq(id_, nullptr, nullptr, &attributes_, nullptr); }), "");
    read_group(id_, "");
}

// Dimensions of a group are known to all groups in it.
void Reader::read_group(int group, const std::string& prefix) {
    const auto list = [&](const auto& inquire) {
        int count = 0;
        check(call([&] { return inquire(&count, nullptr); }), "");
        std::vector<int> ids(count);
        check(call([&] { return inquire(&count, ids.data()); }), "");
        return ids;
    };
    char name[NC_MAX_NAME + 1] = {};
    const auto unlimited = list([&](int* count, int* ids) { return nc_inq_unlimdims(group, count, ids); });
    for (const int id : list([&](int*count, int*ids) { return nc_inq_dimids(group, count, ids, 0); })) {
        Dimension dimension;
        check(call([&] { return nc_inq_dim(group, id, name, &dimension.length); }), "");
        dimension.name = prefix + name;
        dimension.unlimited = std::ranges::count(unlimited, id) > 0;
        dimension_ids_.push_back(id);
        dimensions_.push_back(dimension);
    }
    for (const int id : list([&](int*count, int*ids) { return nc_inq_varids(group, count, ids); })) {
        Variable variable;
        variable.group = group;
        variable.id = id;
        int rank = 0, of[NC_MAX_VAR_DIMS];
        nc_type type = NC_NAT;
        check(call([&] { return nc_inq_var(group, id, name, &type, &rank, of, &variable.attributes); }), "");
        variable.name = prefix + name;
        variable.held = library_type(type).held;
        variable.integer_bits = library_type(type).integer_bits;
        variable.is_unsigned = type == NC_UBYTE || type == NC_USHORT || type == NC_UINT || type == NC_UINT64;
        for (int i = 0; i < rank; ++i) {
            const auto known = std::ranges::find(dimension_ids_, of[i]);
            base::require(known != dimension_ids_.end(), path_, variable.name, "", "dimensions of the file");
            variable.dimensions.push_back(dimensions_[known - dimension_ids_.begin()]);
        }
        variables_.push_back(std::move(variable));
    }
    for (const int inner : list([&](int*count, int*ids) { return nc_inq_grps(group, count, ids); })) {
        check(call([&] { return nc_inq_grpname(inner, name); }), "");
        read_group(inner, prefix + name + "/");
    }
}

const Reader::Dimension* Reader::find_dimension(std::string_view name) const {
    return find_in(dimensions_, name);
}

const Reader::Variable* Reader::find(std::string_view name) const {
    return find_in(variables_, name);
}

const Reader::Variable* Reader::find_near(const Variable& variable, std::string_view name) const {
    std::string_view group = variable.name;
    for (;;) {
        const auto slash = group.rfind('/');
        const std::string prefix(group.substr(0, slash == std::string_view::npos ? 0 : slash + 1));
        if (const Variable* found = find(prefix + std::string(name))) return found;
        if (slash == std::string_view::npos) return nullptr;
        group = group.substr(0, slash);
    }
}

bool Reader::is_filled(const Variable& variable) const {
    int not_filled = 0;
    const auto inquire = [&] { return nc_inq_var_fill(variable.group, variable.id, &not_filled, nullptr); };
    return call(inquire) == NC_NOERR && not_filled == 0;
}

std::size_t Reader::chunk_length(const Variable& variable, std::size_t dimension) const {
    int storage = NC_CONTIGUOUS;
    std::vector<std::size_t> lengths(variable.dimensions.size(), 1);
    // Formats without pieces may refuse the question.
    const auto inquire = [&] {
        return nc_inq_var_chunking(variable.group, variable.id, &storage, lengths.data());
    };
    if (call(inquire) != NC_NOERR || storage != NC_CHUNKED) return 1;
    return std::max<std::size_t>(1, lengths[dimension]);
}

void Reader::require_whole(const Variable& variable) const {
    extent_.require(variable.name);
}

std::vector<double> Reader::read_axis(const Variable& variable) const {
    base::require(variable.dimensions.size() == 1, path_, variable.name,
                  std::to_string(variable.dimensions.size()) + " dimensions", "an axis with one dimension");
    return read_all(variable);
}

std::vector<double> Reader::read_all(const Variable& variable) const {
    require_whole(variable);  // before memory is asked for as many values as a header may claim
    std::vector<std::size_t> first(variable.dimensions.size(), 0), count;
    std::size_t size = 1;
    for (const Dimension& dimension : variable.dimensions) {
        count.push_back(dimension.length);
        size *= dimension.length;
    }
    std::vector<double> values(size);
    read(variable, first, count, values.data());
    Packing(*this, variable).unpack(values);
    return values;
}

void Reader::require_type(const Variable& variable, bool text) const {
    // For other types the library returns anything at all, if it does not crash.
    const bool numbers = variable.held != Held::text && variable.held != Held::other;
    base::require(text ? variable.held == Held::text : numbers, path_, variable.name,
                  variable.held == Held::text    ? "text"
                  : variable.held == Held::other ? "strings, or a type that the file defines"
                                                 : "numbers",
                  text ? "text" : "numbers");
}

// Whole numbers that are stored as others, as tools do that mark missing values by NaN.
template <class T>
void Reader::read_whole(const Variable& variable, const std::vector<std::size_t>& first,
                        const std::vector<std::size_t>& count, T* values) const {
    std::size_t size = 1;
    for (const std::size_t each : count) size *= each;
    std::vector<double> stored(size);
    read(variable, first, count, stored.data());
    constexpr double end = sizeof(T) == 4 ? 2147483648.0 : 9223372036854775808.0;
    for (std::size_t i = 0; i < size; ++i) {
        base::require(stored[i] >= -end && stored[i] < end && stored[i] == std::trunc(stored[i]), path_,
                      variable.name, fmt::format("{}", stored[i]), "whole numbers");
        values[i] = static_cast<T>(stored[i]);
    }
}

template <class T>
void Reader::read(const Variable& variable, const std::vector<std::size_t>& first,
                  const std::vector<std::size_t>& count, T* values) const {
    GS_ASSERT(first.size() == variable.dimensions.size() && count.size() == first.size());
    std::size_t bytes = sizeof(T);
    for (const std::size_t each : count) bytes *= each;
    if (bytes == 0) return;
    require_type(variable, std::is_same_v<T, char>);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char>)
        if (variable.integer_bits == 0) return read_whole(variable, first, count, values);
    const bool records = !variable.dimensions.empty() && variable.dimensions[0].unlimited;
    if (records) extent_.require(variable.name, static_cast<std::int64_t>(first[0] + count[0]));
    if (!records) extent_.require(variable.name);
    auto* const to = reinterpret_cast<typename Get<T>::Library*>(values);
    const auto get = [&] {
        return Get<T>::values(variable.group, variable.id, first.data(), count.data(), to);
    };
    check(call(get, static_cast<std::int64_t>(bytes)), variable.name);
}

using Corner = std::vector<std::size_t>;
template void Reader::read(const Variable&, const Corner&, const Corner&, char*) const;
template void Reader::read(const Variable&, const Corner&, const Corner&, std::int32_t*) const;
template void Reader::read(const Variable&, const Corner&, const Corner&, std::int64_t*) const;
template void Reader::read(const Variable&, const Corner&, const Corner&, float*) const;
template void Reader::read(const Variable&, const Corner&, const Corner&, double*) const;

}  // namespace groundswell::netcdf
