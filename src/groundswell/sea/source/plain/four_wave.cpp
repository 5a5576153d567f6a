#include <algorithm>

#include "groundswell/sea/source/formulas/shallow_water.hpp"
#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

namespace {

// Bins around a place between frequencies and directions, and their weights.
struct Corner {
    int i, j;
    double weight;
};
std::vector<Corner> corners(const Plain& p, int i, int j, double factor, double turn) {
    const double r = p.g.ratio;
    const int row = i + static_cast<int>(std::floor(std::log(factor) / std::log(r) + 1e-9));
    const double low = std::pow(r, row - i), part = (factor - low) / (low * r - low);
    const double place = turn * p.g.directions / base::two_pi;
    const int column = static_cast<int>(std::floor(place));
    const double side = place - column;
    return {{row, j + column, (1 - part) * (1 - side)},
            {row, j + column + 1, (1 - part) * side},
            {row + 1, j + column, part * (1 - side)},
            {row + 1, j + column + 1, part * side}};
}

}  // namespace

// Every bin gives to those that it interacts with.
PlainSum four_wave(const Plain& p) {
    PlainSum sum = p.nothing();
    const int last = p.g.frequencies - 1;
    const double lambda = p.value("four_wave_lambda"), above = 1.0 + lambda, below = 1.0 - lambda;
    const double cubic = 2.0 * lambda * lambda * lambda;
    const double to_plus = std::acos((1.0 + 2.0 * lambda + cubic) / (above * above));
    const double to_minus = std::acos((1.0 - 2.0 * lambda - cubic) / (below * below));
    const double strength = p.value("four_wave") / std::pow(base::gravity, 4) *
                            four_wave_depth_factor(p.sea.mean_wave_number, p.sea.depth);
    const auto spectrum = [&](int i, int j) {
        return i < 0 ? 0.0 : p.energy(std::min(i, last), j) * std::pow(p.g.ratio, -5 * std::max(i - last, 0));
    };
    const auto mean = [&](const std::vector<Corner>& all) {
        double value = 0.0;
        for (const Corner& c : all) value += c.weight * spectrum(c.i, c.j);
        return value;
    };
    const auto give = [&](int i, int j, double amount) {
        if (i >= 0 && i <= last) sum.source[p.bin(i, j)] += amount;
    };
    // Frequencies beyond the last give too, as far as they reach down into the grid.
    const int beyond = static_cast<int>(std::ceil(-std::log(below) / std::log(p.g.ratio))) + 1;
    for (int i = 0; i <= last + beyond; ++i) {
        const double f11 = std::pow(p.g.frequency[0] * std::pow(p.g.ratio, i), 11);
        for (int j = 0; j < p.g.directions; ++j) {
            for (const double mirror : {1.0, -1.0}) {
                const auto plus = corners(p, i, j, above, -mirror * to_plus);
                const auto minus = corners(p, i, j, below, mirror * to_minus);
                const double e = spectrum(i, j), e_plus = mean(plus), e_minus = mean(minus);
                const double moved = strength * f11 *
                                     (e * e * (e_plus / std::pow(above, 4) + e_minus / std::pow(below, 4)) -
                                      2.0 * e * e_plus * e_minus / std::pow(1.0 - lambda * lambda, 4));
                give(i, j, -2.0 * moved);
                for (const auto* side : {&plus, &minus})
                    for (const Corner& c : *side) give(c.i, c.j, c.weight * moved);
            }
        }
    }
    return sum;
}

}  // namespace groundswell::sea::plain
