#pragma once

#include <string>

#include "groundswell/mesh/tetra/projection/projection.hpp"
#include "groundswell/quake/source/rupture/sub_source.hpp"

namespace groundswell::quake {

/// Reads a rupture in the Standard Rupture Format, version 1 or 2 (R. Graves 2014, "Standard Rupture Format, version 2.0"):
/// points with longitude, latitude, depth in km, strike, dip, area in cm², time at which slip begins, interval of the
/// samples in s (and in version 2 vs in cm/s and density in g/cm³), each with slip in cm and slip rates in cm/s along
/// its rake, at 90 degrees to it in the plane, and along the normal that points up.
///
/// Rates go straight from sample to sample, and from and to 0 within an interval before the first sample and after the
/// last one, so that the slip is their sum times the interval, as those who write such files have it. `delay` in s is added to all times;
/// strikes are turned from true north to the projection's. base::Refusal, with the line, for what is no such file.
Rupture read_srf(const std::string& path, const tetra::Projection& projection, double delay);

/// Whether a file begins as one in the Standard Rupture Format does, or is called so.
bool is_srf(const std::string& path);

}  // namespace groundswell::quake
