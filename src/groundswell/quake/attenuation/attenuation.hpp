#pragma once

#include <complex>
#include <utility>
#include <vector>

#include "groundswell/quake/material.hpp"

namespace groundswell::quake {

/// Q is constant in a band of frequencies; speeds are those at one frequency.
struct AttenuationOptions {
    int mechanisms = 3;                  ///< 1 to 8
    double lowest = 0.0, highest = 0.0;  ///< of the band, Hz
    double reference = 0.0;              ///< at which rock has the speeds that it is given, Hz
};

/// Relaxation of one mechanism, see viscoelastic.hpp.
struct Mechanism {
    double frequency = 0.0;         ///< rad s⁻¹
    double lambda = 0.0, mu = 0.0;  ///< Pa
};

/// Rock that attenuates waves with a Q that does not depend on the frequency, as near as some mechanisms can: their
/// strengths are found by least squares at many frequencies of the band (H. Emmerich and M. Korn 1987,
/// doi:10.1190/1.1442386, equation 17).
class Attenuation {
public:
    explicit Attenuation(const AttenuationOptions& options);

    /// Largest deviation of 1/Q in the band from what is asked, for a Q of 20 or more: relative.
    double error() const { return error_; }
    const AttenuationOptions& options() const { return options_; }
    void announce() const;  ///< to people
    /// The longest step in which the fastest mechanism relaxes soundly, s: Taylor series of exp(−ωt) of any order are below 1
    /// for ωt up to 2, less what waves take of that.
    double longest_step() const { return 1.0 / relaxing_.back(); }

    /// Strengths of the mechanisms for one Q: the parts of the modulus that they relax.
    std::vector<double> strengths(double loss) const;
    /// The modulus at a frequency, which may be complex, over the one before anything has relaxed; time goes as exp(iωt).
    std::complex<double> modulus(const std::vector<double>& strengths, std::complex<double> omega) const;
    /// With the moduli that belong to sudden changes, from those of the speeds at the reference frequency.
    Material unrelaxed(const Material& material) const;
    /// Mechanisms of an unrelaxed material.
    std::vector<Mechanism> mechanisms_of(const Material& unrelaxed) const;
    /// λ and μ of an unrelaxed material at a frequency.
    std::pair<std::complex<double>, std::complex<double>> moduli(const Material& unrelaxed,
                                                                 std::complex<double> omega) const;

private:
    double worst(double loss) const;

    AttenuationOptions options_;
    std::vector<double> relaxing_,
        fitted_;  // rad s⁻¹: frequencies of the mechanisms, and at which Q is fitted
    double error_ = 0.0;
};

}  // namespace groundswell::quake
