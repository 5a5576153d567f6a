#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/sea/forcing/storm/track_lines.hpp"

namespace groundswell::sea {

namespace {

/// Decks of the Automated Tropical Cyclone Forecasting System (Sampson & Schrader 2000, BAMS 81, 1231–1240): best tracks
/// (b-decks) and forecasts of many techniques (a-decks), in one file or several.
/// Columns: 2 time, 3 minutes of a best track, 4 technique, 5 hours of forecast, 6 latitude, 7 longitude, 8 wind, 9 pressure,
/// 10 stage, 11 threshold, 12-16 radii, 17 last closed isobar, 19 radius of maximum wind.
class AtcfTrack final : public TrackForm {
public:
    explicit AtcfTrack(const TrackChoice& choice) : choice_(choice) {}

    void take(const TrackLine& line) override {
        base::require(line.fields.size() >= 5, line.where(), "columns", std::to_string(line.fields.size()),
                      "an ATCF line, \"basin, number, YYYYMMDDHH, minutes, BEST, …\"");
        const std::string technique = line.text(4);
        if (technique == "BEST") {
            take_fix(line, best_);
            return;
        }
        techniques_.insert(technique);
        // Without a choice, the only technique of a file without a best track.
        const bool is_wanted = choice_.technique.empty() ? techniques_.size() == 1 && best_.empty()
                                                         : technique == choice_.technique;
        if (!is_wanted) return;
        take_fix(line, forecasts_[time(line)]);
    }

    std::vector<StormFix> finish(const std::string& path) override {
        const std::string known =
            techniques_.empty() ? "none" : fmt::format("{}", fmt::join(techniques_, ", "));
        const std::string& technique = choice_.technique;
        if (best_.empty() && technique.empty() && techniques_.size() != 1)
            base::refuse(path, "BEST lines", "none",
                         techniques_.empty()
                             ? "a best track, or forecasts"
                             : fmt::format("some, or technique = \"…\" beside the vortex, one of {}", known));
        if (technique.empty() && !best_.empty()) return std::move(best_);
        base::require(!forecasts_.empty() || technique == "BEST", path, "technique", technique,
                      fmt::format("one of the file: {}", known));
        add_forecast(path);
        return std::move(best_);
    }

private:
    // The forecast asked for, or the newest; after a best track the newest that begins before its end.
    void add_forecast(const std::string& path) {
        auto chosen = forecasts_.end();
        if (choice_.cycle) {
            chosen = forecasts_.find(*choice_.cycle);
        } else if (!forecasts_.empty()) {
            chosen = best_.empty() ? forecasts_.end() : forecasts_.upper_bound(best_.back().time);
            if (chosen == forecasts_.begin()) return refuse_cycle(path);
            --chosen;
        }
        if (chosen == forecasts_.end()) {
            if (choice_.cycle) refuse_cycle(path);
            return;
        }
        for (const StormFix& fix : chosen->second)
            if (best_.empty() || fix.time > best_.back().time) best_.push_back(fix);
    }
    void refuse_cycle(const std::string& path) const {
        base::refuse(path, "cycle", choice_.cycle ? base::format_instant(*choice_.cycle) : "none that fits",
                     fmt::format("a forecast that begins {}; those of the file begin {} … {}",
                                 choice_.cycle ? "then" : "before the best track ends",
                                 base::format_instant(forecasts_.begin()->first),
                                 base::format_instant(forecasts_.rbegin()->first)));
    }

    static void take_fix(const TrackLine& line, std::vector<StormFix>& fixes) {
        base::require(line.fields.size() >= 9, line.where(), "columns", std::to_string(line.fields.size()),
                      "at least 9 in a line of a track");
        StormFix fix;
        const double hours = line.value(5, "hours of forecast", -240.0, 1000.0);
        fix.time = time(line) + base::seconds(std::isnan(hours) ? 0 : std::llround(3600.0 * hours));
        if (!fixes.empty() && fix.time == fixes.back().time) {
            take_radii(line, fixes.back());
            return;
        }
        fix.latitude = line.coordinate(6, "latitude", {'N', 'S'}, 90.0, 0.1);
        fix.longitude = line.coordinate(7, "longitude", {'E', 'W'}, 180.0, 0.1);
        fix.max_wind = line.positive(8, "wind", 250.0) * base::knot;
        fix.central_pressure = 100.0 * line.positive(9, "pressure", 1100.0);
        fix.ambient_pressure = 100.0 * line.positive(17, "last closed isobar", 1100.0);
        fix.radius_max_wind = base::nautical_mile * line.positive(19, "radius of maximum wind", 1500.0);
        fix.is_tropical = is_tropical(line.text(10));
        take_radii(line, fix);
        append(fixes, fix, line);
    }
    static void take_radii(const TrackLine& line, StormFix& fix) {
        if (line.fields.size() <= 16) return;
        const double threshold = line.positive(11, "threshold", 200.0) * base::knot;
        const auto wind = std::find(radius_winds.begin(), radius_winds.end(), threshold);
        if (wind == radius_winds.end()) return;
        auto& radii = fix.radii[wind - radius_winds.begin()];
        if (line.fields[12] == "AAA") {
            radii.fill(base::nautical_mile * line.positive(13, "radius", 1500.0));
            return;
        }
        // The first of the four, clockwise, is named: "NEQ" nearly always.
        static constexpr std::array<std::string_view, 4> codes = {"NEQ", "SEQ", "SWQ", "NWQ"};
        const auto code = std::find(codes.begin(), codes.end(), line.fields[12]);
        const auto first = code == codes.end() ? 0 : static_cast<std::size_t>(code - codes.begin());
        for (std::size_t i = 0; i < 4; ++i)
            radii[(first + i) % 4] = base::nautical_mile * line.value(13 + i, "radius", 0.0, 1500.0);
        radii = together(radii);
    }
    static base::Instant time(const TrackLine& line) {
        // In forecasts the column is a number of the technique.
        const std::string text = line.text(2), minutes = line.text(4) == "BEST" ? line.text(3) : "";
        std::optional<base::Instant> instant;
        if (text.size() == 10)
            instant = base::parse_instant(fmt::format("{}-{}-{}T{}:{:0>2}", text.substr(0, 4),
                                                      text.substr(4, 2), text.substr(6, 2), text.substr(8, 2),
                                                      minutes.empty() ? "0" : minutes));
        base::require(instant.has_value(), line.where(), "time", text + " " + minutes,
                      "YYYYMMDDHH and minutes");
        return *instant;
    }

    TrackChoice choice_;
    std::vector<StormFix> best_;
    std::map<base::Instant, std::vector<StormFix>> forecasts_;  // by their beginning
    std::set<std::string> techniques_;
};

}  // namespace

std::unique_ptr<TrackForm> atcf_track(const TrackChoice& choice) {
    return std::make_unique<AtcfTrack>(choice);
}

}  // namespace groundswell::sea
