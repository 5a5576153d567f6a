#pragma once

#include <cstdint>
#include <utility>

#include "groundswell/quake/device/project.hpp"
#include "groundswell/quake/kernels/relaxation.hpp"

namespace groundswell::quake {

/// As predict_with_memory and predict_pieces_with_memory. What mechanisms make of a row stays in that row, so that a lane has it to
/// itself; the derivatives of the state go from one place to another and back.
template <class Equation, class Real, int order>
struct PredictWithMemoryOnDevice : ProjectOnDevice<Equation, Real, order> {
    using Base = ProjectOnDevice<Equation, Real, order>;
    using Base::basis, Base::lanes, Base::quantities, Base::v;
    using typename Base::Rows, typename Base::Sizes;
    static constexpr int strains = Equation::strains;

    static constexpr std::size_t scratch_bytes(int rate, int mechanisms) {
        return static_cast<std::size_t>(Sizes::predictor_with_memory(rate, mechanisms)) * lanes *
               sizeof(Real);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t batch = v.first + block.index();
        constexpr int numbers = Sizes::state * lanes;
        Real *const state = Base::state_of(batch), *const memory = Base::memory_of(batch);
        Real* const integral =
            block.template scratch<Real>(scratch_bytes(v.rate, v.mechanisms) / sizeof(Real));
        Real* const pieces = integral + numbers;
        Real *from = pieces + (v.rate - 1) * numbers, *to = from + numbers;
        // As Relaxation has them, and by element.
        Real* const strain = to + numbers;
        Real* const coefficient = strain + Remembered::places * lanes;
        auto factors = Base::piece_factors();
        factors.next();
        block.lanes(numbers, [&](int i) {
            from[i] = state[i];
            integral[i] = v.step * state[i];
            for_each_piece([&](int s) { pieces[s * numbers + i] = Real(0) + factors.of(s) * state[i]; });
        });
        block.lanes(lanes, [&](int element) {
            Remembered::template prepare<lanes>([&](int l) { return Base::mechanism_of(batch, l, element); },
                                                v.mechanisms, v.step, coefficient + element);
        });
        Base::for_each_row(block, basis, [&](int row, int element) {
            Real now[strains];
            strain_of(batch, row, element, state, memory, now);
            for (int i = 0; i < strains; ++i) strain[(row * strains + i) * lanes + element] = now[i];
        });
        block.sync();
        Real factor = v.step;  // stepᵏ / k!
        for (int k = 1; k < order; ++k) {
            factors.next();
            const Real next = factor * v.step / static_cast<Real>(k + 1);
            Base::for_each_row(block, basis_size(order - k), [&](int row, int element) {
                Real rate[quantities] = {}, now[strains];
                Real* const of_strain = strain + row * strains * lanes + element;
                differentiate_in_space(batch, order + 1 - k, row, element, from, rate, now);
                for (int i = 0; i < strains; ++i) of_strain[(Remembered::place(k) + i) * lanes] = now[i];
                for (int q = 0; q < quantities; ++q)
                    state[(row * quantities + q) * lanes + element] += factor * rate[q];
                Remembered::template relax<lanes>(k - 1, coefficient + element, v.mechanisms,
                                                  memory + row * v.mechanisms * strains * lanes + element,
                                                  of_strain, rate);
                for (int q = 0; q < quantities; ++q) {
                    const int i = (row * quantities + q) * lanes + element;
                    to[i] = rate[q];
                    integral[i] += next * rate[q];
                    for_each_piece([&](int s) { pieces[s * numbers + i] += factors.of(s) * rate[q]; });
                }
            });
            block.sync();
            std::swap(from, to);
            factor = next;
        }
        Base::for_each_row(block, basis, [&](int row, int element) {
            int degree = 0;
            while (row >= basis_size(degree + 1)) ++degree;
            Real q[quantities];
            Real* const own = state + row * quantities * lanes + element;
            for (int i = 0; i < quantities; ++i) q[i] = own[i * lanes];
            Remembered::template remember<lanes>(
                coefficient + element, v.mechanisms, memory + row * v.mechanisms * strains * lanes + element,
                strain + row * strains * lanes + element, order - 1 - degree, q);
            for (int i = 0; i < quantities; ++i) own[i * lanes] = q[i];
        });
        block.sync();
        add_sources(block, batch, integral, pieces);
        const auto at = [](const Real* values) { return [values](int i) { return values[i]; }; };
        Real* const free = pieces + (v.rate - 1) * numbers;
        if (v.rate == 1)
            Base::write_sides(block, batch, free, at(integral));
        else
            Base::write_pieces(block, batch, free, at(integral),
                               [&](int s) { return at(pieces + s * numbers); });
    }

protected:
    /// ε of a row of the state.
    constexpr void strain_of(std::int32_t batch, int row, int element, const Real* state, const Real* zeta,
                             Real (&strain)[strains]) const {
        const auto material = Base::material_of(batch, element);
        Equation::template strain_of<lanes>(
            Equation::template Compliance<Real>::of(material.lambda, material.mu),
            [&](int l) { return Base::mechanism_of(batch, l, element); }, v.mechanisms,
            state + row * quantities * lanes + element, zeta + row * v.mechanisms * strains * lanes + element,
            strain);
    }
    /// As the functions of kernels/memory.hpp for a row: turns ζ into its rate, and, `rate` zero before, the state `from` and the rate of ζ
    /// into theirs.
    constexpr void start_relaxing(std::int32_t batch, int row, int element, const Real* state,
                                  Real* zeta) const {
        Real strain[strains];
        strain_of(batch, row, element, state, zeta, strain);
        for (int l = 0; l < v.mechanisms; ++l) {
            Real* const of = zeta + (row * v.mechanisms + l) * strains * lanes + element;
            const Real frequency = Base::mechanism_of(batch, l, element).frequency;
            for (int i = 0; i < strains; ++i) of[i * lanes] = frequency * (strain[i] - of[i * lanes]);
        }
    }
    constexpr void differentiate(int k, std::int32_t batch, int row, int element, const Real* from,
                                 Real* theta, Real (&rate)[quantities]) const {
        const bool kept = row < basis_size(order - 1 - k);
        Real strain[strains] = {};
        if (kept) differentiate_in_space(batch, order, row, element, from, rate, strain);
        for (int l = 0; l < v.mechanisms; ++l) {
            Real* const of = theta + (row * v.mechanisms + l) * strains * lanes + element;
            const auto mechanism = Base::mechanism_of(batch, l, element);
            Equation::template relax<lanes>(mechanism.lambda, mechanism.mu, of, rate);
            for (int i = 0; i < strains; ++i)
                of[i * lanes] = mechanism.frequency * (strain[i] - of[i * lanes]);
        }
        for (int i = 0; i < quantities && !kept; ++i) rate[i] = 0;
    }

private:
    using Remembered = Relaxation<order>;

    /// `from` is a state of so many orders.
    constexpr void differentiate_in_space(std::int32_t batch, int orders, int row, int element,
                                          const Real* from, Real (&rate)[quantities],
                                          Real (&strain)[strains]) const {
        Real along[3][quantities] = {};
        for (int axis = 0; axis < 3; ++axis)
            add_row<quantities, lanes>(v.rows, Rows::derivative(orders, axis) + row, from + element,
                                       along[axis]);
        const auto material = Base::material_of(batch, element);
        Equation::rate(material, along, rate);
        Equation::strain_rate(material, along, strain);
    }
    /// Calls body(s) for all but the last.
    template <class Body>
    constexpr void for_each_piece(const Body& body) const {
        if (v.rate > 1) body(0);
        if (v.rate > 2) body(1);
    }
    template <class Block>
    constexpr void add_sources(const Block& block, std::int32_t batch, Real* integral, Real* pieces) const {
        const Real* const added = Base::added_to(batch);
        if (added == nullptr) return;
        constexpr int numbers = Sizes::state * lanes;
        const int remembered = basis * v.mechanisms * strains * lanes;
        Real *const state = Base::state_of(batch), *const memory = Base::memory_of(batch);
        block.lanes(numbers, [&](int i) {
            state[i] += added[i];
            integral[i] += added[numbers + i];
            for_each_piece([&](int s) { pieces[s * numbers + i] += added[(2 + s) * numbers + i]; });
        });
        block.lanes(remembered, [&](int i) { memory[i] += added[v.added_values - remembered + i]; });
        block.sync();
    }
};

}  // namespace groundswell::quake
