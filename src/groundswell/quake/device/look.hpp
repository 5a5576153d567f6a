#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "groundswell/quake/device/differentiate.hpp"
#include "groundswell/quake/elements/side_entries.hpp"

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

/// Sides that are looked at, of some batches of elements.
struct SideLooks {
    struct Side {
        std::int32_t element;  ///< in its batch
        std::int32_t table;    ///< of `row`
        std::int32_t written;  ///< which of `sides`, or face of the sea
    };
    std::span<const std::int32_t> batch;  ///< [block]
    std::span<const std::int32_t> begin;  ///< [block] its first side, and the end
    std::span<const Side> looked;
    std::span<const double> normal;     ///< [side looked at][3], outward
    std::span<const std::int32_t> row;  ///< [table][basis of a face + 1]: where rows of its entries begin
    std::span<const TraceEntry> trace;
    std::span<double> sides;  ///< at faults
    SeaView sea;
    std::int32_t first = 0;  ///< of `batch`, for the first block
    int side_values = 0;
    int of_sea = 0;  ///< 1: for a sea's surface, else for faults

    constexpr void arrays(const auto& visit) const {
        visit(batch);
        visit(begin);
        visit(looked);
        visit(normal);
        visit(row);
        visit(trace);
        visit(sides);
        sea.arrays(visit);
    }
};

/// As look_at_fault, or SeaSurface::foresee; one block for a batch of elements.
template <class Equation, class Real, int order>
struct LookOnDevice : DifferentiateOnDevice<Equation, Real, order> {
    using Base = DifferentiateOnDevice<Equation, Real, order>;
    using Base::face_basis, Base::lanes, Base::quantities, Base::v;
    SideLooks looks;

    constexpr void arrays(const auto& visit) const {
        v.arrays(visit);
        looks.arrays(visit);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t at = looks.first + block.index();
        Base::for_each_derivative(block, looks.batch[at], [&](int k, const Real* derivative) {
            looks.of_sea != 0 ? foresee(block, at, k, derivative) : show(block, at, k, derivative);
        });
    }

private:
    // The derivative of a sea's surface that follows from the k-th of its elements, and its part of the mean over the step.
    template <class Block>
    constexpr void foresee(const Block& block, std::int32_t at, int k, const Real* derivative) const {
        const int functions = basis_size(order - k);
        double factor = looks.sea.seconds;
        for (int j = 0; j < k; ++j) factor *= looks.sea.seconds / (j + 2);
        const double later = factor * (looks.sea.seconds / (k + 2));
        const std::int32_t begin = looks.begin[at];
        block.lanes((looks.begin[at + 1] - begin) * face_basis, [&](int i) {
            const int row = i % face_basis;
            const std::int32_t which = begin + i / face_basis;
            const SideLooks::Side side = looks.looked[which];
            const SeaView::Face& face = looks.sea.faces[side.written];
            const std::size_t first = static_cast<std::size_t>(side.written) * face_basis;
            double* const now = looks.sea.series.data() + first * (order + 1) + k * face_basis + row;
            double& mean = looks.sea.impulse[first + row];
            if (k == 0) {
                *now = looks.sea.eta[first + row];
                mean = factor * *now;
            }
            double next = -face.weight * face.per_z * *now;
            const std::int32_t entries = side.table * (face_basis + 1) + row;
            for (std::int32_t e = looks.row[entries]; e < looks.row[entries + 1]; ++e) {
                const TraceEntry entry = looks.trace[e];
                if (entry.column >= functions) continue;
                const Real* const q = derivative + entry.column * quantities * lanes + side.element;
                double speed = -face.per_z * static_cast<double>(q[Elastic::xx * lanes]);
                for (int c = 0; c < 3; ++c)
                    speed += face.normal[c] * static_cast<double>(q[(Elastic::vx + c) * lanes]);
                next += entry.value * speed;
            }
            now[face_basis] = next;
            mean += later * next;
        });
    }
    // The rows of a derivative at faults.
    template <class Block>
    constexpr void show(const Block& block, std::int32_t at, int k, const Real* derivative) const {
        const int rows = face_basis_size(order - k), functions = basis_size(order - k);
        int before = 0;
        for (int j = 0; j < k; ++j) before += face_basis_size(order - j);
        const std::int32_t begin = looks.begin[at];
        block.lanes((looks.begin[at + 1] - begin) * rows, [&](int i) {
            const int row = i % rows;
            const std::int32_t which = begin + i / rows;
            const SideLooks::Side side = looks.looked[which];
            const double* const normal = &looks.normal[3 * which];
            const std::int32_t first = side.table * (face_basis + 1) + row;
            double sum[6] = {};
            for (std::int32_t e = looks.row[first]; e < looks.row[first + 1]; ++e) {
                const TraceEntry entry = looks.trace[e];
                if (entry.column >= functions) continue;
                const Real* const q = derivative + entry.column * quantities * lanes + side.element;
                const auto value = [&](int which_quantity) {
                    return static_cast<double>(q[which_quantity * lanes]);
                };
                const auto pull = [&](int x, int y, int z) {
                    double traction = 0.0;
                    traction += normal[0] * value(x);
                    traction += normal[1] * value(y);
                    traction += normal[2] * value(z);
                    return traction;
                };
                sum[0] += entry.value * pull(0, 3, 5);
                sum[1] += entry.value * pull(3, 1, 4);
                sum[2] += entry.value * pull(5, 4, 2);
                for (int c = 0; c < 3; ++c) sum[3 + c] += entry.value * value(6 + c);
            }
            double* const to = looks.sides.data() +
                               static_cast<std::size_t>(side.written) * looks.side_values +
                               6 * (before + row);
            for (int c = 0; c < 6; ++c) to[c] = sum[c];
        });
    }
};

}  // namespace groundswell::quake
