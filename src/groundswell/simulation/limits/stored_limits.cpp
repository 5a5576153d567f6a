#include "groundswell/simulation/limits/stored_limits.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

namespace groundswell::simulation {

namespace {

using nlohmann::json;

constexpr int schema = 1;

json to_json(const StoredLimits& limits) {
    return {{"host", limits.host},
            {"processor", limits.processor},
            {"isa", limits.isa},
            {"threads", limits.threads},
            {"stream_gigabytes_per_second", limits.stream_gigabytes_per_second},
            {"peak_gflops_float", limits.peak_gflops_float},
            {"peak_gflops_double", limits.peak_gflops_double},
            {"measured", limits.measured}};
}

// Throws what json throws for something else.
StoredLimits from_json(const json& entry) {
    StoredLimits limits{entry.at("host"),
                        entry.at("processor"),
                        entry.at("isa"),
                        entry.at("threads"),
                        entry.at("stream_gigabytes_per_second"),
                        entry.at("peak_gflops_float"),
                        entry.at("peak_gflops_double"),
                        entry.at("measured")};
    return limits;
}

bool is_sound(const StoredLimits& limits) {
    const double all[] = {limits.stream_gigabytes_per_second, limits.peak_gflops_float,
                          limits.peak_gflops_double};
    return std::ranges::all_of(all, [](double value) { return std::isfinite(value) && value > 0.0; });
}

}  // namespace

std::string limits_path(const std::function<std::string(const char*)>& variable) {
    if (const std::string named = variable("GROUNDSWELL_LIMITS"); !named.empty()) return named;
    // Relative paths are to be ignored (XDG Base Directory Specification).
    const std::string cache = variable("XDG_CACHE_HOME"), home = variable("HOME");
    if (cache.starts_with('/')) return cache + "/groundswell/limits.json";
    return home.starts_with('/') ? home + "/.cache/groundswell/limits.json" : std::string();
}

std::string limits_path() {
    return limits_path([](const char* name) {
        const char* const value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    });
}

std::vector<StoredLimits> limits_in(const std::string& text) {
    std::vector<StoredLimits> all;
    const json content = json::parse(text, nullptr, false);
    if (!content.is_object() || content.value("schema", json()) != schema || !content.contains("limits"))
        return all;
    for (const json& entry : content["limits"]) {
        try {
            if (const StoredLimits limits = from_json(entry); is_sound(limits)) all.push_back(limits);
        } catch (const json::exception&) {
            continue;  // somebody else's; the others may do
        }
    }
    return all;
}

std::string text_of(const std::vector<StoredLimits>& limits) {
    json list = json::array();
    for (const StoredLimits& one : limits) list.push_back(to_json(one));
    return json{{"schema", schema}, {"limits", list}}.dump(1) + "\n";
}

std::vector<StoredLimits> read_limits(const std::string& path) {
    const std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();  // unlike an iterator, says nothing of a path that is a folder
    return limits_in(text.str());
}

std::optional<StoredLimits> find_limits(const std::vector<StoredLimits>& stored, const StoredLimits& wanted,
                                        std::int64_t now) {
    for (const StoredLimits& one : stored) {
        const bool is_it = one.host == wanted.host && one.processor == wanted.processor &&
                           one.isa == wanted.isa && one.threads == wanted.threads;
        const std::int64_t age = now - one.measured;
        if (is_it && age >= -86400 && age <= longest_age_of_limits) return one;  // clocks differ a little
    }
    return std::nullopt;
}

std::string store_limits(const std::string& path, const std::vector<StoredLimits>& more) {
    if (path.empty()) return "neither XDG_CACHE_HOME nor HOME names a folder";
    std::vector<StoredLimits> all = read_limits(path);
    for (const StoredLimits& one : more) {
        std::erase_if(all, [&](const StoredLimits& old) {
            const bool same = old.isa == one.isa && old.threads == one.threads;
            return old.host == one.host && (same || old.processor != one.processor);
        });
        all.push_back(one);
    }
    // A name of its own: another doctor may be at work.
    const std::string part =
        fmt::format("{}.{}-{}.part", path, more.empty() ? "" : more.front().host, ::getpid());
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) return error.message();
    {
        std::ofstream file(part);
        file << text_of(all);
        file.close();
        if (!file) error = std::make_error_code(std::errc::io_error);
    }
    if (!error) std::filesystem::rename(part, path, error);
    if (!error) return {};
    const std::string why = error.message();
    std::filesystem::remove(part, error);
    return why;
}

}  // namespace groundswell::simulation
