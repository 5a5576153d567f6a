#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "support/wind_files.hpp"
#include "support/wind_forcing.hpp"

/// Cells under the grid of a `WindFileMaker`, the wind that they get from a file, and why a file is refused.
namespace groundswell::test {

inline base::Instant at(const std::string& text) {
    return *base::parse_instant(text);
}
inline const base::Instant day_one = at("2024-01-01"), day_two = at("2024-01-02");

struct Cells {
    std::vector<double> longitude, latitude;  // rad
    void add(double lon, double lat) {
        longitude.push_back(lon * base::degree);
        latitude.push_back(lat * base::degree);
    }
};

inline Cells default_cells() {
    Cells cells;
    for (double lon = 100.0; lon <= 107.0; lon += 0.7)
        for (double lat = 0.0; lat <= 10.0; lat += 1.3) cells.add(lon, lat);
    return cells;
}

struct Wind {
    std::vector<sea::Real> u, v;
};

inline Wind wind_at(WindForcing& forcing, std::size_t cells, base::Instant time) {
    Wind wind{std::vector<sea::Real>(cells), std::vector<sea::Real>(cells)};
    forcing.wind_at(time, wind.u, wind.v);
    return wind;
}

inline WindForcing make(const std::shared_ptr<const sea::ForcingEntry>& entry, const Cells& cells,
                        base::Instant start = day_one, base::Instant end = day_two) {
    return WindForcing(MPI_COMM_SELF, "case.toml", {entry}, cells.longitude, cells.latitude, start, end);
}
inline WindForcing make(const sea::FileOptions& options, const Cells& cells, base::Instant start = day_one,
                        base::Instant end = day_two) {
    return make(entry_of(options), cells, start, end);
}

inline std::string refusal(const WindFileMaker& maker, base::Instant start = day_one,
                           base::Instant end = day_two, const Cells& cells = default_cells()) {
    const TemporaryFolder folder;
    const sea::FileOptions options{{maker.write(folder.file("wind.nc"))}, {}, false, 1024.0};
    return refusal_of([&] { make(options, cells, start, end); });
}

}  // namespace groundswell::test
