#pragma once

#include <string_view>
#include <utility>
#include <vector>

/// Packages of source terms, each in a file of this folder: NAME.cpp defines a function `PackageKind NAME()` in this namespace,
/// and the build lists all of them (groundswell_list in cmake/GroundswellModules.cmake).
namespace groundswell::sea::packages {

/// Values of coefficients that belong together, where they are not the defaults of the terms.
struct Tuning {
    std::string_view name, meaning;
    std::vector<std::pair<std::string_view, double>> values;
};

/// A list of terms, summed in this order, with tunings of them, the first one for a case that names none.
struct PackageKind {
    std::string_view name, meaning;
    std::vector<std::string_view> terms;
    std::vector<Tuning> tunings;
};

}  // namespace groundswell::sea::packages
