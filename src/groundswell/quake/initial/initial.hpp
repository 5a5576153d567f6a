#pragma once

#include <array>
#include <complex>
#include <vector>

#include "groundswell/quake/attenuation/attenuation.hpp"
#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/initial/options.hpp"
#include "groundswell/quake/wavefield.hpp"

namespace groundswell::quake {

/// The unknowns of a plane wave at a place and time, in rock that is the same everywhere.
std::array<double, 9> plane_wave(const WaveSection& wave, const Material& material, const tetra::Point& place,
                                 double time);

/// Sets the wave field as the case has it at the start. base::Refusal on all ranks for a file that does not have it. `attenuation`:
/// of the field, null where there is none. Collective.
template <class Real>
void set_initial(MPI_Comm comm, const InitialOptions& options, const Attenuation* attenuation,
                 const Domain& domain, Wavefield<Real>& field);

/// A plane cosine in rock that attenuates it and is the same everywhere: it keeps its wavelength and fades in time, as
/// Re exp(i (ω t − k n·x)) with ω² = k² M(ω) / ρ.
class RelaxingWave {
public:
    /// `material` unrelaxed.
    RelaxingWave(const WaveSection& wave, const Material& material, const Attenuation& attenuation);

    /// rad s⁻¹; its imaginary part is the rate at which the wave fades.
    std::complex<double> frequency() const { return omega_; }
    /// The unknowns at a place and time; and ζ of the mechanisms, [mechanism][strain].
    std::array<double, 9> unknowns(const tetra::Point& place, double time) const;
    std::vector<double> memory(const tetra::Point& place, double time) const;

private:
    std::complex<double> velocity(const tetra::Point& place, double time) const;

    const WaveSection& wave_;
    std::complex<double> omega_, lambda_, mu_;
    std::vector<double> relaxing_;       // rad s⁻¹
    std::array<double, 6> direction_{};  // ½ (n d + d n)
};

}  // namespace groundswell::quake
