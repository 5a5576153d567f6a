#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "groundswell/netcdf/classic_header.hpp"

namespace groundswell::netcdf {

/// Type that holds values of a file's type here: the nearest type that holds them (bytes and shorts as int32,
/// unsigned int as int64); `other`: strings and user-defined types.
enum class Held { text, int32, int64, float32, float64, other };

/// A NetCDF file of any kind that netCDF-C opens, open for reading by this rank alone: the one way by which
/// this program reads them. Each call of the library holds the lock (own_library) and is a limited_call().
/// Throws base::Refusal naming the file, the variable and the library's words; so for a header that is damaged,
/// and for values that the file is too short to hold.
class Reader {
public:
    /// Names of variables; one in a group of the file is "group/name".
    struct Dimension {
        std::string name;
        std::size_t length = 0;
        bool unlimited = false;
    };
    struct Variable {
        int group = -1, id = -1;
        std::string name;
        std::vector<Dimension> dimensions;
        Held held = Held::other;
        int attributes = 0;
        int integer_bits = 0;      ///< 8, 16, 32 or 64; 0: not an integer
        bool is_unsigned = false;  ///< as an integer
    };
    struct Attribute {
        std::string name;
        std::variant<std::string, std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>,
                     std::vector<double>>
            value;
    };

    /// `kind`: what the file should be, for people.
    explicit Reader(const std::string& path, std::string kind = "NetCDF file");
    ~Reader();
    Reader& operator=(Reader&&) = delete;  // neither copied nor moved

    const std::string& path() const { return path_; }
    const std::vector<Dimension>& dimensions() const { return dimensions_; }
    const std::vector<Variable>& variables() const { return variables_; }
    /// Null when there is none of that name.
    const Dimension* find_dimension(std::string_view name) const;
    const Variable* find(std::string_view name) const;
    /// Full name of `name` as seen from `variable`: in its group, else in the nearest one around it (CF-1.11, 2.7).
    /// Null when there is none.
    const Variable* find_near(const Variable& variable, std::string_view name) const;

    /// Attributes of a variable, or of the file; those of types that are not held are left out.
    std::vector<Attribute> attributes(const Variable& variable) const;
    std::vector<Attribute> attributes() const;

    /// Empty when the attribute is absent or not text; trailing blanks and zeros removed.
    std::string text(const Variable& variable, const char* attribute) const;
    std::string text(const char* global_attribute) const;
    /// First value of a numeric attribute.
    std::optional<double> number(const Variable& variable, const char* attribute) const;
    /// All values of a numeric attribute, or those that a text spells ("-999."); empty when there are none.
    std::vector<double> numbers(const Variable& variable, const char* attribute) const;
    /// The value of a numeric attribute that has one.
    std::optional<double> number(const char* global_attribute) const;

    bool has(const Variable& variable, const char* attribute) const;
    /// Whether an attribute is of a floating-point type.
    bool is_fractional(const Variable& variable, const char* attribute) const;
    /// Whether the library fills what nobody writes.
    bool is_filled(const Variable& variable) const;

    /// Length along a dimension of the pieces in which the file stores a variable; 1 where it has no pieces.
    std::size_t chunk_length(const Variable& variable, std::size_t dimension) const;

    /// Refusal when the file ends before the variable does. What read() takes it asks for itself.
    void require_whole(const Variable& variable) const;
    /// The whole of a one-dimensional numeric variable, unpacked (Packing); NaN for missing ones.
    std::vector<double> read_axis(const Variable& variable) const;
    /// The same of a variable of any shape, a scalar included.
    std::vector<double> read_all(const Variable& variable) const;
    /// A hyperslab of a variable, converted but not unpacked, into `values` (as many as the product of
    /// `count`). T: char (of text), std::int32_t, std::int64_t, float, double (of numbers of any type). base::Refusal for a
    /// variable of another type, and for one asked for as integers in which a number is not whole.
    template <class T>
    void read(const Variable& variable, const std::vector<std::size_t>& first,
              const std::vector<std::size_t>& count, T* values) const;

private:
    int call(const std::function<int()>& function, std::int64_t bytes = 0) const;
    void require_type(const Variable& variable, bool text) const;
    template <class T>
    void read_whole(const Variable& variable, const std::vector<std::size_t>& first,
                    const std::vector<std::size_t>& count, T* values) const;
    void check(int status, std::string_view what) const;
    void read_header();
    void read_group(int group, const std::string& prefix);
    void close() const;
    Attribute attribute_of(int group, int variable, const char* name) const;
    std::string text_of(int group, int variable, const char* name) const;
    std::vector<double> numbers_of(int group, int variable, const char* name) const;
    std::vector<Attribute> attributes_of(int group, int variable, int count) const;

    std::string path_, kind_;
    StoredExtent extent_;
    int id_ = -1, attributes_ = 0;
    std::vector<int> dimension_ids_;
    std::vector<Dimension> dimensions_;
    std::vector<Variable> variables_;
};

}  // namespace groundswell::netcdf
