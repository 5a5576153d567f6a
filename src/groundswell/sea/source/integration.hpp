#pragma once

#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_term.hpp"

namespace groundswell::sea {

/// Advances the spectrum by one step, in place: semi-implicit in the diagonal of the source (Hersbach &
/// Janssen 1999, doi:10.1175/1520-0426(1999)016<0884:IOTSFB>2.0.CO;2),
///   ΔE = Δt S / max(1, 1 - Δt ∂S/∂E),
/// limited to |ΔE| ≤ C g ũ f_m f⁻⁴ Δt with ũ = max(u*, 5.6e-3 g/f) (their eq. 11; f_m the mean frequency of
/// wind sea or of all waves, whichever is higher, in place of their cut-off), then exp(-decay Δt). Never
/// negative; the padding is set to 0.
class SourceIntegration {
public:
    /// Reads growth_limiter and what decides on sub-steps.
    explicit SourceIntegration(const PhysicsOptions& options)
        : limiter_(options.growth_limiter),
          tolerance_(options.substep_change),
          most_parts_(static_cast<int>(options.most_substeps)) {}

    /// What a step did to the prognostic part of the spectrum, m².
    struct Change {
        double gained;    ///< by the bins that grew
        double withheld;  ///< from all bins by the limiter, absolute
    };
    Change advance(const LaneGrid& grid, const SeaCell& sea, const SourceSum& sum, Real* energy) const;

    /// Equal sub-steps that a step with this outcome should be cut into: 1 where gain and what the limiter
    /// withheld are small beside the variance of the sea, as they are in all but young seas. A function of
    /// the cell alone.
    int parts(const SeaCell& sea, const Change& change) const;

private:
    double limiter_, tolerance_;
    int most_parts_;
};

/// Bounds every bin by (α/π) g² (2π)⁻⁴ f⁻⁵ with α = `level`, as ecWAM does with 0.031 (its ALPHAPMAX).
void bound_spectrum(const LaneGrid& grid, double level, Real* energy);

/// Replaces the spectrum beyond the cutoff by the tail E ∝ 1/(k³ cg), f⁻⁵ in deep water, with the directions
/// of the cutoff; the first frequency beyond it is a mixture, according to `cutoff_part` (WAMDI Group 1988,
/// doi:10.1175/1520-0485(1988)018<1775:TWMTGO>2.0.CO;2).
void continue_tail(const LaneGrid& grid, const SeaCell& sea, Real* energy);

}  // namespace groundswell::sea
