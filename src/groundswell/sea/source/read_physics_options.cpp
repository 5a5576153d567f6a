#include <algorithm>

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_package.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::sea {

PhysicsOptions read_physics_options(const simulation::Section& physics) {
    PhysicsOptions options;
    options.package = physics.choice("package", "st4", {"st4", "none"},
                                     {"source terms of Ardhuin et al. 2010, or propagation alone"});
    const std::string tuning =
        physics.choice("tuning", "ecwam", physics_tunings(),
                       {"which constants for the package: those of WAM cycle 6 or of WAVEWATCH III"});
    set_tuning(options, tuning);
    options.terms =
        physics.words("terms", options.terms, source_term_names(),
                      {"source terms, evaluated in this order; wind_input must come first if it is there"});
    options.relative_wind = physics.boolean("relative_wind", false,
                                            {"with a [[current]], source terms feel the wind over the moving "
                                             "water in place of that over the ground"});
    const auto wind = std::find(options.terms.begin(), options.terms.end(), "wind_input");
    if (wind != options.terms.end() && wind != options.terms.begin()) {
        physics.refuse("terms", "wind_input before all other terms, because it finds the friction velocity");
    }
    for (const PhysicsCoefficient& c : physics_coefficients()) {
        options.*c.value =
            physics.number(c.name, options.*c.value, {c.minimum, c.maximum}, {c.meaning, c.unit, c.source});
    }
    if (options.package == "none") options.terms.clear();
    return options;
}

}  // namespace groundswell::sea
