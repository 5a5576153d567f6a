#pragma once

#include <memory>

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Friction at the sea bed: decay at the rate 2Γ k/(g sinh 2kd), which is 2Γ/g² σ²/(2 sinh² kd) (Hasselmann
/// et al. 1973, JONSWAP; Bouws & Komen 1983, doi:10.1175/1520-0485(1983)013<1653:OTBBGA>2.0.CO;2).
class BottomFriction : public SourceTerm {
public:
    BottomFriction(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "bottom_friction"; }
    void add(SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    std::shared_ptr<const LaneGrid> grid_;
    Real strength_;
};

}  // namespace groundswell::sea
