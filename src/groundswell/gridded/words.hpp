#pragma once

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>
#include <string_view>

namespace groundswell::gridded {

inline std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// Text without blanks, points, underscores, ^ and *, in lower case.
inline std::string plain_word(std::string_view text) {
    std::string word = lower(text);
    std::erase_if(word, [](char c) { return std::string_view(" ._*^").find(c) != std::string_view::npos; });
    return word;
}

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

/// A name of a file without the group that it stands in.
inline std::string own_name(std::string_view name) {
    return std::string(name.substr(name.rfind('/') + 1));
}

}  // namespace groundswell::gridded
