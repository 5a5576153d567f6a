#pragma once

#include <string>
#include <vector>

#include "groundswell/quake/values/stations/station_files.hpp"

namespace groundswell::quake {

/// The stations of a text in FDSN's StationXML, each at its own place, not those of its channels; one that comes for several
/// times at one place once. `path` names the file. base::Refusal for another document.
std::vector<ListedStation> read_station_xml(const std::string& path, const std::string& text);

}  // namespace groundswell::quake
