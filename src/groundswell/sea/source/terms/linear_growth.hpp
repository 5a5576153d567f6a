#pragma once

#include <memory>

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Growth from a calm sea, independent of the waves: in action density over wave number and direction
/// S = C (ρa/ρw)² g⁻² k⁻¹ (u* max(cos, 0))⁴ exp(-(f/f_filter)⁻⁴) (Cavaleri & Malanotte-Rizzoli 1981,
/// doi:10.1029/JC086iC11p10961, with the low-frequency filter of Tolman 1992,
/// doi:10.1175/1520-0485(1992)022<1095:EONOTP>2.0.CO;2).
class LinearGrowth : public SourceTerm {
public:
    LinearGrowth(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "linear_growth"; }
    void add(SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    std::shared_ptr<const LaneGrid> grid_;
    double strength_, filter_;
};

}  // namespace groundswell::sea
