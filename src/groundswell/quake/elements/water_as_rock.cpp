#include <algorithm>

#include "groundswell/quake/acoustic.hpp"
#include "groundswell/quake/elements/elements.hpp"

namespace groundswell::quake {

// For kernels that know rock alone; of water the state is put in `room`, where a series begins with it.
template <class Real>
Batch<Real> Elements<Real>::as_rock(std::int32_t index, Real* room) {
    Batch<Real> of = batch(index);
    if (!is_water(index)) return of;
    const auto& l = kernels_.layout;
    for (int k = 0; k < l.basis; ++k) {
        for (int q = 0; q < Elastic::quantities; ++q) {
            Real* const to = room + static_cast<std::size_t>((k * Elastic::quantities + q) * l.lanes);
            const int from = q < Elastic::xy ? 0 : Acoustic::vx + q - Elastic::vx;
            if (q >= Elastic::xy && q < Elastic::vx)
                std::fill_n(to, l.lanes, Real{});
            else
                std::copy_n(of.state + static_cast<std::size_t>((k * Acoustic::quantities + from) * l.lanes),
                            l.lanes, to);
        }
    }
    of.state = room;
    return of;
}

template Batch<float> Elements<float>::as_rock(std::int32_t, float*);
template Batch<double> Elements<double>::as_rock(std::int32_t, double*);

}  // namespace groundswell::quake
