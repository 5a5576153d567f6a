#pragma once

#include <CLI/Validators.hpp>
#include <string>

namespace groundswell::cli {

/// Checks of an option's number whose message a person can read; those of CLI11 print the largest double in
/// full.
inline CLI::Validator number_check(const std::string& kind, bool (*fits)(double), const std::string& wrong) {
    return {[fits, wrong](std::string& text) {
                double value = 0.0;
                if (!CLI::detail::lexical_cast(text, value)) return "'" + text + "' is no number";
                return fits(value) ? std::string() : text + " is " + wrong;
            },
            kind};
}

inline const CLI::Validator above_zero = number_check(
    "POSITIVE", [](double value) { return value > 0.0; }, "not above 0");
inline const CLI::Validator not_below_zero = number_check(
    "NONNEGATIVE", [](double value) { return value >= 0.0; }, "below 0");
/// CLI11's own check of a range lets NaN through.
inline const CLI::Validator imbalance_check = number_check(
    "0.001 … 0.5", [](double value) { return value >= 0.001 && value <= 0.5; }, "not within 0.001 … 0.5");

}  // namespace groundswell::cli
