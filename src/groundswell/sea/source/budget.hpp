#pragma once

#include <vector>

#include "groundswell/sea/source/source_package.hpp"

namespace groundswell::sea {

/// ∫ S (1, cos θ, sin θ) dθ of one term at one frequency, m²: the rate at which it changes ∫ E dθ, and where that travels to.
struct TermRate {
    double energy = 0.0, east = 0.0, north = 0.0;
};

/// Rates of a cell's source terms, each by itself, at one moment: before the limiter of the step and what else bounds a spectrum.
struct SourceBudget {
    std::vector<TermRate> rates;  ///< [terms][frequencies]

    /// For a share of the sea.
    void scale(double share);
};

/// Evaluates the terms as the first part of SourcePackage::integrate_cell does; changes nothing but the workspace.
SourceBudget find_budget(const SourcePackage& package, const Real* action, const CellConditions& conditions,
                         Real step, SourceState state, SourceWorkspace& workspace);

/// Momentum and energy that air and waves together give to the water. East and north are components.
struct OceanExchange {
    /// N m⁻²: the stress of the air, less what waves take up, with what they lose to the water:
    /// ρ_a u*² − ρ_w g ∫∫ k/σ (S_air + S_water) (cos θ, sin θ), S_air of the terms whose partner is the air
    /// (Breivik et al. 2015, J. Geophys. Res. Oceans 120, 2973, doi:10.1002/2014JC010565).
    double eastward_stress = 0.0, northward_stress = 0.0;
    double breaking_energy = 0.0;  ///< W m⁻²: −ρ_w g ∫∫ S_water
};

/// kg m⁻³; those of the terms, so that what the waves take from the air is what it gives.
struct Densities {
    double water, air;
};

/// Evaluates the terms whose partner is air or water as the first part of SourcePackage::integrate_cell does; changes nothing but the
/// workspace.
OceanExchange find_exchange(const SourcePackage& package, const Real* action,
                            const CellConditions& conditions, Real step, SourceState state,
                            SourceWorkspace& workspace, const Densities& density);

}  // namespace groundswell::sea
