#pragma once

#include <cstdint>

#include "groundswell/quake/acoustic.hpp"
#include "groundswell/quake/device/batch.hpp"

namespace groundswell::quake {

/// As correct.
template <class Equation, class Real, int order>
struct CorrectOnDevice : DeviceBatch<Equation, Real, order> {
    using Base = DeviceBatch<Equation, Real, order>;
    using Base::basis, Base::face_basis, Base::lanes, Base::quantities, Base::width, Base::trace, Base::v;
    using typename Base::Rows, typename Base::Sizes, typename Base::Face;
    static constexpr int waves = Equation::waves;

    static constexpr std::size_t scratch_bytes() {
        return static_cast<std::size_t>(Sizes::corrector) * lanes * sizeof(Real);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t batch = v.first + block.index();
        Real* const entering =
            block.template scratch<Real>(static_cast<std::size_t>(Sizes::corrector) * lanes);
        Real* const here = entering + 4 * Sizes::entering * lanes;
        Real* const beyond = here + (trace + 1) * lanes;
        for (int face = 0; face < 4; ++face) {
            Base::for_each_of_trace(block, [&](int element, int i) {
                const std::int32_t own = Base::own_side(batch, face, element), across = v.beyond[own];
                const int at = element * (trace + 1) + i;
                here[at] = Base::side(own)[i];
                const Real* const side = Base::side(across >= 0 ? across : v.piece - across - 1);
                const bool is_other = (v.other_kind[4 * batch + face] >> element & 1U) != 0;
                beyond[at] = is_other ? of_other_kind(batch, face, element, side, i) : side[i];
            });
            block.sync();
            Base::for_each_row(block, face_basis, [&](int row, int element) {
                const int at = element * (trace + 1) + row * width;
                Real change[waves];
                Equation::entering(Base::face_of(batch, face, element), here + at, beyond + at, change);
                for (int i = 0; i < waves; ++i)
                    entering[((face * face_basis + row) * waves + i) * lanes + element] = change[i];
            });
            block.sync();
        }
        Real* const state = Base::state_of(batch);
        Base::for_each_row(block, basis, [&](int row, int element) {
            Real q[quantities];
            const auto number = [&](int i) { return (row * quantities + i) * lanes + element; };
            for (int i = 0; i < quantities; ++i) q[i] = state[number(i)];
            const auto material = Base::material_of(batch, element);
            for (int face = 0; face < 4; ++face) {
                Real change[waves] = {};
                add_row<waves, lanes>(v.rows, Rows::lift(face) + row,
                                      entering + face * Sizes::entering * lanes + element, change);
                Equation::add_flux(material, Base::face_of(batch, face, element), change, q);
            }
            for (int i = 0; i < quantities; ++i) state[number(i)] = q[i];
        });
    }

private:
    /// Value i of a side of water for rock, or of rock for water.
    constexpr Real of_other_kind(std::int32_t batch, int face, int element, const Real* side, int i) const {
        const Face of_face = Base::face_of(batch, face, element);
        if constexpr (quantities < Elastic::quantities)
            return Acoustic::from_rock(side + 3 * i, of_face.normal);
        // By choice and not by index, which would put the normal on a GPU's stack.
        const Real along = i % 3 == 0   ? of_face.normal[0]
                           : i % 3 == 1 ? of_face.normal[1]
                                        : of_face.normal[2];
        return Acoustic::to_rock(side[i / 3], along);
    }
};

}  // namespace groundswell::quake
