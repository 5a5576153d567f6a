#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "groundswell/quake/elements.hpp"
#include "groundswell/quake/source/point_source.hpp"

namespace groundswell::quake {

/// Sources that act in elements, within the predictor and to its order: an impulse at time τ has become
/// Σ (t − τ)ᵏ / k! times its k-th derivative at time t. Those of one element are added in the order in which they came.
template <class Real>
class ActingSources {
public:
    explicit ActingSources(int blocks) : batches_(static_cast<std::size_t>(blocks)) {}

    /// At a place of an element in its coordinates. `pieces`: of a step, for those that step oftener.
    void add(Elements<Real>& elements, int block, std::int32_t element, const tetra::Point& reference,
             double density, double volume, const PointSource& source, int pieces);
    /// Sets what they add in a step of a block. Sources that are silent in that time cost next to nothing.
    void act(Elements<Real>& elements, int block, double from, double seconds, int pieces);

private:
    struct Source {
        std::int32_t element;
        std::vector<std::vector<double>> derivatives;  // of what an impulse leaves: [k][basis][quantity]
        std::vector<double> of_memory;                 // the same of what is remembered
        std::shared_ptr<const TimeFunction> rate;
    };
    struct SourcesOfBatch {
        std::int32_t batch;
        bool is_set = false;  // what they add is not zero
        std::vector<Source> sources;
    };
    static void add_source(Elements<Real>& elements, const Source& source, double from, double seconds,
                           int pieces);

    std::vector<std::vector<SourcesOfBatch>> batches_;  // [block], by batch
};

}  // namespace groundswell::quake
