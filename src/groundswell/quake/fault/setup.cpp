#include "groundswell/quake/fault/setup.hpp"

#include <cmath>

namespace groundswell::quake {

FaultFrame frame_of(const std::array<double, 3>& n) {
    const double across = std::hypot(n[0], n[1]);
    std::array<double, 3> s{1.0, 0.0, 0.0};
    if (across > 1e-9) s = {n[1] / across, -n[0] / across, 0.0};
    return {n, s, {-s[1] * n[2], s[0] * n[2], s[1] * n[0] - n[1] * s[0]}};
}

}  // namespace groundswell::quake
