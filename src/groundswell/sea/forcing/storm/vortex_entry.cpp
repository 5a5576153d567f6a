#include "groundswell/sea/forcing/storm/vortex_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "groundswell/base/errors.hpp"
#include "groundswell/sea/forcing/storm/vortex.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell::sea {

using simulation::Section;

std::string VortexEntry::value() const {
    return fmt::format("{}", fmt::join(options_.tracks, ", "));
}

std::unique_ptr<ForcingLayer> VortexEntry::make(const LayerPlace& place) const {
    base::require(!options_.tracks.empty(), place.case_file, place.key, "[]", "a track");
    for (const std::string& track : options_.tracks)
        base::require(::access(track.c_str(), R_OK) == 0, place.case_file, place.key, track,
                      "a track, as .csv, an ATCF deck, HURDAT2 or IBTrACS, that can be read");
    return std::make_unique<Vortex>(place.case_file, options_, place.longitude, place.latitude, place.start,
                                    place.end, !place.is_first);
}

std::shared_ptr<const ForcingEntry> read_vortex_entry(const Section& section, const ForcingKind& /*kind*/) {
    VortexOptions vortex;
    vortex.tracks = section.paths("vortex", {"storm track, blended over the entries above it: a table "
                                             "(.csv), an ATCF deck or several of one storm, "
                                             "HURDAT2, IBTrACS; compressed (.gz) or not"});
    vortex.choice.storm =
        section.text("storm", "", {"storm of a file of many: number or name, or \"NAME YEAR\""});
    vortex.choice.technique = section.text(
        "technique", "",
        {"forecast to take from an ATCF deck after its best track, such as \"OFCL\"; empty: none"});
    if (section.has("cycle") || section.describing())
        vortex.choice.cycle =
            section.instant("cycle", {"beginning of that forecast; without it the newest, or the newest "
                                      "that begins before the best track ends"});
    vortex.profile = section.choice<VortexProfile>(
        "profile", "holland2010",
        {{"holland2010", VortexProfile::holland2010}, {"holland1980", VortexProfile::holland1980}},
        {"radial profile of the vortex", "", "Holland, Belanger & Fritz 2010; Holland 1980"});
    vortex.wind_factor = section.number("wind_factor", vortex.wind_factor, {0.5, 1.2},
                                        {"factor from the track's wind to the 10-minute mean at sea", "1",
                                         "Harper, Kepert & Ginger 2010, WMO/TD-1555, table 1.1"});
    vortex.radii_factor = section.number("radii_factor", vortex.radii_factor, {0.5, 1.0},
                                         {"factor from the track's radii, the greatest in a quadrant, to "
                                          "those in its middle; 1 where they are means",
                                          "1", "DeMaria et al. 2009, doi:10.1175/2009WAF2222286.1"});
    vortex.inflow_angle =
        section.number("inflow_angle", vortex.inflow_angle, {0.0, 60.0},
                       {"turn of the wind towards the centre, outside 1.2 radii of maximum wind", "degree"});
    vortex.translation_fraction =
        section.number("translation_fraction", vortex.translation_fraction, {0.0, 1.0},
                       {"share of the storm's motion that adds to the wind where it is strongest", "1",
                        "Lin & Chavas 2012, doi:10.1029/2011JD017126"});
    vortex.translation_turn = section.number(
        "translation_turn", vortex.translation_turn, {-90.0, 90.0},
        {"cyclonic turn of that share", "degree", "Lin & Chavas 2012, doi:10.1029/2011JD017126"});
    vortex.ambient_pressure = section.number("ambient_pressure", vortex.ambient_pressure, {950.0, 1050.0},
                                             {"pressure around the storm where the track gives none", "hPa"});
    vortex.blend_inner = section.number("blend_inner", vortex.blend_inner, {0.1, 20.0},
                                        {"number of gale radii within which the vortex alone counts", "1"});
    vortex.blend_outer = section.number("blend_outer", vortex.blend_outer, {0.1, 50.0},
                                        {"number of gale radii beyond which the vortex is not felt", "1"});
    if (!section.describing() && !(vortex.blend_outer > vortex.blend_inner))
        section.refuse("blend_outer", fmt::format("more than blend_inner = {}", vortex.blend_inner));
    return std::make_shared<VortexEntry>(std::move(vortex));
}

}  // namespace groundswell::sea
