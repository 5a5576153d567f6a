#include "groundswell/quake/source/point/point_source.hpp"

#include <cmath>

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

}  // namespace groundswell::quake
