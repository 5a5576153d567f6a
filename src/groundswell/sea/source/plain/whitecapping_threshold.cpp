#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

PlainSum whitecapping_threshold(const Plain& p) {
    PlainSum sum = p.nothing();
    std::vector<double> excess(static_cast<std::size_t>(p.g.frequencies));
    for (int i = 0; i < p.g.frequencies; ++i) {
        const double k = p.sea.wave_number[i];
        const double threshold = base::two_pi * std::pow(p.value("threshold_steepness"), 2) /
                                 (p.sea.group_speed[i] * std::pow(k, 3));
        excess[i] = std::max(p.row_energy(i) / threshold - 1.0, 0.0);
    }
    p.for_each_bin([&](int i, int j) {
        double longer = 0.0;
        for (int m = 0; m <= i; ++m)
            longer += std::pow(excess[m], p.value("threshold_cumulative_power")) * p.g.width[m] / 2.0;
        const double rate = p.value("threshold_breaking") * p.g.frequency[i] *
                                std::pow(excess[i], p.value("threshold_power")) +
                            p.value("threshold_cumulative") * longer;
        sum.source[p.bin(i, j)] = -rate * p.energy(i, j);
    });
    return sum;
}

}  // namespace groundswell::sea::plain
