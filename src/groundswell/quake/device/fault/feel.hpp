#pragma once

#include <cstdint>
#include <span>

/// The way of what friction leaves to the elements at a fault, one block for a batch of faces.
namespace groundswell::quake {

/// As Fault::write_beyond.
template <class Real>
struct FeelFaultOnDevice {
    std::span<const double> traction;    ///< see FaultView
    std::span<const double> turned;      ///< [turn][basis][basis], see FaultRule::turned
    std::span<const std::int32_t> turn;  ///< [batch][face]
    std::span<const std::int32_t> own,
        beyond;  ///< [batch][+, −][face] sides of elements; -1: of another rank
    std::span<Real> sides;
    std::int32_t first = 0;  ///< batch of the first block
    int faces = 1, basis = 0;
    int values = 0;  ///< of a side

    constexpr void arrays(const auto& visit) const {
        visit(traction);
        visit(turned);
        visit(turn);
        visit(own);
        visit(beyond);
        visit(sides);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t batch = first + block.index();
        const double* const of_batch = traction.data() + static_cast<std::size_t>(batch) * 3 * basis * faces;
        block.lanes(2 * faces * 6 * basis, [&](int i) {
            const int value = i % (6 * basis), which = i / (6 * basis);  // [+, −][face]
            const std::int32_t from = own[2 * batch * faces + which], to = beyond[2 * batch * faces + which];
            if (from < 0) return;
            const double sign = which < faces ? 1.0 : -1.0;
            const double* const of_face = of_batch + which % faces;
            const int m = value / 6, c = value % 6;
            double felt = 0.0;  // and no change of velocities
            if (c < 3) {
                const auto unturned = [&](int n) { return 2.0 * of_face[(3 * n + c) * faces]; };
                const std::int32_t turns = turn[batch * faces + which % faces];
                if (turns > 0) {
                    const double* const row = &turned[((3 - turns) * basis + m) * basis];
                    for (int n = 0; n < basis; ++n) felt += row[n] * unturned(n);
                } else {
                    felt = unturned(m);
                }
            }
            const Real own_value = sides[static_cast<std::size_t>(from) * values + value];
            sides[static_cast<std::size_t>(to) * values + value] =
                static_cast<Real>(static_cast<double>(own_value) - sign * felt);
        });
    }
};

}  // namespace groundswell::quake
