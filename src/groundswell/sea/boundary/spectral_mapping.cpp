#include "groundswell/sea/boundary/spectral_mapping.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

namespace {

constexpr double same_frequency = 2e-4;  // relative: files have seven digits at most
constexpr double same_direction = 1e-4;  // rad

// ∫ of a function that is linear between nodes a and b over [low, high], as weights of its values there.
std::pair<double, double> linear_integral(double a, double b, double low, double high) {
    const double l = std::max(low, a), h = std::min(high, b);
    if (h <= l) return {0.0, 0.0};
    const double of_b = (h - l) * (0.5 * (l + h) - a) / (b - a);
    return {h - l - of_b, of_b};
}

// ∫ (f/last)⁻⁵ df over [low, high] beyond `last`.
double tail_integral(double last, double low, double high) {
    const double l = std::max(low, last), h = std::max(high, last);
    return 0.25 * last * (std::pow(l / last, -4.0) - std::pow(h / last, -4.0));
}

}  // namespace

SpectralMapping::SpectralMapping(const SpectralGrid& grid, std::vector<double> frequency,
                                 std::vector<double> direction)
    : grid_(grid), frequency_(std::move(frequency)), direction_(std::move(direction)) {
    GS_ASSERT(frequency_.size() >= 2 && direction_.size() >= 4 && std::ranges::is_sorted(frequency_));
    if (!take_directions_as_they_are()) fill_directions();
    if (!take_frequencies_as_they_are()) fill_frequencies();
    const std::size_t n = frequency_.size();
    weight_.assign(n, 0.0);
    for (std::size_t s = 0; s + 1 < n; ++s) {
        weight_[s] += 0.5 * (frequency_[s + 1] - frequency_[s]);
        weight_[s + 1] += 0.5 * (frequency_[s + 1] - frequency_[s]);
    }
    weight_.back() += 0.25 * frequency_.back();
    lost_ = weight_;
    for (int i = 0; i < grid_.frequencies; ++i) {
        const double tail = i + 1 == grid_.frequencies ? 0.25 * grid_.frequency.back() : 0.0;
        for (const Term& term : of_frequency_[i])
            lost_[term.node] -= term.weight * (grid_.frequency_width[i] + tail);
    }
}

// The nodes of the file are a stretch of the model's frequencies, or these a stretch of them: its rule for integrals is ours.
bool SpectralMapping::take_frequencies_as_they_are() {
    const int nodes = static_cast<int>(frequency_.size());
    const double place = std::log(frequency_.front() / grid_.first_frequency) / std::log(grid_.ratio);
    const int first = static_cast<int>(std::lround(place));
    for (int s = 0; s < nodes; ++s) {
        const double ours = grid_.first_frequency * std::pow(grid_.ratio, first + s);
        if (std::abs(frequency_[s] / ours - 1.0) > same_frequency) return false;
    }
    for (int i = 0; i < grid_.frequencies; ++i) {
        const int node = i - first;
        Terms terms;
        if (node >= 0 && node < nodes) terms.push_back({node, 1.0});
        if (node >= nodes)
            terms.push_back({nodes - 1, std::pow(grid_.frequency[i] / frequency_.back(), -5.0)});
        of_frequency_.push_back(terms);
    }
    return true;
}

bool SpectralMapping::take_directions_as_they_are() {
    if (std::cmp_not_equal(direction_.size(), grid_.directions)) return false;
    std::vector<Terms> found(direction_.size());
    for (int node = 0; std::cmp_less(node, direction_.size()); ++node) {
        const double place = direction_[node] / grid_.direction_width;
        const double nearest = std::round(place);
        if (std::abs(place - nearest) * grid_.direction_width > same_direction) return false;
        const int bin = static_cast<int>(nearest) % grid_.directions;
        found[bin < 0 ? bin + grid_.directions : bin].push_back({node, 1.0});
    }
    if (std::ranges::any_of(found, [](const Terms& terms) { return terms.size() != 1; })) return false;
    of_direction_ = std::move(found);
    return true;
}

void SpectralMapping::fill_frequencies() {
    const std::size_t nodes = frequency_.size();
    const double last = frequency_.back(), end = grid_.frequency.back();
    const auto between = [&](int i) { return 0.5 * (grid_.frequency[i] + grid_.frequency[i + 1]); };
    for (int i = 0; i < grid_.frequencies; ++i) {
        const double low = i > 0 ? between(i - 1) : grid_.frequency[i];
        const double high = i + 1 < grid_.frequencies ? between(i) : end;
        std::vector<double> sum(nodes, 0.0);
        for (std::size_t s = 0; s + 1 < nodes; ++s) {
            const auto [here, above] = linear_integral(frequency_[s], frequency_[s + 1], low, high);
            sum[s] += here;
            sum[s + 1] += above;
        }
        sum.back() += tail_integral(last, low, high);
        double width = grid_.frequency_width[i];
        if (i + 1 == grid_.frequencies) {
            // With what the tail beyond takes, from the value at the last frequency.
            const double tail = 0.25 * end;
            width += tail;
            const auto above = std::ranges::upper_bound(frequency_, end);
            if (above == frequency_.end()) {
                sum.back() += tail * std::pow(end / last, -5.0);
            } else if (above != frequency_.begin()) {
                const auto s = static_cast<std::size_t>(above - frequency_.begin());
                const double part = (end - frequency_[s - 1]) / (frequency_[s] - frequency_[s - 1]);
                sum[s - 1] += tail * (1.0 - part);
                sum[s] += tail * part;
            }
        }
        Terms terms;
        for (std::size_t s = 0; s < nodes; ++s)
            if (sum[s] != 0.0) terms.push_back({static_cast<int>(s), sum[s] / width});
        of_frequency_.push_back(terms);
    }
}

void SpectralMapping::fill_directions() {
    const auto nodes = static_cast<int>(direction_.size());
    std::vector<int> order(direction_.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<double> angle;
    for (const double direction : direction_)
        angle.push_back(direction - base::two_pi * std::floor(direction / base::two_pi));
    std::ranges::sort(order, {}, [&](int node) { return angle[node]; });
    for (int j = 0; j < grid_.directions; ++j) {
        const double low = grid_.direction[j] - 0.5 * grid_.direction_width;
        const double high = low + grid_.direction_width;
        std::vector<double> sum(direction_.size(), 0.0);
        for (int s = 0; s < nodes; ++s) {
            const int here = order[s], above = order[(s + 1) % nodes];
            for (const int turn : {-1, 0, 1}) {
                const double a = angle[here] + turn * base::two_pi;
                const double b = angle[above] + (turn + (s + 1 == nodes ? 1 : 0)) * base::two_pi;
                const auto [of_here, of_above] = linear_integral(a, b, low, high);
                sum[here] += of_here;
                sum[above] += of_above;
            }
        }
        Terms terms;
        for (int s = 0; s < nodes; ++s)
            if (sum[s] != 0.0) terms.push_back({s, sum[s] / grid_.direction_width});
        of_direction_.push_back(terms);
    }
}

void SpectralMapping::map(std::span<const double> density, Real* action) const {
    const std::size_t directions = direction_.size();
    std::vector<double> row(directions);
    for (int i = 0; i < grid_.frequencies; ++i) {
        std::ranges::fill(row, 0.0);
        for (const Term& term : of_frequency_[i]) {
            const double* const there = density.data() + static_cast<std::size_t>(term.node) * directions;
            for (std::size_t d = 0; d < directions; ++d) row[d] += term.weight * there[d];
        }
        for (int j = 0; j < grid_.directions; ++j) {
            double sum = 0.0;
            for (const Term& term : of_direction_[j]) sum += term.weight * row[term.node];
            action[grid_.index(i, j)] = static_cast<Real>(sum / grid_.sigma[i]);
        }
    }
}

std::vector<double> SpectralMapping::over_frequency(std::span<const double> density) const {
    const std::size_t directions = direction_.size();
    std::vector<double> sums;
    for (std::size_t s = 0; s < frequency_.size(); ++s) {
        const auto row = density.subspan(s * directions, directions);
        sums.push_back(std::accumulate(row.begin(), row.end(), 0.0) * base::two_pi /
                       static_cast<double>(directions));
    }
    return sums;
}

double SpectralMapping::variance(std::span<const double> density) const {
    const std::vector<double> sums = over_frequency(density);
    return std::inner_product(sums.begin(), sums.end(), weight_.begin(), 0.0);
}

double SpectralMapping::lost_share(std::span<const double> density) const {
    const double all = variance(density);
    const std::vector<double> sums = over_frequency(density);
    return all > 0.0 ? std::inner_product(sums.begin(), sums.end(), lost_.begin(), 0.0) / all : 0.0;
}

}  // namespace groundswell::sea
