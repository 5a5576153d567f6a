#include <algorithm>

#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

namespace {

// The share of breakers by halving: (1 - Q)/ln Q = -(Hrms/Hm)².
double share_of_breakers(double square) {
    if (square >= 1.0) return 1.0;
    if (square < 0.04) return 0.0;
    double low = 0.0, high = square;  // exp(-(1 - Q)/b²) - Q falls through 0 once below b²
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (std::exp(-(1.0 - middle) / square) > middle ? low : high) = middle;
    }
    return low;
}

}  // namespace

PlainSum breaking(const Plain& p) {
    PlainSum sum = p.nothing();
    const double gamma = p.value("breaking_gamma"), alpha = p.value("breaking_alpha");
    const double highest = gamma * gamma * p.sea.depth * p.sea.depth;
    std::ranges::fill(sum.decay, p.mean_loss([&](double variance) {
        return 0.25 * alpha * share_of_breakers(8.0 * variance / highest) * p.sea.first_moment_frequency *
               highest / variance;
    }));
    return sum;
}

}  // namespace groundswell::sea::plain
