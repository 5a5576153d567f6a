#pragma once

#include "groundswell/sea/source/formulas/shallow_water.hpp"

namespace groundswell::sea::terms {

/// Friction at the sea bed: decay at the rate 2Γ k/(g sinh 2kd), which is 2Γ/g² σ²/(2 sinh² kd) (Hasselmann
/// et al. 1973, JONSWAP; Bouws & Komen 1983, doi:10.1175/1520-0485(1983)013<1653:OTBBGA>2.0.CO;2; manual of WAVEWATCH III 7.14, eq. 2.171).
struct BottomFrictionFormula {
    static constexpr Partner partner = Partner::bottom;
    Real scale = 0;  ///< 2Γ/g, m s⁻¹

    template <class Team>
    constexpr void add(const Team& team, const LaneTables& g, const SeaCell& sea, const SourceSum& sum,
                       const CellWork& /*work*/) const {
        add_bottom_decay(team, g, sea, scale, sum.decay);
    }
};

}  // namespace groundswell::sea::terms
