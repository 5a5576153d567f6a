#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace groundswell::base {

/// The word of `known` nearest to `word` by edit distance; empty when none is near enough to be meant.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

/// The text with control characters and what is no UTF-8 written out (\n, \x1b): a message is one line,
/// whatever stood in a name or value of the user's.
std::string on_one_line(std::string_view text);

/// The same of a text that may be a whole file by mistake: of more than 240 bytes the beginning, and how many
/// there are.
std::string shortened(std::string_view text);

/// The text without these characters at either end.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r");

/// The parts of a text between the marks in it, empty ones too.
std::vector<std::string_view> split(std::string_view text, char mark);

}  // namespace groundswell::base
