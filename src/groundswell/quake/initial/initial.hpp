#pragma once

#include <array>

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

}  // namespace groundswell::quake
