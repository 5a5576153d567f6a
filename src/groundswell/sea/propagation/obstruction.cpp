#include "groundswell/sea/propagation/obstruction.hpp"

#include <cmath>

#include "groundswell/base/constants.hpp"

namespace groundswell::sea {

double Obstruction::at(std::int32_t r, double towards) const {
    const double place = towards / base::two_pi * directions;
    const double below = std::floor(place), part = place - below;
    const auto share = [&](double j) {
        const auto i = static_cast<int>(j) % directions;
        return static_cast<double>(transparency[static_cast<std::size_t>(r) * directions +
                                                static_cast<std::size_t>(i < 0 ? i + directions : i)]);
    };
    return (1.0 - part) * share(below) + part * share(below + 1.0);
}

}  // namespace groundswell::sea
