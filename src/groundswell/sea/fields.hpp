#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "groundswell/sea/forcing/cell_forcing.hpp"
#include "groundswell/sea/source/ocean_exchange.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"
#include "groundswell/sea/spectrum/partitions.hpp"
#include "groundswell/sea/spectrum/products.hpp"
#include "groundswell/simulation/cf.hpp"

namespace groundswell::sea {

/// Stands where a field has no meaning: period or direction of a calm sea.
using simulation::fill_value;

/// Parts of a CellSituation that a field looks at, a bit for each, with those that they are made of.
enum class Reads : unsigned {
    nothing = 0,
    parameters = 1,             ///< SeaParameters
    products = 2 | parameters,  ///< WaveProducts
    systems = 4 | products,     ///< WaveSystems
    highest = 8 | parameters,   ///< the highest wave
    to_ocean = 16,              ///< OceanExchange: evaluates the source terms
    force = 32 | products,      ///< the force of the waves: asks neighbours, so of all cells at once
};
constexpr Reads operator|(Reads a, Reads b) {
    return static_cast<Reads>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
/// Whether all of `some` is in `all`.
constexpr bool includes(Reads all, Reads some) {
    return (all | some) == all;
}

/// All that an output field may be computed from: one cell at one time.
struct CellSituation {
    SeaParameters sea;
    double depth = 0.0;  ///< m
    CellForcing forcing;
    double friction_velocity = 0;  ///< m s⁻¹, of the air
    double charnock = 0.0;         ///< dimensionless
    WaveProducts products;
    WaveSystems systems{};
    double highest_wave = 0.0;  ///< m
    OceanExchange to_ocean;
    double eastward_force = 0.0, northward_force = 0.0;  ///< N m⁻², of the waves on the water
};

/// One output field, registered once; files choose by name.
struct Field {
    std::string_view name, standard_name, long_name, unit;  ///< standard_name empty where CF has none
    /// The value in the unit of the file; fill_value where it has no meaning.
    float (*value)(const CellSituation&);
    Reads reads = Reads::parameters;

    /// Whether it is a bearing, of which a mean is that of unit vectors and none is the highest.
    bool is_bearing() const { return name == "dp" || name.starts_with("dir"); }
};

/// Every field there is, in a fixed order.
const std::vector<Field>& all_fields();
std::vector<std::string> all_field_names();
/// All that any of these looks at.
Reads all_read(const std::vector<const Field*>& fields);
/// Defect if there is no such field: names are checked when the case is read.
const Field& find_field(std::string_view name);

}  // namespace groundswell::sea
