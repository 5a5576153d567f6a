#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/sea/forcing/cell_forcing.hpp"
#include "groundswell/sea/spectrum/bearing.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"
#include "groundswell/sea/spectrum/partitions.hpp"
#include "groundswell/sea/spectrum/products.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::sea {

/// Stands where a field has no meaning: period or direction of a calm sea.
using simulation::fill_value;

/// Part of a spectrum that a field looks at, each with all that stands before it: nothing, SeaParameters, WaveProducts, WaveSystems.
enum class Reads { nothing, parameters, products, systems };

/// All that an output field may be computed from: one cell at one time.
struct CellSituation {
    SeaParameters sea;
    double depth = 0.0;  ///< m
    CellForcing forcing;
    double friction_velocity = 0;  ///< m s⁻¹, of the air
    double charnock = 0.0;         ///< dimensionless
    WaveProducts products;
    WaveSystems systems{};
};

/// One output field, registered once; files choose by name.
struct Field {
    std::string_view name, standard_name, long_name, unit;  ///< standard_name empty where CF has none
    /// The value in the unit of the file; fill_value where it has no meaning.
    float (*value)(const CellSituation&);
    Reads reads = Reads::parameters;
};

/// Every field there is, in a fixed order.
const std::vector<Field>& all_fields();
std::vector<std::string> all_field_names();
/// The most that any of these looks at.
Reads most_read(const std::vector<const Field*>& fields);
/// Defect if there is no such field: names are checked when the case is read.
const Field& find_field(std::string_view name);

}  // namespace groundswell::sea
