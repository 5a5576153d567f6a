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
    /// Ice over a cell and the water below it. `group_speed`: [frequency] m s⁻¹; concentration: 0 … 1; thickness and depth in m.
    struct Cell {
        const Real* group_speed;
        double depth, concentration, thickness;
    };
    /// Action [bins] after `seconds`.
    void apply(Real* action, const Cell& cell, double seconds) const;
    /// Whether the ice changes anything, and what it leaves of each frequency after `seconds`.
    bool acts(const Cell& cell) const { return damps() && cell.concentration > 0.0; }
    Real left(int frequency, const Cell& cell, double seconds) const;
    /// Action of a bin of which the ice leaves so much.
    static constexpr Real damped(Real action, Real left) {
        const Real all = action * left;
        return all < Real(1e-30) ? Real(0) : all;
    }
    /// α, m⁻¹.
    double decay(int frequency, double depth, double thickness) const;

private:
    SpectralGrid grid_;
    IceOptions options_;
};

}  // namespace groundswell::sea
