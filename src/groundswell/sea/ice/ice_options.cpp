#include "groundswell/sea/ice/ice_options.hpp"

#include <fmt/format.h>

#include <string>

#include "groundswell/simulation/case_file.hpp"

namespace groundswell::sea {

IceOptions read_ice_options(const simulation::Section& physics, bool has_ice, bool has_thickness) {
    IceOptions options;
    options.form = physics.choice<IceForm>(
        "ice", "blocking",
        {{"blocking", IceForm::blocking},
         {"power-law", IceForm::power_law},
         {"boundary-layer", IceForm::boundary_layer}},
        {"what sea ice does to waves: it blocks them by its concentration, or lets them decay along their "
         "way "
         "by a power law of frequency, or by friction below it, which depends on its thickness",
         "", "Tolman 2003; Meylan, Bennetts & Kohout 2014; Liu & Mollo-Christensen 1988"});
    options.open = physics.number("ice_open", options.open, {0.0, 1.0},
                                  {"blocking: concentration up to which all waves pass", "1", "Tolman 2003"});
    options.closed = physics.number(
        "ice_closed", options.closed, {0.0, 1.0},
        {"blocking: concentration from which on none pass, more than ice_open", "1", "Tolman 2003"});
    if (!physics.describing() && !(options.closed > options.open))
        physics.refuse("ice_closed", fmt::format("more than ice_open = {}", options.open));
    options.per_square =
        physics.number("ice_per_square", options.per_square, {0.0, 10.0},
                       {"power law: a in the decay of energy a f² + b f⁴ along the way", "m-1 Hz-2",
                        "Meylan, Bennetts & Kohout 2014, doi:10.1002/2014GL060809"});
    options.per_fourth = physics.number(
        "ice_per_fourth", options.per_fourth, {0.0, 1000.0},
        {"power law: b", "m-1 Hz-4", "Meylan, Bennetts & Kohout 2014, doi:10.1002/2014GL060809"});
    const bool needed = has_ice && options.form == IceForm::boundary_layer;
    if (needed || physics.has("ice_viscosity") || physics.describing())
        options.eddy_viscosity =
            physics.number("ice_viscosity", std::nullopt, {0.0, 10.0},
                           {"boundary layer: eddy viscosity of the water below the ice", "m2 s-1",
                            "Liu & Mollo-Christensen 1988; values from 1e-4 to 0.3 have been fitted"});
    if (needed && !has_thickness && !physics.describing())
        physics.refuse("ice", "[[ice_thickness]] in the case, on which the boundary layer's decay depends");
    return options;
}

}  // namespace groundswell::sea
