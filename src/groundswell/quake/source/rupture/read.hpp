#pragma once

#include "groundswell/quake/source/rupture/options.hpp"
#include "groundswell/quake/source/rupture/sub_source.hpp"

namespace groundswell::quake {

/// Reads the file of an entry [[source.rupture]]. base::Refusal, with the line, for what is none, and without a projection
/// where the file needs it. `file`: of the case. Not collective.
Rupture read_rupture(const std::string& file, const std::optional<tetra::Projection>& projection,
                     const RuptureSection& section);

/// Reads point sources as SeisSol's source type 50 has them (FSRM: its documentation, "Point source (older
/// implementation)"), to the same effect: the tensor of the file, turned by each point's strike, dip and rake and times
/// its area, is added to the rate of stress, so that the moment is the opposite of it, and a line "velocity" is a force. Places are those of the mesh, in m.
/// Rates go straight from sample to sample and are 0 before and after. `delay` in s is added to all times. base::Refusal,
/// with the line, for what is no such file, and for pressure and fluid.
Rupture read_fsrm(const std::string& path, double delay);

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
