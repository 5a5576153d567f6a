#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace groundswell::base {

/// The word of `known` nearest to `word` by edit distance; empty when none is near enough to be meant.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace groundswell::base
