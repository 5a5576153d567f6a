#pragma once

#include <fmt/format.h>

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "groundswell/sea/forcing/storm/track.hpp"

/// Shared parts of the readers of tracks: track_csv.cpp, track_atcf.cpp, track_hurdat.cpp.
namespace groundswell::sea {

inline constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// A line of a track, cut at its commas, with its place, so that every refusal can name it. It looks into a text of its
/// reader.
struct TrackLine {
    std::string_view path;
    int number = 0;
    std::vector<std::string_view> fields;

    std::string where() const { return fmt::format("{}:{}", path, number); }
    std::string text(std::size_t index) const {
        return index < fields.size() ? std::string(fields[index]) : std::string();
    }
    /// NaN for an empty field. Refuses what is not a number or out of range.
    double value(std::size_t index, std::string_view name, double low, double high) const;
    /// The same, with 0 for "not known".
    double positive(std::size_t index, std::string_view name, double high) const {
        const double found = value(index, name, 0.0, high);
        return found > 0.0 ? found : not_known;
    }
    /// rad: a number, not negative, and one of the two letters, of which the second turns its sign; `unit`: 1, or 0.1 of tenths of a
    /// degree. `limit`: degrees.
    double coordinate(std::size_t index, std::string_view name, const std::array<char, 2>& letters,
                      double limit, double unit) const;
};

/// Value of four quadrants together: nothing if none has such a wind; one left empty is the mean of the others.
std::array<double, 4> together(std::array<double, 4> quadrants);

/// False for the stages of decks, HURDAT2 and IBTrACS at which a storm is not a tropical or subtropical cyclone: EX, PT, LO, WV,
/// DB, DS.
bool is_tropical(std::string_view stage);

/// Adds a fix, which has to come after the last one.
void append(std::vector<StormFix>& fixes, const StormFix& fix, const TrackLine& line);

/// One storm out of several: `asked` is its number or name in any case, or name and year ("IRENE 2011").
bool is_storm(std::string_view asked, std::string_view number, std::string_view name, std::string_view year);

/// Finds the one storm that is wanted in a file of many.
class StormSearch {
public:
    /// `asked`: as for is_storm(); empty where the file has to have one storm alone.
    explicit StormSearch(std::string asked) : asked_(std::move(asked)) {}
    bool wants_any() const { return asked_.empty(); }
    const std::string& asked() const { return asked_; }

    /// The next storm of the file, told as `label`. `is_asked`: whether it is the one by name or number. True if its fixes are to
    /// be taken.
    bool begin(const std::string& label, bool is_asked);
    /// After the last line: refuses a file in which not exactly one storm is wanted. `number`: what numbers are called there.
    void finish(const std::string& path, std::string_view number) const;

private:
    std::string asked_;
    int storms_ = 0;
    std::vector<std::string> seen_, taken_;  // the first few; those that were asked for
};

/// Reads a form of track.
class TrackForm {
public:
    virtual ~TrackForm() = default;
    virtual void take(const TrackLine& line) = 0;
    /// After the last line; `path` for messages.
    virtual std::vector<StormFix> finish(const std::string& path) = 0;
};

std::unique_ptr<TrackForm> csv_track();
std::unique_ptr<TrackForm> ibtracs_track(const TrackChoice& choice);
std::unique_ptr<TrackForm> atcf_track(const TrackChoice& choice);
std::unique_ptr<TrackForm> hurdat_track(const TrackChoice& choice);

}  // namespace groundswell::sea
