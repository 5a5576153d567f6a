#include "groundswell/base/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace groundswell::base {

namespace {

// Bytes of the UTF-8 character that `text` begins with; 0 where it begins with none.
std::size_t character_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) return 0;
    return length;
}

}  // namespace

std::string on_one_line(std::string_view text) {
    std::string line;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const auto code = static_cast<unsigned char>(text.front());
        if (text.front() == '\n')
            line += "\\n";
        else if (length == 0 || code < 0x20 || code == 0x7F)
            line += fmt::format("\\x{:02x}", code);
        else
            line += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(1, length));
    }
    return line;
}

std::string shortened(std::string_view text) {
    constexpr std::size_t longest = 240;
    std::size_t end = 0;
    while (end < text.size() && end < longest)
        end += std::max<std::size_t>(1, character_length(text.substr(end)));
    if (end == text.size()) return on_one_line(text);
    return fmt::format("{}… ({} bytes)", on_one_line(text.substr(0, end)), text.size());
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char mark) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find(mark);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
    std::string best;
    // Two letters are most of a word of three: `ice` is not nearly `time`.
    std::size_t best_distance = (word.size() <= 3 ? 1 : std::max<std::size_t>(2, word.size() / 3)) + 1;
    for (const std::string& candidate : known) {
        // Levenshtein distance, one row at a time.
        std::vector<std::size_t> row(candidate.size() + 1);
        for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
        for (std::size_t i = 1; i <= word.size(); ++i) {
            std::size_t diagonal = row[0];
            row[0] = i;
            for (std::size_t j = 1; j < row.size(); ++j) {
                const std::size_t substituted = diagonal + (word[i - 1] == candidate[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
            }
        }
        if (row.back() < best_distance) {
            best_distance = row.back();
            best = candidate;
        }
    }
    return best;
}

}  // namespace groundswell::base
