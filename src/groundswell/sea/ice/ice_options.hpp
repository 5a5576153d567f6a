#pragma once

namespace groundswell::simulation {
class Section;
}

namespace groundswell::sea {

/// Effects of sea ice on waves.
enum class IceForm {
    blocking,       ///< it stands in their way, ice/blocking.hpp
    power_law,      ///< they decay on their way under it, ice/power_law.hpp
    boundary_layer  ///< the same, by friction below it, ice/boundary_layer.hpp
};

struct IceOptions {
    IceForm form = IceForm::blocking;
    double open = 0.25, closed = 0.75;                  ///< concentrations, of blocking
    double per_square = 2.12e-3, per_fourth = 4.59e-2;  ///< m⁻¹ Hz⁻², m⁻¹ Hz⁻⁴, of the power law
    double eddy_viscosity = 0.0;                        ///< m² s⁻¹, of the boundary layer
};

/// Reads the keys ice… of [physics]. `has_ice`, `has_thickness`: the case has [[ice]], [[ice_thickness]]; what a form
/// needs must be there.
IceOptions read_ice_options(const simulation::Section& physics, bool has_ice, bool has_thickness);

}  // namespace groundswell::sea
