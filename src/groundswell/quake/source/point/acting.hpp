#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "groundswell/quake/attenuation/attenuation.hpp"
#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/energy.hpp"
#include "groundswell/quake/material.hpp"
#include "groundswell/quake/source/point/point_source.hpp"

namespace groundswell::quake {

/// The power that a source gives a wave field, by what the field is at its place: of a source that adds f times its rate to the
/// unknowns q, the derivative of the energy along f, which is the strain (of a force: the velocity) there times the moment's rate.
class SourcePower {
public:
    /// `basis`: the functions' values at the place; `effect`: f, as PointSource has it; `material`: unrelaxed, with its mechanisms.
    SourcePower(std::span<const double> basis, const std::array<double, 9>& effect, const Material& material,
                std::span<const Mechanism> mechanisms)
        : basis_(basis.begin(), basis.end()) {
        std::array<double, 6> strain{};  // that f's stress would make
        double trace = effect[0] + effect[1] + effect[2], dilatation = 0.0;
        trace *= material.lambda / (3.0 * material.lambda + 2.0 * material.mu);
        for (int i = 0; i < 6; ++i) strain[i] = (effect[i] - (i < 3 ? trace : 0.0)) / (2.0 * material.mu);
        if (material.is_liquid()) {
            const double pressed = (effect[0] + effect[1] + effect[2]) / (9.0 * material.lambda);
            strain = {pressed, pressed, pressed, 0.0, 0.0, 0.0};
        }
        if (material.is_anisotropic()) {
            for (int i = 0; i < 6; ++i) {
                strain[i] = 0.0;
                for (int j = 0; j < 6; ++j)
                    strain[i] += (i < 3 ? 1.0 : 0.5) * material.stiffness->compliance()[i][j] * effect[j];
            }
        }
        for (int i = 0; i < 3; ++i) dilatation += strain[i];
        const auto times = [](int i) { return i < 3 ? 1.0 : 2.0; };  // that a tensor has the component
        for (int i = 0; i < 6; ++i) of_state_[i] = times(i) * strain[i];
        for (int i = 6; i < 9; ++i) of_state_[i] = material.density * effect[i];
        for (const Mechanism& one : mechanisms) {
            for (int i = 0; i < 6; ++i)
                of_memory_.push_back(2.0 * one.mu * times(i) * strain[i] +
                                     (i < 3 ? one.lambda * dilatation : 0.0));
        }
    }

    std::size_t functions() const { return basis_.size(); }
    /// W, for a rate of 1. `state(function, quantity)`; `memory(function, value)` of what the element remembers.
    template <class State, class Memory>
    double now(const State& state, const Memory& memory) const {
        double power = 0.0;
        for (std::size_t k = 0; k < basis_.size(); ++k) {
            double of_function = 0.0;
            for (int q = 0; q < 9; ++q) of_function += of_state_[q] * state(k, q);
            for (std::size_t i = 0; i < of_memory_.size(); ++i) of_function += of_memory_[i] * memory(k, i);
            power += basis_[k] * of_function;
        }
        return power;
    }

private:
    std::vector<double> basis_, of_memory_;
    std::array<double, 9> of_state_{};
};

/// Sources that act in elements, within the predictor and to its order: an impulse at time τ has become
/// Σ (t − τ)ᵏ / k! times its k-th derivative at time t. Those of one element are added in the order in which they came.
template <class Real>
class ActingSources {
public:
    explicit ActingSources(int blocks) : batches_(static_cast<std::size_t>(blocks)) {}

    /// At a place of an element in its coordinates, in rock of that material, unrelaxed. `pieces`: of a step, for those that step
    /// oftener.
    void add(Elements<Real>& elements, int block, std::int32_t element, const tetra::Point& reference,
             const Material& material, std::span<const Mechanism> mechanisms, double volume,
             const PointSource& source, int pieces);
    /// Sets what they add in a step of a block, and returns the batches where that has changed, ascending. Sources that are silent in
    /// that time cost next to nothing.
    std::vector<std::int32_t> act(Elements<Real>& elements, int block, double from, double seconds,
                                  int pieces);
    /// The step of a block is done: sees what work it was.
    void acted(const Elements<Real>& elements, int block);
    /// J, what all of them have given the wave field so far, one by one: the mean of the power at both ends of each step. The
    /// order is that in which they came, block by block.
    std::vector<double> work() const;

private:
    struct Source {
        std::int32_t element;
        std::vector<std::vector<double>> derivatives;  // of what an impulse leaves: [k][basis][quantity]
        std::vector<double> of_memory;                 // the same of what is remembered
        std::shared_ptr<const TimeFunction> rate;
        SourcePower power;
        double acting = 0.0, before = 0.0;  // the rate's integral over the step; the power at its start, J
        double work = 0.0;                  // J
    };
    struct SourcesOfBatch {
        std::int32_t batch;
        bool is_set = false;  // what they add is not zero
        std::vector<Source> sources;
    };
    static void add_source(Elements<Real>& elements, Source& source, double from, double seconds, int pieces);
    static double power_of(const Elements<Real>& elements, const Source& source);

    std::vector<std::vector<SourcesOfBatch>> batches_;  // [block], by batch
};

}  // namespace groundswell::quake
