#include <array>
#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/source/formulas/by_row.hpp"
#include "groundswell/sea/source/source_workspace.hpp"
#include "groundswell/sea/source/terms/source_term_kind.hpp"

namespace groundswell::sea::terms {

/// Dissipation by breaking in deep water, from the steepness of the whole sea (Komen et al. 1984,
/// doi:10.1175/1520-0485(1984)014<1271:OTEOAF>2.0.CO;2, by wave numbers as in WAMDI Group 1988,
/// doi:10.1175/1520-0485(1988)018<1775:TWMTGO>2.0.CO;2; the square of k/k̄ after Janssen 1991):
///   S = -C σ̄ (k̄² m0/α)² [(1 - δ) k/k̄ + δ (k/k̄)²] E.
/// k̄ and σ̄ are power means, of √k and σ, or of 1/√k and 1/σ.
class WhitecappingSteepness : public SourceTerm {
public:
    static constexpr std::string_view wamdi =
        "WAMDI Group 1988, doi:10.1175/1520-0485(1988)018<1775:TWMTGO>2.0.CO;2";
    static constexpr std::string_view bidlot =
        "Janssen 1991: 0.5; Bidlot, Janssen & Abdalla 2007, ECMWF Technical Memorandum 509: 0.6";
    static constexpr auto strength = Coefficient("steepness_whitecapping", 2.36e-5, 0, 100, "",
                                                 "C, whitecapping by the steepness of the sea", wamdi);
    static constexpr auto reference =
        Coefficient("steepness_reference", 3.02e-3, 1e-4, 1, "",
                    "alpha, steepness k^2 m0 to which that of the sea is compared", wamdi);
    static constexpr auto square = Coefficient("steepness_short_waves", 0.0, 0, 1, "",
                                               "delta, share that grows with the square of k", bidlot);
    static constexpr auto first_moment =
        Coefficient("steepness_first_moment", 0.0, 0, 1, "",
                    "1: means of sqrt(k) and the frequency; 0: of 1/sqrt(k) and the period",
                    "WAMDI Group 1988: 0; Bidlot, Janssen & Abdalla 2007: 1");
    static constexpr std::array coefficients{strength, reference, square, first_moment};

    WhitecappingSteepness(std::shared_ptr<const LaneGrid> grid, const PhysicsOptions& options)
        : grid_(std::move(grid)),
          strength_(options[strength]),
          reference_(options[reference]),
          square_(options[square]),
          first_(options[first_moment] >= 0.5) {}
    std::string_view name() const override { return "whitecapping_steepness"; }
    void add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const override;

private:
    // (∫ E √k/m0)², beyond the last frequency E ∝ f⁻⁵ and k ∝ f²; rad m⁻¹.
    double mean_of_root(const SeaCell& sea) const;

    std::shared_ptr<const LaneGrid> grid_;
    double strength_, reference_, square_;
    bool first_;
};

double WhitecappingSteepness::mean_of_root(const SeaCell& sea) const {
    const LaneGrid& g = *grid_;
    const int last = g.frequencies - 1;
    double sum = std::sqrt(static_cast<double>(sea.wave_number[last])) * sea.row_energy[last] *
                 g.frequency[last] / 3.0;
    for (int i = 0; i <= last; ++i)
        sum += std::sqrt(static_cast<double>(sea.wave_number[i])) * sea.row_energy[i] * g.width[i];
    return std::pow(sum / sea.variance, 2);
}

void WhitecappingSteepness::add(const SeaCell& sea, SourceSum& sum, SourceWorkspace& workspace) const {
    const LaneGrid& g = *grid_;
    if (!(sea.variance > Real(1e-30))) return;
    const double mean = first_ ? mean_of_root(sea) : sea.mean_wave_number;
    const double frequency = first_ ? sea.first_moment_frequency : sea.mean_frequency;
    const double steepness = mean * mean * sea.variance / reference_;
    const double scale = -strength_ * base::two_pi * frequency * steepness * steepness;
    Real* const rate = workspace.column_a.data();
    for (int i = 0; i < g.frequencies; ++i) {
        const double ratio = sea.wave_number[i] / mean;
        rate[i] = static_cast<Real>(scale * ratio * ((1.0 - square_) + square_ * ratio));
    }
    add_rates(g, sea, rate, sum);
}

SourceTermKind whitecapping_steepness() {
    return describe<WhitecappingSteepness>("whitecapping_steepness", {WhitecappingSteepness::coefficients},
                                           30);
}

}  // namespace groundswell::sea::terms
