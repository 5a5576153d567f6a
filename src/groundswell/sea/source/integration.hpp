#pragma once

#include <array>

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
    static constexpr auto limiter =
        Coefficient("growth_limiter", 5.0e-7, 1e-9, 1, "", "largest change in a step over g u* f_m f^-4 dt",
                    "Hersbach & Janssen 1999, doi:10.1175/1520-0426(1999)016<0884:IOTSFB>2.0.CO;2");
    static constexpr auto most_parts =
        Coefficient("most_substeps", 10.0, 1, 100, "",
                    "equal parts that a source step may be cut into where the sea is young; 1: never",
                    "convention of this model");
    static constexpr auto tolerance =
        Coefficient("substep_change", 0.1, 1e-3, 10, "",
                    "share of its variance that a sea may gain or the limiter may withhold in one part",
                    "convention of this model");
    static constexpr auto height_limit = Coefficient(
        "height_limit", 0.0, 0, 10, "", "largest significant height over depth; 0: none", "ecWAM: SDEPTHLIM");
    static constexpr auto spectrum_limit =
        Coefficient("spectrum_limit", 0.0, 0, 10, "",
                    "largest E(f, theta) over g^2 (2 pi)^-4 f^-5 / pi; 0: none", "ecWAM: ALPHAPMAX, 0.031");
    static constexpr std::array coefficients{limiter, most_parts, tolerance, height_limit, spectrum_limit};

    explicit SourceIntegration(const PhysicsOptions& options)
        : limiter_(options[limiter]),
          tolerance_(options[tolerance]),
          most_parts_(static_cast<int>(options[most_parts])) {}

    /// Change of the prognostic part of the spectrum by a step, m².
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
