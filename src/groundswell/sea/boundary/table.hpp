#pragma once

#include <string>
#include <utility>
#include <vector>

namespace groundswell::sea {

/// A table of text: the first line names its columns, the others have a field for each. Fields are parted by commas; lines that
/// begin with # are left out.
class Table {
public:
    /// Throws base::Refusal for a file that cannot be read, for one without lines, and for a line with more or fewer fields.
    explicit Table(const std::string& path);

    const std::string& path() const { return path_; }
    std::size_t rows() const { return rows_.size(); }
    /// The first of these names that a column has; -1: none.
    int find(const std::vector<std::string>& names) const;
    /// The same, or a Refusal.
    int require(const std::vector<std::string>& names) const;
    const std::string& text(std::size_t row, int column) const { return rows_[row].fields[column]; }
    /// A number within [low, high], or a Refusal that names line and column.
    double number(std::size_t row, int column, double low, double high) const;
    /// "FILE:LINE"
    std::string where(std::size_t row) const;

private:
    struct Row {
        int line;
        std::vector<std::string> fields;
    };
    std::string path_;
    std::vector<std::string> names_;
    std::vector<Row> rows_;
};

/// Points of a table with the columns lon and lat, degrees.
std::vector<std::pair<double, double>> read_points_table(const std::string& path);

}  // namespace groundswell::sea
