#pragma once

#include "groundswell/sea/source/air_sea.hpp"
#include "groundswell/sea/source/swell_dissipation.hpp"

namespace groundswell::sea {

/// Growth of waves by wind, and decay of waves that outrun it.
///
/// S = β E, β = σ (ρa/ρw) (βmax/κ²) Z⁴ e^Z (u*/c)² max(cos, 0)² where Z = ln(k z0) + κ/((u*/c + zα) cos) < 0
/// (Janssen 1991, as modified by Ardhuin et al. 2010, doi:10.1175/2010JPO4324.1, section 2),
/// less the swell dissipation. The stress that the waves support reduces what shorter waves feel (sheltering,
/// same section), and sets friction velocity and roughness. Within a step: u* from the stress of the step
/// before, growth, new stress, u* again, growth again; the stress then found is kept for the next step.
///
/// Must run before the other terms: it finds friction velocity, wind-sea mean frequency and the tail's
/// cutoff.
class WindInput : public SourceTerm {
public:
    WindInput(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options);
    std::string_view name() const override { return "wind_input"; }
    std::size_t scratch_size() const override;
    void add(SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    struct Stress {
        double x, y;
    };
    void update_wind(SeaCell& sea) const;
    Stress growth(SeaCell& sea, SourceWorkspace& workspace) const;
    void find_cutoff(SeaCell& sea, const Real* fed_energy) const;
    // f⁵ ∫E(f, θ) max(cos, 0)³ dθ at the cutoff, m² s⁻⁴.
    double tail_level(const SeaCell& sea) const;

    std::shared_ptr<const LaneGrid> grid_;
    AirSea air_;
    SwellDissipation swell_;
    double density_ratio_;
    Real growth_, shift_, growth_shift_, sheltering_;
    double tail_mean_, tail_pierson_moskowitz_;
    int used_;  ///< directions rounded up to whole registers
};

}  // namespace groundswell::sea
