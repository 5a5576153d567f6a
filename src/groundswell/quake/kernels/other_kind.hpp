#pragma once

#include <cstdint>

#include "groundswell/quake/acoustic.hpp"

namespace groundswell::quake {

/// Where rock and water meet: rock makes traction and velocity of what water beyond tells, water takes of those what goes along
/// the normal. Writes the `used` numbers of the lanes that have a bit in `which`, lane by lane, to `beyond` [number][lane]; side(lane) is
/// what the other one tells. By itself, for few faces need it.
template <bool to_water, int used, int lanes, class Face, class Side, class Real>
__attribute__((noinline)) void take_other_kind(std::uint32_t which, const Face& face, const Side& side,
                                               Real* beyond) {
    for (int lane = 0; lane < lanes; ++lane) {
        if ((which >> lane & 1U) == 0) continue;
        const Real* const from = side(lane);
        Real normal[3];
        for (int i = 0; i < 3; ++i) normal[i] = reinterpret_cast<const Real*>(&face.normal[i])[lane];
        for (int i = 0; i < used; ++i) {
            Real& to = beyond[i * lanes + lane];
            if constexpr (to_water)
                to = Acoustic::from_rock(from + 3 * i, normal);
            else
                to = Acoustic::to_rock(from[i / 3], normal[i % 3]);
        }
    }
}

}  // namespace groundswell::quake
