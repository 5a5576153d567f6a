#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "groundswell/quake/elements/elements.hpp"
#include "groundswell/quake/source/point/point_source.hpp"
#include "groundswell/quake/source/point/source_work.hpp"

namespace groundswell::quake {

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
