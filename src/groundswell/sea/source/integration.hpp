#pragma once

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
    /// `limiter`: C, dimensionless.
    explicit SourceIntegration(double limiter) : limiter_(limiter) {}
    void advance(const LaneGrid& grid, const SeaCell& sea, const SourceSum& sum, Real* energy) const;

private:
    double limiter_;
};

/// Replaces the spectrum beyond frequency index `cutoff` by the tail E ∝ 1/(k³ cg), f⁻⁵ in deep water, with
/// the directions of the cutoff (WAMDI Group 1988, doi:10.1175/1520-0485(1988)018<1775:TWMTGO>2.0.CO;2).
void continue_tail(const LaneGrid& grid, const SeaCell& sea, Real* energy);

}  // namespace groundswell::sea
