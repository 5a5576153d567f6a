#pragma once

#include "groundswell/sea/ice/ice_options.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// The source term of sea ice of one cell, ∂N/∂t = −c α cg N: decay per metre by IceForm, at the group speed of open water, over the
/// share c of the sea that is ice. Exact for any step, since nothing of it depends on N.
class IceDamping {
public:
    IceDamping(const SpectralGrid& grid, const IceOptions& options) : grid_(grid), options_(options) {}

    /// Whether there is any.
    bool damps() const { return options_.form != IceForm::blocking; }
    /// Action [bins] after `seconds`. `group_speed`: [frequency] m s⁻¹; concentration: 0 … 1; thickness and depth in m.
    void apply(Real* action, const Real* group_speed, double depth, double concentration, double thickness,
               double seconds) const;
    /// α, m⁻¹.
    double decay(int frequency, double depth, double thickness) const;

private:
    SpectralGrid grid_;
    IceOptions options_;
};

}  // namespace groundswell::sea
