#pragma once

#include <string>
#include <vector>

namespace groundswell::quake {

/// A receiver of a list.
struct ListedStation {
    std::string name;      ///< NETWORK.STATION where there is a network; empty: the list has no names
    bool degrees = false;  ///< `east` and `north` are longitude and latitude, degrees; else x and y, m
    double east = 0.0, north = 0.0;
    double z = 0.0;              ///< m, up
    double below_surface = 0.0;  ///< m: how far under the free surface, for those who move it there
    std::string place;           ///< FILE:LINE
};

/// Reads a list of receivers in whichever form its text has:
/// - three numbers a line, x y z, as SeisSol's, or a name before them;
/// - `station network latitude longitude elevation burial`, as SPECFEM's STATIONS; numbers that are no degrees are y and x, m;
/// - StationXML: the stations, at their elevation;
/// - a table with a line of headings, columns separated by commas, semicolons, tabs or blanks: name (station), network,
///   x, y, z, or longitude, latitude, elevation or z, depth.
/// Lines that begin with # count for nothing. base::Refusal that names the line for anything else. Not collective.
std::vector<ListedStation> read_station_file(const std::string& path);

/// The stations of a text in FDSN's StationXML, each at its own place, not those of its channels; one that comes for several
/// times at one place once. `path` names the file. base::Refusal for another document.
std::vector<ListedStation> read_station_xml(const std::string& path, const std::string& text);

}  // namespace groundswell::quake
