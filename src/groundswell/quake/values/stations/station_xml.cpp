#include "groundswell/quake/values/stations/station_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>

#include "groundswell/base/errors.hpp"

// The form: https://docs.fdsn.org/projects/stationxml. Of it only elements and attributes without entities are needed.
namespace groundswell::quake {

namespace {

// One tag, as in <Station code="ABC" …>; `text` is what stands behind it up to the next one.
struct Tag {
    std::string_view name, inside, text;
    bool closes = false;
    int line = 1;
};

// A name without the prefix of its namespace.
std::string_view local(std::string_view name) {
    const std::size_t colon = name.find(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::vector<Tag> tags_of(std::string_view text) {
    std::vector<Tag> tags;
    int line = 1;
    std::size_t counted = 0;
    for (std::size_t at = text.find('<'); at != std::string_view::npos;) {
        const std::string_view rest = text.substr(at);
        const bool is_plain = rest.starts_with("<![CDATA["), is_comment = rest.starts_with("<!--");
        const std::string_view end_mark = is_comment ? "-->" : is_plain ? "]]>" : ">";
        const std::size_t end = text.find(end_mark, at);
        if (end == std::string_view::npos) break;
        const std::size_t next = std::min(text.find('<', end), text.size());
        line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                            text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        counted = at;
        std::string_view inside = text.substr(at + 1, end - at - 1);
        const bool closes = inside.starts_with('/');
        if (closes) inside.remove_prefix(1);
        if (!inside.starts_with('?') && !inside.starts_with('!'))
            tags.push_back({local(inside.substr(0, inside.find_first_of(" \t\r\n/"))), inside,
                            text.substr(end + 1, next - end - 1), closes, line});
        at = next == text.size() ? std::string_view::npos : next;
    }
    return tags;
}

std::string attribute(const Tag& tag, std::string_view name) {
    for (const char quote : {'"', '\''}) {
        const std::string begin = fmt::format(" {}={}", name, quote);
        const std::size_t at = tag.inside.find(begin);
        if (at == std::string_view::npos) continue;
        const std::string_view rest = tag.inside.substr(at + begin.size());
        return std::string(rest.substr(0, rest.find(quote)));
    }
    return "";
}

double number(const std::string& path, const Tag& tag) {
    constexpr std::string_view blank = " \t\r\n";
    std::string_view text = tag.text;
    text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
    text = text.substr(0, text.find_last_not_of(blank) + 1);
    const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    double value = 0.0;
    const char* const end = digits.data() + digits.size();
    const auto [behind, error] = std::from_chars(digits.data(), end, value);
    base::require(error == std::errc{} && behind == end && std::isfinite(value),
                  fmt::format("{}:{}", path, tag.line), tag.name, text, "a number");
    return value;
}

}  // namespace

std::vector<ListedStation> read_station_xml(const std::string& path, const std::string& text) {
    std::vector<ListedStation> stations;
    std::string network;
    ListedStation one;
    std::set<std::string_view> missing;  // of the station that is being read
    const auto refuse_half = [&] {
        base::require(missing.empty(), one.place, one.name, "",
                      "Latitude, Longitude and Elevation of the station before those of its channels");
    };
    const std::vector<Tag> tags = tags_of(text);
    base::require(std::ranges::find(tags, "FDSNStationXML", &Tag::name) != tags.end(), path, "", "",
                  "StationXML (a document FDSNStationXML), as no other XML is read");
    for (const Tag& tag : tags) {
        if (tag.name == "Network" && !tag.closes) network = attribute(tag, "code");
        if (tag.name == "Station" || tag.name == "Channel") refuse_half();
        if (tag.name == "Station" && !tag.closes) {
            const std::string code = attribute(tag, "code");
            one = {network.empty() ? code : fmt::format("{}.{}", network, code),
                   true,
                   0.0,
                   0.0,
                   0.0,
                   0.0,
                   fmt::format("{}:{}", path, tag.line)};
            base::require(!code.empty(), one.place, tag.name, "", "a code of each station");
            missing = {"Latitude", "Longitude", "Elevation"};
        }
        if (tag.closes || missing.erase(tag.name) == 0) continue;
        (tag.name == "Latitude" ? one.north : tag.name == "Longitude" ? one.east : one.z) = number(path, tag);
        const bool is_known = std::ranges::any_of(stations, [&](const ListedStation& other) {
            return other.name == one.name && other.east == one.east && other.north == one.north;
        });
        if (missing.empty() && !is_known) stations.push_back(one);
    }
    refuse_half();
    return stations;
}

}  // namespace groundswell::quake
