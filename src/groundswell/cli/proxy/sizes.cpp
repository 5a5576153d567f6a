#include "groundswell/cli/proxy/sizes.hpp"

#include <algorithm>
#include <optional>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"

namespace groundswell::cli {

namespace {

constexpr int most_cells = 20'000'000;

}  // namespace

std::vector<ProxySize> read_sizes(const std::vector<std::string>& words) {
    std::vector<ProxySize> sizes;
    for (const std::string& word : words) {
        const std::size_t dots = word.find("..");
        const bool is_range = dots != std::string::npos;
        const std::optional<int> first = base::parse_number<int>(std::string_view(word).substr(0, dots));
        const std::optional<int> last =
            is_range ? base::parse_number<int>(std::string_view(word).substr(dots + 2)) : first;
        base::require(first && last && 1 <= *first && *first <= *last && *last <= most_cells, "command line",
                      "--cells", word,
                      "numbers of cells from 1 to 20000000, or a range of doublings such as 512..524288");
        for (std::int64_t cells = *first; cells <= *last; cells *= 2)
            sizes.push_back({static_cast<int>(cells), is_range});
    }
    std::ranges::stable_sort(sizes, {}, &ProxySize::cells);
    const auto [begin, end] = std::ranges::unique(sizes, {}, &ProxySize::cells);
    sizes.erase(begin, end);
    return sizes;
}

std::vector<std::pair<int, int>> read_spectra(const std::vector<std::string>& words) {
    std::vector<std::pair<int, int>> spectra;
    for (const std::string& word : words) {
        const std::size_t cross = std::min(word.find('x'), word.size());
        const std::optional<int> directions =
            base::parse_number<int>(std::string_view(word).substr(0, cross));
        const std::optional<int> frequencies =
            base::parse_number<int>(std::string_view(word).substr(std::min(cross + 1, word.size())));
        base::require(directions && frequencies && 4 <= *directions && *directions <= 720 &&
                          3 <= *frequencies && *frequencies <= 200,
                      "command line", "--spectra", word,
                      "DIRECTIONSxFREQUENCIES, 4 to 720 and 3 to 200, such as 36x35");
        spectra.emplace_back(*directions, *frequencies);
    }
    return spectra;
}

}  // namespace groundswell::cli
