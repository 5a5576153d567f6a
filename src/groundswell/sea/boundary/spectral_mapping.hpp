#pragma once

#include <span>
#include <vector>

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// Spectra on other frequencies and directions, brought to those of the model.
///
/// Between its own nodes a spectrum is linear in frequency and direction, and beyond its last frequency E ~ f⁻⁵ (Hasselmann et al.
/// 1973), as integrate_spectrum() has it. A bin of the model takes the mean of that over the bin, the last frequency with the tail
/// beyond, so that nothing is lost between the model's frequencies; what lies below its first one is. Where the nodes are the
/// model's own, bins take their values as they are.
class SpectralMapping {
public:
    /// `frequency`: Hz, ascending, at least two. `direction`: [directions of the file] rad, going to, anticlockwise from east, in any
    /// order, all round the circle at equal steps; at least four.
    SpectralMapping(const SpectralGrid& grid, std::vector<double> frequency, std::vector<double> direction);

    /// Sets action[bins] from `density`, E(f, θ) in m² Hz⁻¹ rad⁻¹, [frequency][direction] as in the file.
    void map(std::span<const double> density, Real* action) const;

    /// Variance of a spectrum of the file, m², its tail included; and the share of it that the model's frequencies do not hold.
    double variance(std::span<const double> density) const;
    double lost_share(std::span<const double> density) const;

private:
    struct Term {
        int node;
        double weight;
    };
    using Terms = std::vector<Term>;

    void fill_frequencies();
    void fill_directions();
    bool take_frequencies_as_they_are();
    bool take_directions_as_they_are();
    std::vector<double> over_frequency(std::span<const double> density) const;

    const SpectralGrid grid_;
    std::vector<double> frequency_, direction_;
    std::vector<Terms> of_frequency_,
        of_direction_;                   // of the model's: mean over the bin from the file's nodes
    std::vector<double> weight_, lost_;  // [frequency of the file] Hz: of its variance; of what is lost of it
};

}  // namespace groundswell::sea
