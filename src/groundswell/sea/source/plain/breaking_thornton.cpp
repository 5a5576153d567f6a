#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

PlainSum breaking_thornton(const Plain& p) {
    PlainSum sum = p.nothing();
    const double gamma = p.value("thornton_gamma"), b = p.value("thornton_intensity"), d = p.sea.depth;
    std::ranges::fill(sum.decay, p.mean_loss([&](double variance) {
        const double h = std::sqrt(8.0 * variance);
        const double loss = 3.0 * std::sqrt(base::pi) / 16.0 * std::pow(b, 3) * p.sea.first_moment_frequency *
                            std::pow(h, 5) / (gamma * gamma * std::pow(d, 3)) *
                            (1.0 - std::pow(1.0 + std::pow(h / (gamma * d), 2), -2.5));
        return loss / variance;
    }));
    return sum;
}

}  // namespace groundswell::sea::plain
