#pragma once

#include <array>

#include "groundswell/quake/case.hpp"
#include "groundswell/quake/domain.hpp"
#include "groundswell/quake/wavefield.hpp"

namespace groundswell::quake {

/// The unknowns of a plane wave v = amplitude · d cos(k·x − ω t) at a place and time; d is along k for P, and for S what of
/// `polarisation` is across it.
std::array<double, 9> plane_wave(const InitialSection& wave, const Material& material,
                                 const tetra::Point& place, double time);

/// Sets the wave field as the case has it at the start.
template <class Real>
void set_initial(const Case& run, const Domain& domain, Wavefield<Real>& field);

}  // namespace groundswell::quake
