#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/output/reader.hpp"

/// Whether two files hold the same content: dimensions, variables, attributes, values.
namespace groundswell::output {

/// Values are equal when |a − b| ≤ absolute + relative · max(|a|, |b|), or both are NaN. With `within`, which stands in place of
/// that, a variable as a whole is, by VariableComparison::l2, and attributes and types of numbers do not count.
struct Tolerance {
    double relative = 0.0, absolute = 0.0;
    std::optional<double> within = {};
};

/// Place where two variables differ most, relative to what the tolerance allows.
struct Worst {
    double a = 0.0, b = 0.0;
    std::optional<double> time;       ///< value of the record coordinate, in its own unit
    std::vector<std::int64_t> index;  ///< along the other dimensions, from 0
    std::optional<double> lon, lat;   ///< of the row, where the file has coordinates along its dimension
};

struct VariableComparison {
    std::string name;
    bool equal = true;
    double max_abs = 0.0;        ///< largest |a − b|; infinite where only one is NaN
    double max_rel = 0.0;        ///< largest |a − b| / max(|a|, |b|)
    double l2 = 0.0;             ///< √(Σ (a − b)² / Σ b²); infinite where a value is NaN in one alone
    std::optional<Worst> worst;  ///< none where all values are the same
};

struct Comparison {
    bool identical = true;
    std::vector<VariableComparison> variables;      ///< those that both files have
    std::vector<std::string> only_in_a, only_in_b;  ///< names of variables
    std::vector<std::string> differences;           ///< in dimensions, types and attributes, for people
};

/// Names of two coordinate variables that say where a row is.
struct CoordinateNames {
    std::string lon, lat;
};

/// Reads both files piece by piece, never a whole variable. Provenance attributes do not count. A place is
/// told by the first of `coordinates` that stand along a dimension. Refusal when a file cannot be read. Not
/// collective.
Comparison compare(const Reader& a, const Reader& b, const Tolerance& tolerance,
                   const std::vector<CoordinateNames>& coordinates = {});

}  // namespace groundswell::output
