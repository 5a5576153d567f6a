#pragma once

#include <algorithm>

#include "groundswell/exec/fetch_ahead.hpp"
#include "groundswell/quake/kernels/kernels.hpp"
#include "groundswell/quake/kernels/memory.hpp"
#include "groundswell/quake/kernels/other_kind.hpp"
#include "groundswell/quake/kernels/pack.hpp"
#include "groundswell/quake/kernels/step.hpp"

/// Between memory and the functions of one pack.
namespace groundswell::quake {

template <class Equation, class Real, int order, int lanes>
class BatchKernels {
    using Value = Pack<Real, lanes>;
    using Material = typename Equation::template Material<Value>;
    using Face = typename Equation::template Face<Value>;
    static constexpr int basis = basis_size(order), face_basis = face_basis_size(order);
    static constexpr int quantities = Equation::quantities, width = Equation::face_quantities;
    static constexpr std::size_t material_values = sizeof(Material) / sizeof(Real);
    static constexpr int used = face_basis * width;
    // Values for all orders up to this one: functions of 0, 1, … order - 1 degrees.
    static constexpr int derivatives = basis * (order + 3) / 4 * quantities;
    static constexpr int padded = (used + lanes - 1) / lanes * lanes;
    // States lie as far apart as those of rock do, and so do sides that others than their batch count.
    static constexpr bool is_water = quantities < Elastic::quantities;
    static constexpr int room = basis * Elastic::quantities;
    static constexpr int apart = (face_basis * Elastic::face_quantities + lanes - 1) / lanes * lanes;

    static Value* values(Real* p) { return reinterpret_cast<Value*>(p); }

    // From one side to the next within a batch.
    static std::size_t between(const Batch<Real>& batch) {
        if constexpr (is_water)
            return static_cast<std::size_t>(batch.between);
        else
            return apart;
    }

    // The sides of one face of a batch, one after the other in memory, from [value][lane].
    static void write(const Value* trace, Real* sides, std::size_t between) {
        for (int chunk = 0; chunk < padded; chunk += lanes) {
            Value block[lanes];
#pragma GCC unroll 16
            for (int i = 0; i < lanes; ++i) block[i] = chunk + i < used ? trace[chunk + i] : Value{};
            transpose<Real, lanes>(block);
#pragma GCC unroll 16
            for (int lane = 0; lane < lanes; ++lane)
                *values(sides + static_cast<std::size_t>(lane) * between + chunk) = block[lane];
        }
    }
    static Real* side_of(const Batch<Real>& batch, int face) {
        return batch.sides + static_cast<std::size_t>(face) * lanes * between(batch);
    }

    // Fetches one of `parts` parts of what the next batch reads and writes; the corrector knows of no mechanisms.
    template <bool with_memory = Equation::remembers>
    static __attribute__((always_inline)) void fetch_elements(const Batch<Real>& batch, int part, int parts) {
        exec::fetch_ahead(values(batch.state) + room, sizeof(Value[basis * quantities]), part, parts);
        exec::fetch_ahead(reinterpret_cast<const Face*>(batch.faces) + 4, sizeof(Face[4]), part, parts);
        const std::size_t material = sizeof(Material);
        std::size_t of_mechanisms = 0;
        if constexpr (Equation::remembers) {
            const auto mechanisms = static_cast<std::size_t>(batch.mechanisms);
            of_mechanisms = mechanisms * sizeof(typename Equation::template Mechanism<Value>);
            const std::size_t memory = mechanisms * sizeof(Value[basis * Equation::strains]);
            if constexpr (with_memory)
                exec::fetch_ahead(reinterpret_cast<const char*>(batch.memory) + memory, memory, part, parts);
        }
        exec::fetch_ahead(reinterpret_cast<const char*>(batch.material) + material + of_mechanisms,
                          with_memory ? material + of_mechanisms : material, part, parts);
    }
    static __attribute__((always_inline)) void fetch_sides(const Batch<Real>& batch, int part, int parts) {
        const Real* const next = batch.sides + static_cast<std::size_t>(4 * lanes) * apart;
        if constexpr (is_water) {
            const int sides = (4 * lanes + parts - 1) / parts;
            for (int i = sides * part; i < std::min(sides * (part + 1), 4 * lanes); ++i)
                exec::fetch_ahead(next + i * between(batch), sizeof(Real[padded]), 0, 1);
        } else {
            exec::fetch_ahead(next, sizeof(Value[4 * padded]), part, parts);
        }
    }
    static __attribute__((always_inline)) void fetch_beyond(const Batch<Real>& batch, int piece, int part,
                                                            int parts) {
        const int faces = (4 * lanes + parts - 1) / parts;
        for (int i = faces * part; i < std::min(faces * (part + 1), 4 * lanes); ++i)
            exec::fetch_ahead(side_beyond(batch, piece, 4 * lanes + i), sizeof(Real[padded]), 0, 1);
    }
    // Whose face it is: [4][lane], and behind these those of the next batch.
    static const Real* side_beyond(const Batch<Real>& batch, int piece, int face_of_lane) {
        const std::int32_t across = batch.beyond[face_of_lane];
        const std::int32_t at = across >= 0 ? across : piece * (apart / lanes) - across - 1;
        return batch.traces + static_cast<std::size_t>(at) * lanes;
    }

    template <int face>
    static auto while_projecting(const Batch<Real>& batch) {
        return [&batch](int row) __attribute__((always_inline)) {
            fetch_elements(batch, face * face_basis + row, 4 * face_basis);
            fetch_sides(batch, face * face_basis + row, 4 * face_basis);
        };
    }
    template <int face>
    static void project_and_write(const Batch<Real>& batch, const Face* faces, const Value* integral) {
        Value trace[padded];
        project<Equation, Real, order, face>(faces[face], integral, trace, while_projecting<face>(batch));
        write(trace, side_of(batch, face), between(batch));
    }

    // The mechanisms of a viscoelastic batch.
    static auto mechanisms_of(const Batch<Real>& batch) {
        return reinterpret_cast<const typename Equation::template Mechanism<Value>*>(batch.material +
                                                                                     material_values);
    }
    static void add_memory(const Batch<Real>& batch) {
        if (batch.added_memory == nullptr) return;
        const Value* from = reinterpret_cast<const Value*>(batch.added_memory);
        for (int i = 0; i < basis * batch.mechanisms * Equation::strains; ++i)
            values(batch.memory)[i] += from[i];
    }

    // What sources add, if there are any: the n-th state of them.
    static void add(const Batch<Real>& batch, int n, Value* to) {
        if (batch.added == nullptr) return;
        const Value* from = reinterpret_cast<const Value*>(batch.added) + n * room;
        for (int i = 0; i < basis * quantities; ++i) to[i] += from[i];
    }

    static void predict_batch(const Batch<Real>& batch, Real step) {
        Value* const state = values(batch.state);
        Value integral[basis * quantities];
        const auto* faces = reinterpret_cast<const Face*>(batch.faces);
        if constexpr (Equation::remembers) {
            predict_with_memory<Equation, Real, order>(
                *reinterpret_cast<const Material*>(batch.material), mechanisms_of(batch), batch.mechanisms,
                step, state, values(batch.memory), integral, [](int, const Value*, int) {});
            add_memory(batch);
        } else {
            predict<Equation, Real, order>(*reinterpret_cast<const Material*>(batch.material), step, state,
                                           integral, [](int, const Value*, int) {});
        }
        add(batch, 0, state);
        add(batch, 1, integral);
        project_and_write<0>(batch, faces, integral);
        project_and_write<1>(batch, faces, integral);
        project_and_write<2>(batch, faces, integral);
        project_and_write<3>(batch, faces, integral);
    }

    // The same, and the pieces of the face's integral to the sides of the lanes that want them: the last of them is what
    // remains of the whole.
    template <int rate, int face>
    static void project_and_write_pieces(const Batch<Real>& batch, const Face* faces, const Value* integral,
                                         const Value* piece) {
        Value rest[padded];
        project<Equation, Real, order, face>(faces[face], integral, rest, while_projecting<face>(batch));
        write(rest, side_of(batch, face), between(batch));
        const std::int32_t* to = batch.pieces + face * lanes;
        if (std::all_of(to, to + lanes, [](std::int32_t side) { return side < 0; })) return;
        for (int s = 0; s < rate; ++s) {
            Value trace[padded], sides[apart];
            if (s + 1 < rate) {
                project<Equation, Real, order, face>(faces[face], piece + s * basis * quantities, trace,
                                                     [](int) {});
                for (int i = 0; i < used; ++i) rest[i] -= trace[i];
            }
            write(s + 1 < rate ? trace : rest, reinterpret_cast<Real*>(sides), apart);
            for (int lane = 0; lane < lanes; ++lane) {
                if (to[lane] < 0) continue;
                const Real* from = reinterpret_cast<const Real*>(sides) + lane * apart;
                std::copy_n(from, padded, batch.traces + static_cast<std::size_t>(to[lane] + s) * apart);
            }
        }
    }

    template <int rate>
    static void predict_pieces_of(const Batch<Real>& batch, Real step) {
        Value* const state = values(batch.state);
        Value integral[basis * quantities], piece[(rate - 1) * basis * quantities];
        const auto* faces = reinterpret_cast<const Face*>(batch.faces);
        if constexpr (Equation::remembers) {
            predict_pieces_with_memory<Equation, Real, order, rate>(
                *reinterpret_cast<const Material*>(batch.material), mechanisms_of(batch), batch.mechanisms,
                step, state, values(batch.memory), integral, piece);
            add_memory(batch);
        } else {
            predict_pieces<Equation, Real, order, rate>(*reinterpret_cast<const Material*>(batch.material),
                                                        step, state, integral, piece);
        }
        add(batch, 0, state);
        add(batch, 1, integral);
        for (int s = 0; s + 1 < rate; ++s) add(batch, 2 + s, piece + s * basis * quantities);
        project_and_write_pieces<rate, 0>(batch, faces, integral, piece);
        project_and_write_pieces<rate, 1>(batch, faces, integral, piece);
        project_and_write_pieces<rate, 2>(batch, faces, integral, piece);
        project_and_write_pieces<rate, 3>(batch, faces, integral, piece);
    }
    static void predict_pieces_batch(const Batch<Real>& batch, Real step, int rate) {
        rate == 2 ? predict_pieces_of<2>(batch, step) : predict_pieces_of<3>(batch, step);
    }

    static void differentiate_batch(const Batch<Real>& batch, Real* memory, Real* of_memory) {
        const auto& material = *reinterpret_cast<const Material*>(batch.material);
        const auto* first = reinterpret_cast<const Value*>(batch.state);
        Value* to = values(memory);
        if constexpr (Equation::remembers) {
            const int remembered = basis * batch.mechanisms * Equation::strains;
            Value state[basis * quantities], theta[basis * Equation::most_mechanisms * Equation::strains];
            std::copy_n(first, basis * quantities, state);
            std::copy_n(reinterpret_cast<const Value*>(batch.memory), remembered, theta);
            derive_with_memory<Equation, Real, order>(
                material, mechanisms_of(batch), batch.mechanisms, state, theta,
                [&](int k, const Value* derivative) {
                    to = std::copy_n(derivative, basis_size(order - k) * quantities, to);
                },
                [&](int k, const Value* derivative) {
                    if (of_memory == nullptr) return;
                    std::copy_n(derivative, remembered, values(of_memory) + k * remembered);
                });
        } else {
            std::copy_n(first, basis * quantities, to);
            derive<Equation, Real, order>(material, to);
        }
    }

    static void correct_batch(const Batch<Real>& batch, int piece) {
        const auto* faces = reinterpret_cast<const Face*>(batch.faces);
        Value entering[4 * face_basis * Equation::waves];
        for (int face = 0; face < 4; ++face) {
            Value here[padded], beyond[padded];
            const Real* side[lanes];
            for (int lane = 0; lane < lanes; ++lane)
                side[lane] = side_of(batch, face) + static_cast<std::size_t>(lane) * between(batch);
            gather<Real, lanes>(side, padded, here);
            for (int lane = 0; lane < lanes; ++lane)
                side[lane] = side_beyond(batch, piece, face * lanes + lane);
            gather<Real, lanes>(side, padded, beyond);
            if (batch.other_kind != nullptr && batch.other_kind[face] != 0)
                take_other_kind<is_water, used, lanes>(
                    batch.other_kind[face], faces[face],
                    [&](int lane) { return side_beyond(batch, piece, face * lanes + lane); },
                    reinterpret_cast<Real*>(beyond));
            for (int m = 0; m < face_basis; ++m) {
                Equation::entering(faces[face], here + m * width, beyond + m * width,
                                   entering + (face * face_basis + m) * Equation::waves);
            }
        }
        const auto fetch = [&](int row) __attribute__((always_inline)) {
            fetch_elements<false>(batch, row, basis);
            fetch_sides(batch, row, basis);
            fetch_beyond(batch, piece, row, basis);
        };
        correct<Equation, Real, order>(*reinterpret_cast<const Material*>(batch.material), faces, entering,
                                       values(batch.state), fetch);
    }

    static constexpr auto differentiating() {
        if constexpr (is_water)
            return nullptr;
        else
            return differentiate_batch;
    }

public:
    static constexpr Kernels<Real> kernels{
        {order, lanes, basis, quantities, static_cast<std::size_t>(basis) * quantities* lanes,
         sizeof(Material) / sizeof(Real), sizeof(Face) / sizeof(Real), padded,
         static_cast<std::size_t>(derivatives) * lanes},
        work_of<Equation, order>(),
        predict_batch,
        predict_pieces_batch,
        differentiating(),
        correct_batch};

    /// The same with so many mechanisms.
    static constexpr Kernels<Real> with_mechanisms(int mechanisms) {
        Kernels<Real> changed = kernels;
        changed.layout.mechanisms = mechanisms;
        changed.layout.material += static_cast<std::size_t>(mechanisms) *
                                   sizeof(typename Equation::template Mechanism<Value>) / sizeof(Real);
        changed.layout.memory = static_cast<std::size_t>(basis) * mechanisms * Equation::strains * lanes;
        // Where the stress remembers, the series is made with its sums. Six strains are taken of a stress in 19 operations, in all rows
        // for the strain and for what relaxes in the step, in each of a derivative for every mechanism and every strain before it.
        constexpr int later = basis * (order - 1) / 4;  // rows of all derivatives but the state
        int before = 0;
        for (int k = 1; k < order; ++k) before += k * basis_size(order - k);
        const double relaxing = basis * (mechanisms * (2 * 19 + 18) + 12.0) + 19.0 * before +
                                later * (mechanisms * (19 + 12) + 6.0);
        changed.work.derivatives = changed.work.predictor += relaxing;
        changed.work.local += relaxing;
        return changed;
    }
};

}  // namespace groundswell::quake
