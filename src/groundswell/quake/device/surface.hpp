#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// A sea's surface on a device.
namespace groundswell::quake {

/// Faces at the surface as a device has them.
struct SeaView {
    struct Face {
        std::int32_t own, beyond;  ///< sides
        double weight, per_z, normal[3];
    };
    std::span<const Face> faces;
    std::span<double> eta, impulse;  ///< [face][function]
    std::span<double> series;        ///< [face][derivative][function]
    double seconds = 0.0;            ///< of the step

    constexpr void arrays(const auto& visit) const {
        visit(faces);
        visit(eta);
        visit(impulse);
        visit(series);
    }
};

/// As SeaSurface::step, one block for a face.
template <class Real>
struct MeetSeaOnDevice {
    SeaView sea;
    std::span<Real> sides;
    std::int32_t first = 0;    ///< face of the first block
    int order = 0, basis = 0;  ///< functions on a face
    int values = 0;            ///< of a side

    constexpr void arrays(const auto& visit) const {
        sea.arrays(visit);
        visit(sides);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const auto index = static_cast<std::size_t>(first + block.index());
        const SeaView::Face& face = sea.faces[index];
        const double* const impulse = sea.impulse.data() + index * basis;
        const double* const series = sea.series.data() + index * basis * (order + 1);
        const Real* const own = sides.data() + static_cast<std::size_t>(face.own) * values;
        Real* const beyond = sides.data() + static_cast<std::size_t>(face.beyond) * values;
        block.lanes(basis, [&](int m) {
            const double pressure = 2.0 * face.weight * impulse[m];
            beyond[2 * m] = -(own[2 * m] + static_cast<Real>(pressure));
            beyond[2 * m + 1] = -own[2 * m + 1];
        });
        block.lanes(basis, [&](int m) {
            double factor = 1.0, sum = 0.0;
            for (int k = 0; k <= order; ++k) {
                sum += factor * series[k * basis + m];
                factor *= sea.seconds / (k + 1);
            }
            sea.eta[index * basis + m] = sum;
        });
    }
};

}  // namespace groundswell::quake
