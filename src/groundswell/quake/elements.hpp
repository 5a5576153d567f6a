#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "groundswell/exec/array.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/kernels/kernels.hpp"
#include "groundswell/quake/material.hpp"

namespace groundswell::quake {

/// What a kernel has to know of an element and of what lies at its faces.
struct Element {
    tetra::Geometry geometry;
    Material material;
    struct Across {
        tetra::Boundary boundary = tetra::Boundary::none;
        std::int32_t element = -1;  ///< where boundary is none: which one
        int face = 0;               ///< and which of its faces
        Material material;          ///< and of what
    };
    std::array<Across, 4> across;  ///< by face
};

/// Elements of one time step, in batches.
template <class Real>
class Elements {
public:
    Elements(const Kernels<Real>& kernels, std::span<const Element> elements);

    std::int32_t size() const { return size_; }
    const BatchLayout& layout() const { return kernels_.layout; }
    /// Bytes that all elements take.
    std::size_t bytes() const;

    Real& coefficient(std::int32_t element, int function, int quantity) {
        return state_[place(element, function, quantity)];
    }
    Real coefficient(std::int32_t element, int function, int quantity) const {
        return state_[place(element, function, quantity)];
    }

    /// Both halves of a step, on all elements; the second needs the first of every neighbour.
    void predict(Real seconds);
    void correct();

private:
    std::size_t place(std::int32_t element, int function, int quantity) const {
        const auto& l = kernels_.layout;
        return static_cast<std::size_t>(element / l.lanes) * l.state +
               static_cast<std::size_t>((function * l.quantities + quantity) * l.lanes + element % l.lanes);
    }
    std::int32_t side(std::int32_t element, int face) const {
        const int lanes = kernels_.layout.lanes;
        return (element / lanes * 4 + face) * lanes + element % lanes;
    }
    Batch<Real> batch(std::int32_t index);

    const Kernels<Real>& kernels_;
    std::int32_t size_ = 0, batches_ = 0;
    exec::Array<Real> state_, material_, faces_, traces_;
    exec::Array<std::int32_t> beyond_;
};

}  // namespace groundswell::quake
