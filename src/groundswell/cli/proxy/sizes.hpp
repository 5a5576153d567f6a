#pragma once

#include <string>
#include <utility>
#include <vector>

namespace groundswell::cli {

/// A number of cells that is to be timed. Of a range A..B it is left out where memory does not suffice; a number that was asked
/// for by itself is refused.
struct ProxySize {
    int cells = 0;
    bool of_range = false;
};

/// "512,20000" or "512..524288", each twice the one before; ascending, each once. base::Refusal for what is neither.
std::vector<ProxySize> read_sizes(const std::vector<std::string>& words);

/// "36x35": directions and frequencies.
std::vector<std::pair<int, int>> read_spectra(const std::vector<std::string>& words);

}  // namespace groundswell::cli
