#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/simulation/cf.hpp"

namespace groundswell::quake {

/// Unknowns of the model, stress before velocity.
inline constexpr int wave_unknowns = 9;
/// The place of vx among them.
inline constexpr int first_velocity = 6;

/// Sample of the wave field at one place and time. Each number is worked out when it is asked for.
class WaveSample {
public:
    virtual ~WaveSample() = default;
    /// An unknown by its place in the order of the model, Pa or m s⁻¹.
    virtual double unknown(int which) const = 0;
    /// Its derivative along x, y or z; where a field has said that it asks for it.
    virtual double slope(int which, int axis) const = 0;
    /// The plastic strain of the whole cell since the start, 1; where rock yields.
    virtual double plastic_strain() const = 0;
    /// The displacement of the sea's surface, m; NaN anywhere else.
    virtual double sea_surface() const { return std::numeric_limits<double>::quiet_NaN(); }
};

/// One output field, registered once; files choose by name.
struct Field {
    simulation::FieldNames names;
    double (*value)(const WaveSample& sample);  ///< in the unit of the file
    bool has_slopes = false;                    ///< asks for WaveSample::slope
    bool of_yielding = false;                   ///< known of whole cells, and only where rock yields
    bool of_sea = false;                        ///< known at the sea's surface alone
};

/// Every field there is: first the unknowns, in the order of the model.
std::span<const Field> all_fields();
/// Where fields are known: those of a place are at any other too.
enum class FieldsOf { places, cells, surfaces };
std::vector<std::string> all_field_names(FieldsOf of);
/// Defect if there is no such field: names are checked when the case is read.
const Field& find_field(std::string_view name);

}  // namespace groundswell::quake
