#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/output/schema.hpp"

/// Reading netCDF files of any kind that netCDF-C opens, by each rank for itself (not collective).
namespace groundswell::output {

class Reader {
public:
    /// Refusal when the file is missing or no netCDF file, or its header is damaged. Types that Schema does
    /// not know appear as the nearest one that holds them (bytes and shorts as int, unsigned int as int64);
    /// variables of strings or of user-defined types are left out.
    explicit Reader(const std::string& path);
    Reader(Reader&&) noexcept;
    Reader& operator=(Reader&&) noexcept;
    ~Reader();

    const std::string& path() const;
    const Schema& schema() const;
    std::int64_t records() const;  ///< 0 without an unlimited dimension

    /// The text of a global attribute; Refusal when there is none, or it is no text.
    std::string text_attribute(std::string_view name) const;
    /// The first number of a global attribute of whole numbers; Refusal when there is none of that kind.
    std::int64_t whole_attribute(std::string_view name) const;
    /// The first number of a global attribute, converted; Refusal when there is none, or it is text.
    double number_attribute(std::string_view name) const;

    /// Rows [first, first + count) of a variable, of record `record` if it has a record dimension, converted
    /// to T: count × row_width values. Refusal when there is no such variable or row.
    template <class T>
    void read(std::string_view variable, std::int64_t record, std::int64_t first, std::int64_t count,
              std::span<T> values) const;

    /// The same along any dimension but the record dimension (empty: the first): in each segment (RowShape)
    /// those rows, segments × count × row_width values.
    template <class T>
    void read_rows(std::string_view variable, std::string_view dimension, std::int64_t record,
                   std::int64_t first, std::int64_t count, std::span<T> values) const;

    /// A whole variable without record dimension, or a whole record.
    template <class T>
    std::vector<T> read_all(std::string_view variable, std::int64_t record = 0) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace groundswell::output
