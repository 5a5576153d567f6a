#include "groundswell/quake/source/point/point_source.hpp"

#include "groundswell/parallel/reduce.hpp"

namespace groundswell::quake {

std::array<double, 6> double_couple(double moment, double strike, double dip, double rake) {
    const double north_north = -(std::sin(dip) * std::cos(rake) * std::sin(2.0 * strike) +
                                 std::sin(2.0 * dip) * std::sin(rake) * std::pow(std::sin(strike), 2));
    const double north_east = std::sin(dip) * std::cos(rake) * std::cos(2.0 * strike) +
                              0.5 * std::sin(2.0 * dip) * std::sin(rake) * std::sin(2.0 * strike);
    const double north_down = -(std::cos(dip) * std::cos(rake) * std::cos(strike) +
                                std::cos(2.0 * dip) * std::sin(rake) * std::sin(strike));
    const double east_east = std::sin(dip) * std::cos(rake) * std::sin(2.0 * strike) -
                             std::sin(2.0 * dip) * std::sin(rake) * std::pow(std::cos(strike), 2);
    const double east_down = -(std::cos(dip) * std::cos(rake) * std::sin(strike) -
                               std::cos(2.0 * dip) * std::sin(rake) * std::cos(strike));
    const double down_down = std::sin(2.0 * dip) * std::sin(rake);
    return {moment * east_east,  moment * north_north, moment * down_down,
            moment * north_east, -moment * north_down, -moment * east_down};
}

double scalar_moment(const std::array<double, 6>& m) {
    const double squares =
        m[0] * m[0] + m[1] * m[1] + m[2] * m[2] + 2.0 * (m[3] * m[3] + m[4] * m[4] + m[5] * m[5]);
    return std::sqrt(0.5 * squares);
}

double moment_magnitude(double scalar_moment) {
    return 2.0 / 3.0 * (std::log10(scalar_moment) - 9.05);
}

void SourceTally::add(std::span<const PointSource> sources) {
    constexpr double twice[6] = {1.0, 1.0, 1.0, 2.0, 2.0, 2.0};
    std::array<double, 6> tensor{}, over_time{};
    for (const PointSource& source : sources) {
        for (int i = 0; i < 6; ++i) {
            tensor[i] += source.rate->whole() * source.moment[i];
            over_time[i] += source.rate->first_moment() * source.moment[i];
        }
    }
    const double moment = scalar_moment(tensor);
    ++count_;
    if (moment == 0.0) return;
    sums_[0].add(moment);
    for (int j = 0; j < 3; ++j) sums_[1 + j].add(moment * sources.front().place[j]);
    // The part of it that goes the way of the whole.
    double along = 0.0;
    for (int i = 0; i < 6; ++i) along += twice[i] * tensor[i] * over_time[i];
    sums_[4].add(0.5 * along / moment);
    for (int i = 0; i < 6; ++i) sums_[5 + i].add(tensor[i]);
}

SourceTotals SourceTally::total(MPI_Comm comm) {
    SourceTotals totals;
    totals.count = parallel::sum(comm, count_);
    const auto sums = parallel::sum(comm, sums_);
    totals.moment = sums[0];
    for (int i = 0; i < 6; ++i) totals.tensor[i] = sums[5 + i];
    if (totals.moment == 0.0) return totals;
    for (int j = 0; j < 3; ++j) totals.centroid[j] = sums[1 + j] / totals.moment;
    totals.centroid_time = sums[4] / totals.moment;
    return totals;
}

}  // namespace groundswell::quake
