#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace groundswell::simulation {
class Section;
}

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

/// The section [physics] of the case file: which source terms, and the coefficients in which they differ from their defaults.
class PhysicsOptions {
public:
    /// The package "st4" with its first tuning.
    PhysicsOptions();

    std::string package, tuning;
    std::vector<std::string> terms;
    bool relative_wind = false;  ///< source terms feel the wind over the water that moves

    /// The value of a coefficient.
    double operator[](const Coefficient& coefficient) const {
        const auto found = values_.find(coefficient.name);
        return found == values_.end() ? coefficient.usual : found->second;
    }
    /// The same by its name. A Defect for one that no term has.
    double value(std::string_view name) const;
    /// Sets a coefficient to a value, whatever its range.
    void set(std::string_view name, double value);
    /// Takes a package's list of terms and its first tuning; all other coefficients get their defaults. A Defect for a word that
    /// is not known, here and below.
    void choose(std::string_view package_name);
    /// Sets the coefficients in which the tunings of the package differ.
    void tune(std::string_view tuning_name);

private:
    std::map<std::string, double, std::less<>> values_;
};

/// Coefficients that belong to no term alone.
namespace common {

inline constexpr auto minimum_depth =
    Coefficient("minimum_depth", 2.0, 0.01, 1e3, "m", "shallower water is treated as this deep",
                "convention of this model");
inline constexpr auto air_density = Coefficient("air_density", 1.225, 0.5, 2, "kg m-3", "density of the air",
                                                "ISO 2533: standard atmosphere");
inline constexpr auto water_density = Coefficient(
    "water_density", 1000.0, 500, 1500, "kg m-3",
    "density of the water that the growth constants were tuned with", "WAVEWATCH III 7.14 and ecWAM: 1000");

}  // namespace common

/// All coefficients there are, in the order of the case file's reference: those above, those of the terms, and those of the
/// step. Made once.
const std::vector<Coefficient>& physics_coefficients();
/// Those of them that a run with these terms reads.
std::vector<Coefficient> physics_coefficients(const std::vector<std::string>& terms);

/// Names of the source terms there are, as the case file knows them: those in the files of terms/.
std::vector<std::string> source_term_names();

/// The tunings of a package, the first one its default.
std::vector<std::string> physics_tunings(std::string_view package);

/// Reads [physics]; refuses what is out of range.
PhysicsOptions read_physics_options(const simulation::Section& physics);

}  // namespace groundswell::sea
