#include "groundswell/simulation/run/remembered_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <span>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/checksum.hpp"

namespace groundswell::simulation {

namespace {

// Bytes that are read of all files of a key together: winds come in hundreds of files, and a run is to begin.
constexpr std::int64_t longest_read = std::int64_t{64} << 20, piece = std::int64_t{1} << 16;
constexpr std::size_t longest_shown = 100;

// Keys of every case that have no bearing on what is computed, or only on how long the run is.
constexpr std::array<std::string_view, 9> harmless{"title",          "output",       "run",
                                                   "halo",           "time.end",     "mesh.partition",
                                                   "mesh.part_file", "mesh.mapping", "mesh.imbalance"};

constexpr std::array<std::string_view, 2> of_every_state{"model", "time.start"};

bool lies_in(std::string_view key, std::string_view section) {
    return key.starts_with(section) &&
           (key.size() == section.size() || key[section.size()] == '.' || key[section.size()] == '[');
}

std::uint64_t digest_of(std::int64_t number, std::span<const char> bytes) {
    const auto size = static_cast<std::int64_t>(bytes.size());
    return output::rows_checksum(number, std::as_bytes(bytes), std::max<std::int64_t>(size, 1));
}

// Digest of all bytes, or, for a file longer than `longest`, of evenly spaced pieces, at least two.
std::string digest_of_file(const std::string& path, std::int64_t longest) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) return "not there";
    const auto size = static_cast<std::int64_t>(file.tellg());
    const std::int64_t pieces = (std::min(size, longest) + piece - 1) / piece;
    std::uint64_t sum = 0;
    std::vector<char> bytes;
    for (std::int64_t i = 0; i < pieces; ++i) {
        const bool whole = size <= longest;
        const std::int64_t begin = whole ? i * piece : (size - piece) / (pieces - 1) * i;
        const std::int64_t first = !whole && i == pieces - 1 ? size - piece : begin;
        bytes.resize(static_cast<std::size_t>(std::min(piece, size - first)));
        file.seekg(first);
        file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        sum += digest_of(i, bytes);
    }
    return fmt::format("{} bytes, digest {:016x}", size, sum);
}

// A value on one line, of bounded length; what is longer is known by its digest.
std::string on_one_line(const std::string& value) {
    const bool plain = std::ranges::none_of(value, [](char c) { return c >= 0 && c < ' '; });
    if (plain && value.size() <= longest_shown) return value;
    return fmt::format("{} characters, digest {:016x}", value.size(), digest_of(0, value));
}

// [key]: what is compared, and what people are told.
struct Remembered {
    std::string compared, shown;
};

std::map<std::string, Remembered> parse(const std::string& text) {
    std::map<std::string, Remembered> found;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t first = line.find('\t'), last = line.rfind('\t');
        if (first == std::string::npos || first == last) continue;
        const std::string digest = line.substr(last + 1), value = line.substr(first + 1, last - first - 1);
        found[line.substr(0, first)] = {digest.empty() ? value : digest,
                                        digest.empty() ? value : fmt::format("{} ({})", value, digest)};
    }
    return found;
}

}  // namespace

Effect effect_of(std::string_view key, const std::vector<std::string>& of_state) {
    std::size_t longest = 0;
    Effect effect = Effect::told;
    const auto look_in = [&](std::string_view section, Effect its) {
        if (!lies_in(key, section) || section.size() < longest) return;
        longest = section.size();
        effect = its;
    };
    for (const std::string_view section : harmless) look_in(section, Effect::harmless);
    for (const std::string_view section : of_every_state) look_in(section, Effect::refused);
    for (const std::string& section : of_state) look_in(section, Effect::refused);
    return effect;
}

std::string remember_inputs(const std::vector<Setting>& settings, const std::vector<std::string>& of_state) {
    std::string text;
    for (const Setting& setting : settings) {
        if (effect_of(setting.key, of_state) == Effect::harmless) continue;
        const auto files = static_cast<std::int64_t>(setting.files.size());
        const std::int64_t longest = std::max(longest_read / std::max<std::int64_t>(files, 1), 2 * piece);
        std::string digest;
        for (const std::string& file : setting.files)
            digest += (digest.empty() ? "" : "; ") + digest_of_file(file, longest);
        text += fmt::format("{}\t{}\t{}\n", setting.key, on_one_line(setting.value), on_one_line(digest));
    }
    return text;
}

std::vector<std::string> compare_inputs(const std::string& here, const std::string& there,
                                        const std::vector<std::string>& of_state,
                                        const std::string& case_file, const std::string& restart_file) {
    const auto mine = parse(here), theirs = parse(there);
    std::map<std::string, std::pair<std::string, std::string>> differences;
    const std::string none = "not given, or its default";
    for (const auto& [key, value] : mine) {
        const auto other = theirs.find(key);
        if (other == theirs.end())
            differences[key] = {value.shown, none};
        else if (other->second.compared != value.compared)
            differences[key] = {value.shown, other->second.shown};
    }
    for (const auto& [key, value] : theirs)
        if (!mine.contains(key)) differences[key] = {none, value.shown};
    std::vector<std::string> told;
    for (const auto& [key, values] : differences) {
        const auto& [now, before] = values;
        base::require(effect_of(key, of_state) != Effect::refused, case_file, key, now,
                      fmt::format("{}, as in the run that wrote {}: the state in it depends on this", before,
                                  restart_file));
        told.push_back(fmt::format("{} = {}, before {}", key, now, before));
    }
    return told;
}

}  // namespace groundswell::simulation
