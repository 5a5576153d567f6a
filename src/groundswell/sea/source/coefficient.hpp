#pragma once

#include <string_view>

namespace groundswell::sea {

/// A number of a source term that [physics] may set. It stands once, beside what computes with it, which asks PhysicsOptions for
/// its value.
struct Coefficient {
    std::string_view name;    ///< of the key; terms that share a formula share its coefficients
    double usual;             ///< default
    double minimum, maximum;  ///< range of the key
    std::string_view unit, meaning, source;

    constexpr Coefficient(std::string_view name_of_key, double default_value, double least, double most,
                          std::string_view its_unit, std::string_view its_meaning,
                          std::string_view its_source)
        : name(name_of_key),
          usual(default_value),
          minimum(least),
          maximum(most),
          unit(its_unit),
          meaning(its_meaning),
          source(its_source) {}
};

}  // namespace groundswell::sea
