#include "groundswell/base/one_line.hpp"

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

}  // namespace groundswell::base
