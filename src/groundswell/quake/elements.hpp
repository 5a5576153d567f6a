#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/kernels/kernels.hpp"
#include "groundswell/quake/material.hpp"
#include "groundswell/quake/places.hpp"

namespace groundswell::quake {

/// What kernels know of an element.
struct Element {
    tetra::Geometry geometry;
    Material material;
    std::array<tetra::Boundary, 4> boundary{};
    std::array<Material, 4> beyond{};  ///< across the faces where there is no boundary
};

/// Elements in memory, and the kernels on them. What elements tell each other goes by sides: each element has one for each of its faces, and behind them stand
/// others that whoever connects elements uses as they like.
template <class Real>
class Elements {
public:
    /// `other_sides` behind those of the elements. All values are zero.
    Elements(const Kernels<Real>& kernels, const BatchPlaces& places, std::int32_t other_sides);

    const BatchLayout& layout() const { return kernels_.layout; }
    const KernelWork& work() const { return kernels_.work; }
    const BatchPlaces& places() const { return places_; }
    std::int32_t size() const { return places_.elements(); }
    /// Bytes that all of them take.
    std::size_t bytes() const;

    /// The values of a side, layout().trace of them.
    Real* values(std::int32_t side) {
        return traces_.data() + static_cast<std::size_t>(side) * kernels_.layout.trace;
    }

    /// `beyond` and `pieces` as in Batch, by face.
    void set(std::int32_t element, const Element& what, const std::array<std::int32_t, 4>& beyond,
             const std::array<std::int32_t, 4>& pieces = {-1, -1, -1, -1});

    Real& coefficient(std::int32_t element, int function, int quantity) {
        return state_[place(element, function, quantity)];
    }
    Real coefficient(std::int32_t element, int function, int quantity) const {
        return state_[place(element, function, quantity)];
    }

    /// Kernels, on the elements of a block.
    void predict(int block, Real seconds);
    void predict_pieces(int block, Real seconds, int rate);
    void correct(int block, int piece = 0);
    /// The derivatives of the batch that an element lies in, layout().derivatives of them; and what they are at a place of the
    /// element where the basis has the values `basis`: [order][quantity].
    void differentiate_batch_of(std::int32_t element, Real* derivatives);
    void evaluate(std::int32_t element, const Real* derivatives, std::span<const double> basis,
                  double* at_place) const;
    /// The derivatives in time of a state of an element, [basis][quantity], as no wave entered: the k-th has
    /// basis_size(order - k) functions.
    std::vector<std::vector<double>> derivatives_of(std::int32_t element, std::span<const double> state);
    /// What predict adds to the state of an element's batch, to its integral and to those of pieces, one after the other: made
    /// when it is asked for first, zero until the caller writes it, and valid until the next call for a batch that has none.
    std::span<Real> added(std::int32_t element, int pieces);
    Real& added(std::int32_t element, int which, int function, int quantity);
    /// The derivatives of every batch of a block, one batch after the other into the same memory: to see what that costs.
    void differentiate(int block);

private:
    std::size_t place(std::int32_t element, int function, int quantity) const;
    std::size_t place_in_batch(std::int32_t element, int function, int quantity) const;
    Batch<Real> batch(std::int32_t index);

    const Kernels<Real>& kernels_;
    BatchPlaces places_;
    exec::Array<Real> state_, material_, faces_, traces_;
    exec::Array<std::int32_t> beyond_, pieces_;
    std::vector<std::int32_t> added_of_;  // [batch] place in added_; -1: none
    std::vector<exec::Array<Real>> added_;
};

}  // namespace groundswell::quake
