#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/netcdf/classic_header.hpp"

namespace groundswell::netcdf {

/// A NetCDF file open for reading by this rank alone, with the metadata that finding variables needs.
/// Calls of the library wait for the writer thread's (own_library).
/// Errors of the library are thrown as base::Refusal naming the file, the variable and the library's words;
/// so is a file that ends before the values of a variable that is read.
class NetcdfFile {
public:
    struct Dimension {
        std::string name;
        std::size_t length = 0;
    };
    struct Variable {
        int id = -1;
        std::string name;
        std::vector<Dimension> dimensions;
    };

    explicit NetcdfFile(const std::string& path);
    ~NetcdfFile();
    NetcdfFile(const NetcdfFile&) = delete;
    NetcdfFile& operator=(const NetcdfFile&) = delete;

    const std::string& path() const { return path_; }
    const std::vector<Variable>& variables() const { return variables_; }
    /// Null when there is none of that name.
    const Variable* find(const std::string& name) const;

    /// Empty when the attribute is absent or not text; trailing blanks and zeros removed.
    std::string text(const Variable& variable, const char* attribute) const;
    /// First value of a numeric attribute.
    std::optional<double> number(const Variable& variable, const char* attribute) const;

    /// Length along a dimension of the pieces in which the file stores a variable; 1 where it has no pieces.
    std::size_t chunk_length(const Variable& variable, std::size_t dimension) const;

    /// The whole of a one-dimensional numeric variable, as stored.
    std::vector<double> read_axis(const Variable& variable) const;
    /// A hyperslab of a numeric variable, as stored (packed values stay packed).
    void read(const Variable& variable, const std::vector<std::size_t>& first,
              const std::vector<std::size_t>& count, double* values) const;

private:
    void check(int status, const std::string& what) const;
    void close() const;  // under the lock

    std::string path_;
    netcdf::StoredExtent extent_;
    int id_ = -1;
    std::vector<Variable> variables_;
};

}  // namespace groundswell::netcdf
