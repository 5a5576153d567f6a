#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace groundswell::gridded {

/// What a field on a grid is: how it is recognised in a file, in which units it may stand there, and which
/// values it cannot have.
struct Quantity {
    std::string standard_name;              ///< CF standard name
    std::vector<std::string> common_names;  ///< lower case, most usual first
    std::string explicit_name;              ///< if not empty, the only one that counts

    std::string noun = "a value";  ///< what must be at every place, for messages
    std::string unit;              ///< in which values are given
    /// How many of it are in one of a file's unit; 0 for a unit of something else.
    double (*factor)(std::string_view units) = nullptr;
    std::string units_expected;             ///< for messages
    std::string units_key, time_units_key;  ///< where the user states what files leave out
    double largest = 1e30;                  ///< beyond this magnitude the packing or the unit is wrong
};

/// Units that a file leaves out; empty: not stated here either.
struct StatedUnits {
    std::string values;  ///< as Quantity::factor takes them
    std::string time;    ///< "hours since 1900-01-01", as CF has it
};

}  // namespace groundswell::gridded
