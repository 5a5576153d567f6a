#include <algorithm>

#include "groundswell/sea/source/plain/plain_term.hpp"

namespace groundswell::sea::plain {

namespace {

PlainSum bottom_friction_of(const Plain& p) {
    PlainSum sum = p.nothing();
    const double strength = p.value("bottom_friction");
    for (int i = 0; i < p.g.frequencies; ++i) {
        const double k = p.sea.wave_number[i];
        sum.decay[i] = 2.0 * strength / base::gravity * k / std::sinh(std::min(2.0 * k * p.sea.depth, 700.0));
    }
    return sum;
}

}  // namespace

PlainTerm bottom_friction() {
    return {"bottom_friction", &bottom_friction_of};
}

}  // namespace groundswell::sea::plain
