#include "groundswell/sea/source/formulas/by_row.hpp"

#include "groundswell/base/constants.hpp"
#include "groundswell/sea/lanes.hpp"

namespace groundswell::sea {

using lanes::Lane, lanes::load;

void find_saturation(const LaneTables& g, const SeaCell& sea, Real* saturation) {
    const int used = round_up(g.directions, lanes::width);
    for (int i = 0; i < g.frequencies; ++i) {
        const Real* const energy = sea.energy + static_cast<std::ptrdiff_t>(i) * g.lanes;
        Lane most{};
        for (int j = 0; j < used; j += lanes::width) most = lanes::maximum(load(energy + j), most);
        const Real k = sea.wave_number[i];
        saturation[i] =
            k * k * k * sea.group_speed[i] * static_cast<Real>(1.0 / base::two_pi) * lanes::largest(most);
    }
}

void add_rates(const LaneTables& g, const SeaCell& sea, const Real* rates, SourceSum& sum) {
    const int used = round_up(g.directions, lanes::width);
    for (int i = 0; i < g.frequencies; ++i) {
        const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(i) * g.lanes;
        const Lane rate = lanes::broadcast(rates[i]);
        for (int j = 0; j < used; j += lanes::width) add_rate(sea, row + j, rate, sum);
    }
}

}  // namespace groundswell::sea
