#pragma once

#include <string>
#include <vector>

#include "groundswell/sea/forcing/storm/track.hpp"

namespace groundswell::sea {

enum class VortexProfile {
    holland2010,  ///< surface wind of Holland, Belanger & Fritz (2010), fitted in each quadrant to the radii
                  ///< of 34, 50 and 64 kt
    holland1980,  ///< gradient wind of Holland (1980) brought to the surface; round, ignores these radii
};

/// A storm vortex that follows a track.
struct VortexOptions {
    std::vector<std::string> tracks;  ///< one file, or ATCF decks of one storm; see read_track()
    TrackChoice choice{};             ///< of what they hold
    VortexProfile profile = VortexProfile::holland2010;
    double wind_factor = 0.93;   ///< the track's wind → 10-minute mean at sea; 0.93 for 1-minute winds
                                 ///< (Harper, Kepert & Ginger 2010, WMO/TD-1555, Table 1.1), (0, 1.2]
    double radii_factor = 0.85;  ///< the track's radii, the greatest in a quadrant → in its middle
                                 ///< (DeMaria et al. 2009, Wea. Forecasting 24, 1573–1591), [0.5, 1]
    double inflow_angle = 25.0;  ///< degrees, outside 1.2 radii of maximum wind, [0, 60]
    double translation_fraction = 0.55;  ///< of the storm's motion that adds to the wind, at the radius of
                                         ///< maximum wind (Lin & Chavas 2012), [0, 1]
    double translation_turn =
        20.0;  ///< degrees, cyclonic, by which it is turned (Lin & Chavas 2012), [-90, 90]
    double ambient_pressure = 1010.0;  ///< hPa, where the track gives none, [950, 1050]
    double blend_inner = 1.2;          ///< gale radii within which the vortex alone holds, > 0
    double blend_outer = 3.0;          ///< gale radii beyond which the vortex is not felt, > blend_inner
};

}  // namespace groundswell::sea
