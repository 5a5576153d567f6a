#include "groundswell/netcdf/classic_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "groundswell/base/errors.hpp"

namespace groundswell::netcdf {

namespace {

constexpr std::int64_t tag_dimension = 10, tag_variable = 11, tag_attribute = 12;
constexpr std::int64_t longest_list = std::int64_t{1} << 24;  // more is not a header but damage
// What libraries hold without looking how long it is: NC_MAX_NAME and NC_MAX_VAR_DIMS of netcdf.h.
constexpr std::int64_t longest_name = 256, most_dimensions = 1024;
constexpr std::int64_t largest_file = std::int64_t{1} << 60;  // bytes, likewise

std::int64_t from_big_endian(const unsigned char* bytes, int count) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i) value = value << 8 | bytes[i];
    return static_cast<std::int64_t>(value);
}

/// Bytes of one value by the number of its type in the file (NC_BYTE = 1 … NC_UINT64 = 11).
std::int64_t size_of_external_type(std::int64_t type) {
    static constexpr std::array<std::int64_t, 12> sizes{0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return type >= 1 && type <= 11 ? sizes[type] : 0;
}

std::int64_t padded(std::int64_t bytes) {
    return (bytes + 3) / 4 * 4;
}

bool is_magic(const std::array<char, 4>& bytes) {
    return bytes[0] == 'C' && bytes[1] == 'D' && bytes[2] == 'F' &&
           (bytes[3] == 1 || bytes[3] == 2 || bytes[3] == 5);
}

class HeaderReader {
public:
    explicit HeaderReader(const std::string& path) : path_(path), stream_(path, std::ios::binary) {
        if (!stream_)
            base::refuse(path, "", "", "a file that can be read: " + std::string(std::strerror(errno)));
    }

    ClassicHeader read() {
        std::array<char, 4> magic{};
        stream_.read(magic.data(), 4);
        if (!stream_ || !is_magic(magic))
            base::refuse(path_, "", "", "a netCDF file of a classic format (CDF-1, CDF-2 or CDF-5)");
        ClassicHeader header;
        header.version = version_ = static_cast<unsigned char>(magic[3]);
        count_bytes_ = version_ == 5 ? 8 : 4;
        offset_bytes_ = version_ == 1 ? 4 : 8;
        header.records = number(count_bytes_);
        if (header.records < 0) damaged();
        const std::int64_t dimensions = list(tag_dimension);
        for (std::int64_t i = 0; i < dimensions; ++i) {
            name();
            lengths_.push_back(number(count_bytes_));
        }
        skip_attributes();
        const std::int64_t variables = list(tag_variable);
        for (std::int64_t i = 0; i < variables; ++i) header.entries.push_back(entry());
        find_ends(header, static_cast<std::int64_t>(stream_.tellg()));
        return header;
    }

private:
    [[noreturn]] void damaged() const {
        base::refuse(path_, "", "", fmt::format("a whole CDF-{} header; this one is damaged", version_));
    }

    std::int64_t number(int bytes) {
        std::array<unsigned char, 8> raw{};
        stream_.read(reinterpret_cast<char*>(raw.data()), bytes);
        if (!stream_) damaged();
        return from_big_endian(raw.data(), bytes);
    }

    void skip(std::int64_t bytes) {
        if (bytes < 0) damaged();
        stream_.seekg(bytes, std::ios::cur);
        if (!stream_) damaged();
    }

    /// The number of elements of a list with this tag; an absent list has tag and number zero.
    std::int64_t list(std::int64_t tag) {
        const std::int64_t found = number(4);
        const std::int64_t count = number(count_bytes_);
        if (count < 0 || count > longest_list || (found != tag && (found != 0 || count != 0))) damaged();
        return count;
    }

    std::string name() {
        const std::int64_t length = number(count_bytes_);
        if (length < 0 || length > longest_name) damaged();
        std::string value(static_cast<std::size_t>(length), ' ');
        stream_.read(value.data(), length);
        if (!stream_) damaged();
        skip(padded(length) - length);
        return value;
    }

    void skip_attributes() {
        const std::int64_t attributes = list(tag_attribute);
        for (std::int64_t i = 0; i < attributes; ++i) {
            name();
            const std::int64_t size = size_of_external_type(number(4));
            const std::int64_t count = number(count_bytes_);
            if (size == 0 || count < 0 || count > longest_list) damaged();
            skip(padded(size * count));
        }
    }

    ClassicHeader::Entry entry() {
        ClassicHeader::Entry result;
        result.name = name();
        const std::int64_t dimensions = number(count_bytes_);
        if (dimensions < 0 || dimensions > most_dimensions) damaged();
        std::int64_t values = 1;
        for (std::int64_t i = 0; i < dimensions; ++i) {
            const std::int64_t id = number(count_bytes_);
            if (id < 0 || id >= static_cast<std::int64_t>(lengths_.size())) damaged();
            const std::int64_t length = lengths_[id];
            if (length == 0 && i == 0) {
                result.record = true;
                continue;
            }
            if (length < 0 || (length > 0 && values > largest_file / length)) damaged();
            values *= length;
        }
        skip_attributes();
        const std::int64_t size = size_of_external_type(number(4));
        number(count_bytes_);  // the stored size overflows in old formats; it follows from the dimensions
        result.begin = number(offset_bytes_);
        if (size == 0 || result.begin < 0 || result.begin > largest_file || values > largest_file / size)
            damaged();
        result.bytes = result.value_bytes = values * size;
        return result;
    }

    /// A single record variable is not padded from record to record; all else is, to 4 bytes.
    void find_ends(ClassicHeader& header, std::int64_t header_end) const {
        header.fixed_end = header_end;
        const auto records = std::count_if(header.entries.begin(), header.entries.end(),
                                           [](const auto& each) { return each.record; });
        bool first = true;
        for (ClassicHeader::Entry& each : header.entries) {
            if (!each.record || records > 1) each.bytes = padded(each.bytes);
            if (each.record) {
                if (each.bytes > largest_file - header.record_bytes) damaged();
                header.record_bytes += each.bytes;
                header.record_begin = first ? each.begin : std::min(header.record_begin, each.begin);
                first = false;
            } else {
                header.fixed_end = std::max(header.fixed_end, each.begin + each.bytes);
            }
        }
        if (records == 0) header.record_begin = header.fixed_end;
        if (header.record_bytes > 0 && header.records > largest_file / header.record_bytes) damaged();
    }

    std::string path_;
    std::ifstream stream_;
    int version_ = 5, count_bytes_ = 8, offset_bytes_ = 8;
    std::vector<std::int64_t> lengths_;
};

}  // namespace

const ClassicHeader::Entry* ClassicHeader::find(std::string_view name) const {
    const auto at =
        std::find_if(entries.begin(), entries.end(), [&](const Entry& each) { return each.name == name; });
    return at == entries.end() ? nullptr : &*at;
}

std::int64_t ClassicHeader::end_of_values(const Entry& entry, std::int64_t count) const {
    if (entry.record && count == 0) return 0;
    return entry.begin + (entry.record ? (count - 1) * record_bytes : 0) + entry.value_bytes;
}

std::int64_t ClassicHeader::end_of_values() const {
    std::int64_t end = 0;
    for (const Entry& each : entries) end = std::max(end, end_of_values(each));
    return end;
}

bool is_classic(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::array<char, 4> magic{};
    return stream.read(magic.data(), 4) && is_magic(magic);
}

ClassicHeader read_classic_header(const std::string& path) {
    return HeaderReader(path).read();
}

StoredExtent::StoredExtent(const std::string& path) : path_(path) {
    base::require_plain_file(path);
    if (!is_classic(path)) return;
    header_ = read_classic_header(path);
    std::error_code error;
    bytes_ = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
    if (error) header_.reset();
}

void StoredExtent::require(std::string_view variable, std::optional<std::int64_t> records) const {
    const ClassicHeader::Entry* entry = header_ ? header_->find(variable) : nullptr;
    if (entry == nullptr) return;
    if (bytes_ >= header_->end_of_values(*entry, records.value_or(header_->records))) return;
    base::refuse(
        path_, variable, fmt::format("cut short at byte {} of the file", bytes_),
        fmt::format("values up to byte {}, as the header of the file says", header_->end_of_values(*entry)));
}

}  // namespace groundswell::netcdf
