#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace groundswell::gridded {

/// Description of a field on a grid: how it is recognised in a file, in which units it may stand there, and which
/// values it cannot have.
struct Quantity {
    std::string standard_name;                        ///< CF standard name
    std::vector<std::string> other_standard_names{};  ///< of the same
    /// Standard names of a component along the axes of any grid; none for what has no direction.
    std::vector<std::string> along_grid_names{};
    std::vector<std::string> common_names{};  ///< lower case, most usual first
    std::string explicit_name{};              ///< if not empty, the only one that counts

    std::string noun = "a value";  ///< what must be at every place, for messages
    std::string unit{};            ///< in which values are given
    /// Factor from a file's unit to this one; 0 for a unit of something else.
    double (*factor)(std::string_view units) = nullptr;
    std::string units_expected{};  ///< for messages
    std::string section{};         ///< of the case, where the user says what files leave out: "wind[]"
    double largest = 1e30;         ///< beyond this magnitude the packing or the unit is wrong
    std::string largest_because{};
    double height = 0.0;      ///< m above ground at which it must stand, give or take a fifth; 0: any
    bool at_surface = false;  ///< of several levels the one nearest to 0 is taken
    /// Value of cells beyond the grid: 0 in a file of a polar sea's ice, NaN where others say what stands there. Without it such
    /// cells are refused.
    std::optional<double> beyond{};
    /// Land is where values are missing, unless Stated::gaps says what stands there: a place gets its value from those around it that have one, and `nowhere` where none has.
    bool missing_at_land = false;
    double nowhere = 0.0;
};

/// Axes along which a component may be taken.
enum class Components { as_the_file_says, earth, grid };

/// Filling of places where a file has no value: none, which ends the run; the nearest value of the same time within
/// `nearest_reach` steps of the grid, in rows and in columns; 0.
enum class Gaps { refused, nearest, zero };
inline constexpr int nearest_reach = 8;

/// Settings of the case about its files.
struct Stated {
    std::string values{};  ///< unit where a file states none, as Quantity::factor takes it
    std::string time{};  ///< unit of the time axis there, "hours since 1900-01-01" as CF has it, or "datenum"
    std::string calendar{};         ///< where a file states none
    std::optional<int> member{};    ///< of an ensemble, by its number in the file
    std::optional<double> level{};  ///< in the unit of the file's vertical axis
    Components components = Components::as_the_file_says;
    Gaps gaps = Gaps::refused;
};

}  // namespace groundswell::gridded
