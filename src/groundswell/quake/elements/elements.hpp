#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/attenuation/attenuation.hpp"
#include "groundswell/quake/elements/places.hpp"
#include "groundswell/quake/energy.hpp"
#include "groundswell/quake/kernels/kernels.hpp"
#include "groundswell/quake/material.hpp"

namespace groundswell::quake {

/// Data of an element that kernels read.
struct Element {
    tetra::Geometry geometry;
    Material material;
    std::array<tetra::Boundary, 4> boundary{};
    std::array<Material, 4> beyond{};     ///< across the faces where there is no boundary
    std::vector<Mechanism> mechanisms{};  ///< as many as the kernels have

    /// Whether waves have a form of their own within, or at a face.
    bool meets_anisotropic() const {
        return material.is_anisotropic() || std::ranges::any_of(beyond, &Material::is_anisotropic);
    }
};

/// Batches [begin, end).
struct BatchRange {
    std::int32_t begin = 0, end = 0;
};

/// All that kernels read and write of elements, batch after batch, see Batch; sides one after the other.
template <class Real>
struct ElementsMemory {
    std::span<Real> state, memory;
    std::span<const Real> material, faces, sides;
    std::span<const std::int32_t> beyond, pieces;
    std::span<const std::uint32_t> other_kind;  ///< [batch][4]
    std::span<const std::int32_t> is_water;     ///< [batch] 1: yes
    /// [batch] which one of `anisotropic`; -1: no element meets anisotropic rock.
    std::span<const std::int32_t> anisotropic_of;
    std::span<const exec::Array<Real>> anisotropic;  ///< material and faces of a batch, of its kernels
};

/// Where states and sides of elements change, if not in the memory of Elements: copies between both.
class Elsewhere {
public:
    virtual ~Elsewhere() = default;
    /// Makes the state of some batches here what it is there; the same with some sides.
    virtual void bring(std::span<const std::int32_t> batches) = 0;
    virtual void bring_sides(std::span<const std::int32_t> sides) = 0;
    /// Makes some sides there what they are here.
    virtual void send_sides(std::span<const std::int32_t> sides) = 0;
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
        const std::int32_t batch = side / (4 * kernels_.layout.lanes);
        return traces_.data() + place_of_side(side, side < places_.sides() && is_water(batch));
    }
    /// Lets the sides of water in some batches stand one behind the other, at the beginning of the room that sides of rock would take.
    /// Each in the room of one of rock fills three lines in eight at order 4, and two threads were no faster than one. Not for sides
    /// that are exchanged by their number. Before elements are set.
    void pack_water(BatchRange batches);

    ElementsMemory<Real> memory() {
        return {state_.span(),  memory_.span(),  material_.span(), faces_.span(),
                traces_.span(), beyond_.span(),  pieces_.span(),   other_kind_.span(),
                is_water_,      anisotropic_of_, anisotropic_};
    }
    bool is_water(std::int32_t batch) const { return is_water_[batch] != 0; }
    bool meets_anisotropic(std::int32_t batch) const { return anisotropic_of_[batch] >= 0; }
    /// Contributions of sources to a batch, as Batch::added; empty: it has none.
    std::span<const Real> added_to(std::int32_t batch) const {
        if (added_of_[batch] < 0) return {};
        return added_[added_of_[batch]].span();
    }

    /// Says where states and sides are from now on; null: here.
    void move_to(Elsewhere* elsewhere) { elsewhere_ = elsewhere; }
    bool is_elsewhere() const { return elsewhere_ != nullptr; }
    /// Calls of Elsewhere, for who reads the state of some batches between steps, or sides, or has written these.
    void bring(std::span<const std::int32_t> batches) const {
        if (elsewhere_ != nullptr && !batches.empty()) elsewhere_->bring(batches);
    }
    void bring_sides(std::span<const std::int32_t> sides) const {
        if (elsewhere_ != nullptr && !sides.empty()) elsewhere_->bring_sides(sides);
    }
    void send_sides(std::span<const std::int32_t> sides) const {
        if (elsewhere_ != nullptr && !sides.empty()) elsewhere_->send_sides(sides);
    }

    /// By face, `beyond`: the side across, at a boundary its own, and -1 minus the first of several pieces; `pieces` as in Batch.
    /// In a batch either all elements meet anisotropic rock or none does; the same with water.
    void set(std::int32_t element, const Element& what, const std::array<std::int32_t, 4>& beyond,
             const std::array<std::int32_t, 4>& pieces = {-1, -1, -1, -1});

    /// In water the stresses along all axes are one number, and those across them are 0.
    Real& coefficient(std::int32_t element, int function, int quantity) {
        return state_[place(element, function, quantity)];
    }
    Real coefficient(std::int32_t element, int function, int quantity) const {
        return state_[place(element, function, quantity)];
    }

    /// The state of an element of rock: coefficient i = function · quantities + quantity at value i · layout().lanes. One of water
    /// takes no more room.
    Real* state_of(std::int32_t element) { return state_.data() + place(element, 0, 0); }
    const Real* state_of(std::int32_t element) const { return state_.data() + place(element, 0, 0); }

    /// Sums over all functions of each lane of a batch, times their `mass`. With them energy costs a fraction of what it does element by
    /// element.
    void squares_of(std::int32_t batch, std::span<const double> mass, SquaresOfElement* of_lane) const;

    /// Memory variables of an element: value i at i · layout().lanes, [function][mechanism][strain].
    Real* memory_of(std::int32_t element) { return memory_.data() + place_in_memory(element); }
    const Real* memory_of(std::int32_t element) const { return memory_.data() + place_in_memory(element); }
    std::size_t remembered() const {
        return kernels_.layout.memory / static_cast<std::size_t>(kernels_.layout.lanes);
    }

    /// Kernels, on the elements of a block.
    void predict(int block, Real seconds) { predict(batches_of(block), seconds); }
    void predict_pieces(int block, Real seconds, int rate) {
        predict_pieces(batches_of(block), seconds, rate);
    }
    void correct(int block, int piece = 0) { correct(batches_of(block), piece); }
    /// The same on batches.
    void predict(BatchRange batches, Real seconds);
    void predict_pieces(BatchRange batches, Real seconds, int rate);
    void correct(BatchRange batches, int piece);
    BatchRange batches_of(int block) const { return {places_.batch_begin(block), places_.batch_end(block)}; }

    /// The derivatives of a batch, layout().derivatives of them; what they are at a place of one of its elements where
    /// the basis has the values `basis`, [order][quantity]; and the state of that element `seconds` later,
    /// [basis][quantity].
    /// `of_memory`, if not null: the derivatives of what the batch remembers, [order][layout().memory].
    void differentiate_batch(std::int32_t batch, Real* derivatives, Real* of_memory = nullptr);
    void evaluate(std::int32_t element, const Real* derivatives, std::span<const double> basis,
                  double* at_place) const;
    void expand(std::int32_t element, const Real* derivatives, double seconds, double* state) const;
    /// Memory variables of the element `seconds` later, remembered() values.
    void expand_memory(std::int32_t element, const Real* of_memory, double seconds,
                       std::span<double> memory) const;
    /// The derivatives in time of a state of an element, [basis][quantity], as no wave entered: the k-th has
    /// basis_size(order - k) functions.
    /// `of_memory`: the same of what the element remembers of it, [k][remembered()], at first `memory`.
    std::vector<std::vector<double>> derivatives_of(std::int32_t element, std::span<const double> state,
                                                    std::span<const double> memory,
                                                    std::vector<double>& of_memory);
    /// Sources that predict adds to the state of an element's batch, to its integral and to those of all pieces but the last, one after the other: made
    /// when it is asked for first, zero until the caller writes it, and valid until the next call for a batch that has none.
    std::span<Real> added(std::int32_t element, int pieces);
    Real& added(std::int32_t element, int which, int function, int quantity);
    /// Additions to the element's memory variables: value i, zero with the others.
    Real& added_memory(std::int32_t element, int pieces, std::size_t i);
    /// Memory for the derivatives of a batch, for each thread.
    std::vector<exec::Array<Real>> room_for_derivatives() const {
        std::vector<exec::Array<Real>> room;
        for (int thread = 0; thread < exec::threads(); ++thread)
            room.emplace_back(kernels_.layout.derivatives);
        return room;
    }
    /// The derivatives of every batch of a block, one batch after the other into the same memory: to see what that costs.
    void differentiate(int block);

private:
    std::size_t place(std::int32_t element, int function, int quantity) const;
    std::size_t place_in_memory(std::int32_t element) const {
        return static_cast<std::size_t>(places_.batch(element)) * kernels_.layout.memory +
               static_cast<std::size_t>(places_.lane(element));
    }
    std::size_t place_in_batch(std::int32_t element, int function, int quantity) const;
    // Number of traces_ at which a side begins, of which it is known whether it is of an element of water.
    std::size_t place_of_side(std::int32_t side, bool of_water) const;
    Batch<Real> batch(std::int32_t index);
    const Kernels<Real>& kernels_of(std::int32_t batch) const {
        if (anisotropic_of_[batch] >= 0) return *kernels_.of_anisotropic;
        return is_water(batch) ? *kernels_.of_water : kernels_;
    }
    /// Those with `differentiate`.
    const Kernels<Real>& series_kernels_of(std::int32_t batch) const {
        return anisotropic_of_[batch] >= 0 ? *kernels_.of_anisotropic : kernels_;
    }
    void set_anisotropic(std::int32_t batch, int lane, const Element& what);
    Batch<Real> as_rock(std::int32_t batch, Real* room);

    const Kernels<Real>& kernels_;
    BatchPlaces places_;
    exec::Array<Real> state_, material_, faces_, traces_, memory_;
    exec::Array<std::int32_t> beyond_, pieces_;   // sides
    exec::Array<std::int32_t> across_;            // see Batch::beyond
    exec::Array<std::uint32_t> other_kind_;       // [batch][4] see Batch
    std::vector<std::int32_t> is_water_;          // [batch] 1: yes
    std::vector<std::uint8_t> is_packed_;         // [batch] see pack_water
    std::vector<std::uint8_t> is_set_;            // [batch] whether any of its elements is
    std::vector<std::int32_t> anisotropic_of_;    // [batch] place in anisotropic_; -1: not such
    std::vector<exec::Array<Real>> anisotropic_;  // material and faces
    std::vector<std::int32_t> added_of_;          // [batch] place in added_; -1: none
    std::vector<exec::Array<Real>> added_;
    Elsewhere* elsewhere_ = nullptr;
};

}  // namespace groundswell::quake
