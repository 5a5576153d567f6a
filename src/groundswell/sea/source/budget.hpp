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

}  // namespace groundswell::sea
