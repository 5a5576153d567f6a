#include <vector>

#include "fuzz.hpp"
#include "groundswell/base/constants.hpp"
#include "support/wind_forcing.hpp"

// Wind files over a few cells of the seeds' grids, as a series and as a year that repeats.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
    groundswell::fuzz::begin();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace groundswell;
    if (fuzz::is_hdf5(data, size)) return -1;
    const std::string path = fuzz::as_file("wind.nc", data, size);
    const std::vector<double> longitude = {0.2 * base::degree, 1.5 * base::degree, 359.7 * base::degree},
                              latitude = {0.0, 1.0 * base::degree, -0.5 * base::degree};
    const base::Instant start = *base::parse_instant("2000-01-01T00:00:00Z");
    const base::Instant end = start + base::seconds(6 * 3600);
    for (const bool climatology : {false, true})
        fuzz::may_refuse([&] {
            sea::FileOptions options;
            options.files = {path};
            options.climatology = climatology;
            const sea::ForcingEntries entries = {test::entry_of(options)};
            test::WindForcing forcing(MPI_COMM_SELF, "case.toml", entries, longitude, latitude, start, end);
            std::vector<sea::Real> eastward(longitude.size()), northward(longitude.size());
            for (const std::int64_t hour : {0, 2, 6})
                forcing.wind_at(start + base::seconds(hour * 3600), eastward, northward);
        });
    return 0;
}
