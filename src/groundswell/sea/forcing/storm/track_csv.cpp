#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"
#include "groundswell/sea/forcing/storm/track_lines.hpp"

namespace groundswell::sea {

namespace {

class CsvTrack final : public TrackForm {
public:
    void take(const TrackLine& line) override {
        if (columns_.empty()) {
            read_header(line);
            for (const char* name : {"time", "lat", "lon", "vmax"}) {
                const std::string key(name);
                const bool present = key == "time"   ? has("time") || has("time_utc")
                                     : key == "vmax" ? has("vmax_kt") || has("vmax_ms")
                                                     : has(key);
                base::require(present, line.where(), "columns",
                              fmt::format("{}", fmt::join(line.fields, ",")),
                              key == "vmax" ? "a column vmax_kt or vmax_ms" : "a column " + key);
            }
            return;
        }
        StormFix fix;
        const bool more = line.fields.size() > width_ &&
                          std::any_of(line.fields.begin() + static_cast<std::ptrdiff_t>(width_),
                                      line.fields.end(), [](auto& f) { return !f.empty(); });
        base::require(line.fields.size() >= named_ && !more, line.where(), "fields",
                      std::to_string(line.fields.size()), fmt::format("{}, one for each column", named_));
        const std::string time = line.text(columns_.at(has("time") ? "time" : "time_utc"));
        const auto instant = base::parse_instant(time);
        base::require(instant.has_value(), line.where(), "time", time, "a date such as 2024-09-03T06:00:00Z");
        fix.time = *instant;
        fix.latitude = required(line, "lat", -90.0, 90.0) * base::degree;
        fix.longitude = required(line, "lon", -180.0, 360.0) * base::degree;
        fix.max_wind = has("vmax_kt") ? required(line, "vmax_kt", 0.0, 250.0) * base::knot
                                      : required(line, "vmax_ms", 0.0, 130.0);
        if (has("stage")) fix.is_tropical = is_tropical(line.text(columns_.at("stage")));
        fix.central_pressure = pressure(line, "pmin_hpa");
        fix.ambient_pressure = pressure(line, "poci_hpa");
        fix.radius_max_wind = radius(line, "rmw");
        for (std::size_t wind = 0; wind < radius_winds.size(); ++wind) {
            const std::string name(winds[wind]);
            fix.radii[wind] = together({quadrant(line, name + "_ne"), quadrant(line, name + "_se"),
                                        quadrant(line, name + "_sw"), quadrant(line, name + "_nw")});
            if (std::isnan(fix.radii[wind][0])) fix.radii[wind].fill(radius(line, name));
        }
        append(fixes_, fix, line);
    }
    std::vector<StormFix> finish(const std::string&) override { return std::move(fixes_); }

private:
    // Columns without a name are left out: many programs end each line with a comma.
    void read_header(const TrackLine& line) {
        width_ = line.fields.size();
        for (std::size_t i = 0; i < width_; ++i) {
            if (line.fields[i].empty()) continue;
            base::require(columns_.emplace(line.text(i), i).second, line.where(), "columns", line.fields[i],
                          "each name once");
            named_ = i + 1;
        }
    }
    bool has(const std::string& name) const { return columns_.count(name) > 0; }
    double required(const TrackLine& line, const std::string& name, double low, double high) const {
        const double value = line.value(columns_.at(name), name, low, high);
        base::require(!std::isnan(value), line.where(), name, "(empty)", "a number");
        return value;
    }
    double pressure(const TrackLine& line, const std::string& name) const {
        return has(name) ? 100.0 * line.positive(columns_.at(name), name, 1100.0) : not_known;
    }
    // 0 is a radius of 0.
    double quadrant(const TrackLine& line, const std::string& name) const {
        if (has(name + "_nm"))
            return base::nautical_mile * line.value(columns_.at(name + "_nm"), name + "_nm", 0.0, 1500.0);
        if (has(name + "_km"))
            return 1000.0 * line.value(columns_.at(name + "_km"), name + "_km", 0.0, 3000.0);
        return not_known;
    }
    // 0 stands for "not known".
    double radius(const TrackLine& line, const std::string& name) const {
        const double value = quadrant(line, name);
        return value > 0.0 ? value : not_known;
    }

    static constexpr std::array<const char*, radius_winds.size()> winds = {"r34", "r50", "r64"};
    std::vector<StormFix> fixes_;
    std::map<std::string, std::size_t> columns_;
    std::size_t width_ = 0;  // fields of the header
    std::size_t named_ = 0;  // of them, up to the last that has a name
};

/// IBTrACS (Knapp et al. 2010, doi 10.1175/2009BAMS2755.1) as it is downloaded: a line of names, a line of units, then one for
/// each storm and time. The columns of the US agencies are used: winds are their 1-minute means.
class IbtracsTrack final : public TrackForm {
public:
    explicit IbtracsTrack(const TrackChoice& choice) : storm_(choice.storm) {}

    void take(const TrackLine& line) override {
        if (column_.empty()) {
            for (std::size_t i = 0; i < line.fields.size(); ++i) column_.emplace(line.text(i), i);
            for (const char* name :
                 {"SID", "SEASON", "NAME", "ISO_TIME", "USA_LAT", "USA_LON", "USA_WIND", "USA_PRES"})
                base::require(column_.contains(name), line.where(), "columns", "IBTrACS",
                              fmt::format("a column {}", name));
            sid_ = column_.at("SID");
            season_ = column_.at("SEASON");
            name_ = column_.at("NAME");
            return;
        }
        const std::string_view sid = field(line, sid_);
        if (sid.empty()) return;  // the line of units
        if (sid != last_sid_) begin_storm(line, sid);
        if (!is_taken_ || line.text(place("TRACK_TYPE")).starts_with("spur")) return;
        StormFix fix;
        fix.latitude = line.value(column_.at("USA_LAT"), "USA_LAT", -90.0, 90.0) * base::degree;
        fix.longitude = line.value(column_.at("USA_LON"), "USA_LON", -180.0, 360.0) * base::degree;
        if (std::isnan(fix.latitude) || std::isnan(fix.longitude)) return;  // another agency's alone
        const std::string time = line.text(column_.at("ISO_TIME"));
        const auto instant = base::parse_instant(time);
        base::require(instant.has_value(), line.where(), "ISO_TIME", time,
                      "a date such as 2024-09-03 06:00:00");
        fix.time = *instant;
        fix.is_tropical = is_tropical(line.text(place("USA_STATUS")));
        fix.max_wind = line.positive(column_.at("USA_WIND"), "USA_WIND", 250.0) * base::knot;
        fix.central_pressure = 100.0 * line.positive(column_.at("USA_PRES"), "USA_PRES", 1100.0);
        fix.ambient_pressure = 100.0 * line.positive(place("USA_POCI"), "USA_POCI", 1100.0);
        fix.radius_max_wind = base::nautical_mile * line.positive(place("USA_RMW"), "USA_RMW", 1500.0);
        for (std::size_t wind = 0; wind < radius_winds.size(); ++wind) {
            std::array<double, 4> radii;
            for (std::size_t q = 0; q < 4; ++q) {
                const std::string name = fmt::format("USA_R{}_{}", winds[wind], quadrants[q]);
                radii[q] = base::nautical_mile * line.value(place(name), name, 0.0, 1500.0);
            }
            fix.radii[wind] = together(radii);
        }
        append(fixes_, fix, line);
    }

    std::vector<StormFix> finish(const std::string& path) override {
        storm_.finish(path, "SID");
        return std::move(fixes_);
    }

private:
    static std::string_view field(const TrackLine& line, std::size_t index) {
        return index < line.fields.size() ? line.fields[index] : std::string_view();
    }
    // A column that is not there is an empty one.
    std::size_t place(const std::string& name) const {
        const auto found = column_.find(name);
        return found == column_.end() ? std::string::npos : found->second;
    }
    void begin_storm(const TrackLine& line, std::string_view sid) {
        last_sid_ = std::string(sid);
        const std::string label = fmt::format("{} {} ({})", field(line, name_), field(line, season_), sid);
        is_taken_ =
            storm_.begin(label, is_storm(storm_.asked(), sid, field(line, name_), field(line, season_)) ||
                                    is_storm(storm_.asked(), line.text(place("USA_ATCF_ID")), "", ""));
    }

    static constexpr std::array<const char*, 3> winds = {"34", "50", "64"};
    static constexpr std::array<const char*, 4> quadrants = {"NE", "SE", "SW", "NW"};
    StormSearch storm_;
    std::map<std::string, std::size_t> column_;
    std::size_t sid_ = 0, season_ = 0, name_ = 0;
    std::string last_sid_;
    bool is_taken_ = false;
    std::vector<StormFix> fixes_;
};

}  // namespace

std::unique_ptr<TrackForm> csv_track() {
    return std::make_unique<CsvTrack>();
}

std::unique_ptr<TrackForm> ibtracs_track(const TrackChoice& choice) {
    return std::make_unique<IbtracsTrack>(choice);
}

}  // namespace groundswell::sea
