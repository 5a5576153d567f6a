#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace groundswell::gridded {

inline std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// A name of a file without the group that it stands in.
inline std::string own_name(std::string_view name) {
    return std::string(name.substr(name.rfind('/') + 1));
}

}  // namespace groundswell::gridded
