#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/quake/basis/polynomials.hpp"
#include "groundswell/quake/device/fault/points.hpp"
#include "groundswell/quake/device/fault/view.hpp"

namespace groundswell::quake {

/// As solve_fault, one block for a batch of faces: lanes have points of them, or rows of what is a sum over points. The same sums in the
/// same order.
template <class Law>
struct SolveFaultOnDevice {
    // Limits of CUDA that leave 168 registers for a lane: with 128, some laws spill on some generations.
    static constexpr int most_lanes = 128, blocks_at_once = 3;
    FaultView v;

    constexpr void arrays(const auto& visit) const { v.arrays(visit); }

    /// Numbers of a block: traction and its derivatives if nothing slipped, the traction at one time, projected slip rates; and
    /// of each point what Room names.
    static constexpr int scratch_numbers(int order, int points, int faces) {
        const int basis = face_basis_size(order);
        return faces * (3 * FaultRule::rows(order) + 5 * basis + points * point_numbers);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        Room room(block, v);
        const Batch batch(v, v.first + block.index());
        lock_faces(block, batch, room.locked);
        const int all = v.points * v.faces;
        block.lanes(3 * all, [&](int i) { room.imposed[i] = 0.0; });
        block.sync();
        double start = 0.0;
        for (int i = 0; i < v.order; ++i) {
            expand(block, room, v.tables.time[i] * v.length);
            DealtPoints<Block> s{
                block, v.faces, all, v.begin + start,
                // Imposed slip has the mean over a time's share of the step, so that all of it is felt.
                (imposes_slip<Law> ? v.tables.weight : v.tables.substep)[i] * v.length, batch.eta,
                room.normal, room.shear, batch.parameter, v.tables.of_fault.data(), batch.state, room.rate,
                room.scratch, v.tables.smoothing.data(), v.scheme, room.along};
            start += s.length;
            block.sync();
            s.for_each_point([&](int p) { stress(batch, room, v.begin + start, p); });
            Law::slip(s);
            if constexpr (!imposes_slip<Law>) {
                if (v.heats != 0) s.for_each_point([&](int p) { warm(s, batch, p); });
            }
            const double weight = v.tables.weight[i] * v.length;
            s.for_each_point([&](int p) {
                double traction[3], along[2];
                move<Law>(s, p, room.per_shear[p], room.at_points + 3 * p, room.acting + 3 * p, along,
                          traction);
                for (int c = 0; c < 3; ++c) room.imposed[3 * p + c] += weight * traction[c];
                for (int c = 0; c < 2; ++c) room.along[c * all + p] = along[c];
            });
            block.sync();
            block.lanes(2 * v.basis * v.faces, [&](int n) {
                const int face = n % v.faces, row = n / v.faces, m = row / 2;
                const double* const along = room.along + row % 2 * all + face;
                double sum = 0.0;
                for (int p = 0; p < v.points; ++p)
                    sum += v.tables.onto[m * v.points + p] * along[p * v.faces];
                room.slipping[n] = sum;
            });
            block.sync();
            s.for_each_point([&](int p) {
                const double *const at = &v.tables.at[p / v.faces * v.basis], *const slipping =
                                                                                  room.slipping + p % v.faces;
                double along[2] = {};
                for (int m = 0; m < v.basis; ++m) {
                    for (int c = 0; c < 2; ++c) along[c] += at[m] * slipping[(2 * m + c) * v.faces];
                }
                account<Law>(s, p, room.per_shear[p], room.at_points + 3 * p, room.acting + 3 * p, along);
            });
        }
        give(block, batch, room);
        if (v.counts_jump != 0) add_jumps(block, batch, room);
    }

private:
    static constexpr int point_numbers = 16;

    struct Room {
        double *locked, *now, *slipping;
        double *at_points, *acting, *imposed;  // [point][3]
        double* along;                         // [strike, dip][point]
        double *normal, *shear, *per_shear, *rate, *scratch;

        template <class Block>
        constexpr Room(Block& block, const FaultView& v) {
            const int all = v.points * v.faces;
            double* free = block.template scratch<double>(
                static_cast<std::size_t>(scratch_numbers(v.order, v.points, v.faces)));
            const auto take = [&](int numbers) {
                double* const taken = free;
                free += numbers;
                return taken;
            };
            locked = take(3 * FaultRule::rows(v.order) * v.faces);
            now = take(3 * v.basis * v.faces);
            slipping = take(2 * v.basis * v.faces);
            at_points = take(3 * all);
            acting = take(3 * all);
            imposed = take(3 * all);
            along = take(2 * all);
            normal = take(all);
            shear = take(all);
            per_shear = take(all);
            rate = take(all);
            scratch = take(all);
        }
    };
    struct Batch {
        std::int32_t index;
        const double *geometry, *eta;
        const double *initial, *nucleation, *parameter, *thermal;
        double *state, *heat;

        constexpr Batch(const FaultView& v, std::int32_t batch) : index(batch) {
            const auto all = static_cast<std::size_t>(v.points * v.faces) * static_cast<std::size_t>(batch);
            geometry = v.geometry.data() + static_cast<std::size_t>(batch * face_numbers * v.faces);
            eta = geometry + (face_numbers - 1) * v.faces;
            initial = v.initial.data() + 3 * all;
            nucleation = v.nucleation.data() + v.tables.episodes.size() * nucleation_values * all;
            parameter = v.parameter.data() + static_cast<std::size_t>(v.parameters) * all;
            thermal = v.thermal.data() + thermal_parameters * all;
            state = v.state.data() + kept_states * all;
            heat = v.heat.data() + thermal_values * all;
        }
    };
    static constexpr int face_numbers = sizeof(FaultFace<double>) / sizeof(double);
    struct Modes {
        const double *square, *source, *weight;
    };

    constexpr FaultFace<double> face_of(const Batch& batch, int face) const {
        std::array<double, face_numbers> numbers;
        for (int i = 0; i < face_numbers; ++i) numbers[i] = batch.geometry[i * v.faces + face];
        return std::bit_cast<FaultFace<double>>(numbers);
    }
    constexpr const double* side(const Batch& batch, int which, int face) const {
        return v.sides.data() +
               static_cast<std::size_t>(v.side_of[(2 * batch.index + which) * v.faces + face]) *
                   v.side_values;
    }
    template <class Block>
    constexpr void lock_faces(const Block& block, const Batch& batch, double* locked) const {
        block.lanes(FaultRule::rows(v.order) * v.faces, [&](int i) {
            const int face = i % v.faces, row = i / v.faces;
            double of_row[3];
            lock(face_of(batch, face), side(batch, 0, face) + 6 * row, side(batch, 1, face) + 6 * row, 1,
                 of_row);
            for (int c = 0; c < 3; ++c) locked[(3 * row + c) * v.faces + face] = of_row[c];
        });
    }
    // The traction so long after the start of the step.
    template <class Block>
    constexpr void expand(const Block& block, const Room& room, double t) const {
        block.lanes(3 * v.basis * v.faces, [&](int i) {
            double sum = room.locked[i], factor = 1.0;
            int from = 3 * v.basis * v.faces;
            for (int k = 1; k < v.order; ++k) {
                factor *= t / k;
                const int values = 3 * face_basis_size(v.order - k) * v.faces;
                if (i < values) sum += factor * room.locked[from + i];
                from += values;
            }
            room.now[i] = sum;
        });
    }
    constexpr void stress(const Batch& batch, const Room& room, double end, int p) const {
        const int all = v.points * v.faces;
        const double *const at = &v.tables.at[p / v.faces * v.basis], *const now = room.now + p % v.faces;
        double sum[3] = {}, acting[3], pressing = 0.0, felt = 1.0;
        for (int m = 0; m < v.basis; ++m) {
            for (int c = 0; c < 3; ++c) sum[c] += at[m] * now[(3 * m + c) * v.faces];
            if (m + 1 == FaultRule::smooth_functions(v.order)) pressing = sum[0];
        }
        for (int c = 0; c < 3; ++c) acting[c] = batch.initial[c * all + p] + sum[c];
        nucleate(v.tables.episodes, batch.nucleation, end, all, p, acting, felt);
        double normal = acting[0];
        if (v.pressing < v.basis) normal += pressing - sum[0];
        if (!v.tables.episodes.empty()) normal *= felt;
        if (v.heats != 0) normal += batch.state[pore_pressure * all + p];
        const double shear = root(acting[1] * acting[1] + acting[2] * acting[2]);
        for (int c = 0; c < 3; ++c) {
            room.at_points[3 * p + c] = sum[c];
            room.acting[3 * p + c] = acting[c];
        }
        room.normal[p] = normal;
        room.shear[p] = shear;
        room.per_shear[p] = 1.0 / (shear > 0.0 ? shear : 1.0);
    }
    template <class Points>
    constexpr void warm(const Points& s, const Batch& batch, int p) const {
        const double borne = greater(s.shear[p] - s.impedance(p) * s.rate[p], 0.0);
        const double* const modes = v.tables.modes.data();
        heat_by(Modes{modes, modes + ThermalModes::count, modes + 2 * ThermalModes::count}, v.thermal_numbers,
                batch.thermal + p, s.points, s.length, borne * s.rate[p], batch.heat + p,
                s.state[warming * s.points + p], s.state[pore_pressure * s.points + p]);
    }
    // The traction that both sides feel.
    template <class Block>
    constexpr void give(const Block& block, const Batch& batch, const Room& room) const {
        double* const traction =
            v.traction.data() + static_cast<std::size_t>(batch.index) * 3 * v.basis * v.faces;
        block.lanes(v.basis * v.faces, [&](int i) {
            const int face = i % v.faces, m = i / v.faces;
            double sum[3] = {};
            for (int p = 0; p < v.points; ++p) {
                for (int c = 0; c < 3; ++c)
                    sum[c] += v.tables.onto[m * v.points + p] * room.imposed[3 * (p * v.faces + face) + c];
            }
            const FaultFace<double> f = face_of(batch, face);
            for (int c = 0; c < 3; ++c)
                traction[(3 * m + c) * v.faces + face] =
                    sum[0] * f.normal[c] + sum[1] * f.strike[c] + sum[2] * f.dip[c];
        });
    }
    // As Fault::add_jump.
    template <class Block>
    constexpr void add_jumps(const Block& block, const Batch& batch, const Room& room) const {
        for (int i = 0; i < v.order; ++i) {
            const double t = v.tables.time[i] * v.length;
            block.sync();
            block.lanes(v.basis * v.faces, [&](int n) {
                const int face = n % v.faces;
                double jump[3] = {}, factor = 1.0;
                int row = n / v.faces;
                for (int k = 0; k < v.order && n / v.faces < face_basis_size(v.order - k);) {
                    const double *const plus = side(batch, 0, face) + 6 * row, *const minus =
                                                                                   side(batch, 1, face) +
                                                                                   6 * row;
                    for (int c = 0; c < 3; ++c) jump[c] += factor * (minus[3 + c] - plus[3 + c]);
                    row += face_basis_size(v.order - k);
                    ++k;
                    factor *= t / k;
                }
                for (int c = 0; c < 3; ++c) room.now[(3 * (n / v.faces) + c) * v.faces + face] = jump[c];
            });
            block.sync();
            block.lanes(v.points * v.faces, [&](int p) {
                double at_point[3] = {};
                for (int m = 0; m < v.basis; ++m) {
                    for (int c = 0; c < 3; ++c)
                        at_point[c] += v.tables.at[p / v.faces * v.basis + m] *
                                       room.now[(3 * m + c) * v.faces + p % v.faces];
                }
                batch.state[jump_path * v.points * v.faces + p] +=
                    v.tables.weight[i] * v.length * length_of(at_point[0], at_point[1], at_point[2]);
            });
        }
    }
    // As std::hypot of GCC's library.
    static constexpr double length_of(double x, double y, double z) {
        x = x < 0.0 ? -x : x;
        y = y < 0.0 ? -y : y;
        z = z < 0.0 ? -z : z;
        const double most = x < y ? (y < z ? z : y) : (x < z ? z : x);
        if (most == 0.0) return 0.0;
        return most * root((x / most) * (x / most) + (y / most) * (y / most) + (z / most) * (z / most));
    }
};

}  // namespace groundswell::quake
