#include <algorithm>

#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

PlainSum bottom_friction(const Plain& p) {
    PlainSum sum = p.nothing();
    const double strength = p.value("bottom_friction");
    for (int i = 0; i < p.g.frequencies; ++i) {
        const double k = p.sea.wave_number[i];
        sum.decay[i] = 2.0 * strength / base::gravity * k / std::sinh(std::min(2.0 * k * p.sea.depth, 700.0));
    }
    return sum;
}

}  // namespace groundswell::sea::plain
