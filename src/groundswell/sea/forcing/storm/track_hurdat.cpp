#include <fmt/format.h>
#include <fmt/ranges.h>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/sea/forcing/storm/track_lines.hpp"

namespace groundswell::sea {

namespace {

/// HURDAT2, the US National Hurricane Center's best tracks (Landsea & Franklin 2013, doi 10.1175/MWR-D-12-00254.1): a line
/// "AL092011, IRENE, 39," for each storm, then its fixes. Winds are 1-minute means.
/// Columns: 0 date, 1 time, 3 stage, 4 latitude, 5 longitude, 6 wind, 7 pressure, 8-19 radii of 34, 50 and 64 kt, 20 radius of maximum
/// wind. Negative numbers mean "not known".
class HurdatTrack final : public TrackForm {
public:
    explicit HurdatTrack(const TrackChoice& choice) : storm_(choice.storm) {}

    void take(const TrackLine& line) override {
        const std::string first = line.text(0);
        if (first.size() == 8 && std::isalpha(static_cast<unsigned char>(first[0])) != 0) {
            begin_storm(line, first);
            return;
        }
        if (!is_taken_) return;
        base::require(line.fields.size() >= 8, line.where(), "columns", std::to_string(line.fields.size()),
                      "at least 8 in a fix of HURDAT2");
        StormFix fix;
        fix.time = time(line);
        fix.is_tropical = is_tropical(line.text(3));
        fix.latitude = line.coordinate(4, "latitude", {'N', 'S'}, 90.0, 1.0);
        fix.longitude = line.coordinate(5, "longitude", {'E', 'W'}, 360.0, 1.0);
        fix.max_wind = known(line, 6, "wind", 250.0) * base::knot;
        fix.central_pressure = 100.0 * known(line, 7, "pressure", 1100.0);
        fix.radius_max_wind = base::nautical_mile * known(line, 20, "radius of maximum wind", 1500.0);
        for (std::size_t wind = 0; wind < radius_winds.size(); ++wind) {
            std::array<double, 4> radii;
            for (std::size_t q = 0; q < 4; ++q) {
                const double radius = line.value(8 + 4 * wind + q, "radius", -999.0, 1500.0);
                radii[q] = radius >= 0.0 ? base::nautical_mile * radius : not_known;
            }
            fix.radii[wind] = together(radii);
        }
        append(fixes_, fix, line);
    }

    std::vector<StormFix> finish(const std::string& path) override {
        storm_.finish(path, "number");
        return std::move(fixes_);
    }

private:
    void begin_storm(const TrackLine& line, const std::string& number) {
        const std::string name = line.text(1), year = number.substr(4);
        is_taken_ = storm_.begin(fmt::format("{} {} ({})", name, year, number),
                                 is_storm(storm_.asked(), number, name, year));
    }
    static double known(const TrackLine& line, std::size_t index, const char* name, double high) {
        const double value = line.value(index, name, -999.0, high);
        return value > 0.0 ? value : not_known;
    }
    static base::Instant time(const TrackLine& line) {
        const std::string day = line.text(0), hour = line.text(1);
        std::optional<base::Instant> instant;
        if (day.size() == 8 && hour.size() == 4)
            instant =
                base::parse_instant(fmt::format("{}-{}-{}T{}:{}", day.substr(0, 4), day.substr(4, 2),
                                                day.substr(6, 2), hour.substr(0, 2), hour.substr(2, 2)));
        base::require(instant.has_value(), line.where(), "time", day + " " + hour, "YYYYMMDD, hhmm");
        return *instant;
    }

    StormSearch storm_;
    bool is_taken_ = false;
    std::vector<StormFix> fixes_;
};

}  // namespace

std::unique_ptr<TrackForm> hurdat_track(const TrackChoice& choice) {
    return std::make_unique<HurdatTrack>(choice);
}

}  // namespace groundswell::sea
