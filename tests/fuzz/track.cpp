#include <vector>

#include "fuzz.hpp"
#include "groundswell/sea/forcing/storm/vortex.hpp"

// Storm tracks, each text as a table and as a b-deck, up to the wind of the storm.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace groundswell;
    for (const char* name : {"track.csv", "track.dat"}) {
        const std::string path = fuzz::as_file(name, data, size);
        fuzz::may_refuse([&] {
            const std::vector<sea::StormFix> fixes = sea::read_track(path);
            const std::vector<double> longitude = {fixes.front().longitude, 0.0},
                                      latitude = {fixes.front().latitude, 1.5};
            sea::VortexOptions options;
            options.tracks = {path};
            sea::Vortex vortex("case.toml", options, longitude, latitude, fixes.front().time,
                               fixes.back().time, true);
            std::vector<double> eastward(longitude.size()), northward(longitude.size());
            const std::span<double> both[] = {eastward, northward};
            for (const base::Instant time : {fixes.front().time, fixes.back().time}) vortex.apply(time, both);
        });
    }
    return 0;
}
