#pragma once

#include <cstddef>
#include <cstdint>

/// The kernels of every order and precision, chosen while the program runs.
namespace groundswell::quake {

/// Layout of numbers in memory. Elements are computed on in batches of as many as a processor's registers hold: all that a
/// kernel reads of a batch lies as [value][lane]. What elements read of each other lies by face instead, one block for
/// each side of a face, so that an element can fetch it from anywhere, another rank included.
struct BatchLayout {
    int order = 0;
    int lanes = 0;             ///< elements in a batch
    int basis = 0;             ///< functions in an element
    int quantities = 0;        ///< unknowns
    std::size_t state = 0;     ///< numbers in a batch's state, [basis][quantity][lane]
    std::size_t material = 0;  ///< in a batch's material, as the equation orders it
    std::size_t face = 0;      ///< in one of a batch's four faces
    /// In one side of a face, a multiple of `lanes`; [face basis][traction, velocity].
    std::size_t trace = 0;
    std::size_t derivatives = 0;  ///< in the derivatives of a batch, see Kernels::differentiate
    int mechanisms = 0;           ///< by which stress relaxes; 0: elastic
    std::size_t memory = 0;       ///< numbers in what a batch remembers, [basis][mechanism][strain][lane]
};

/// Operations on numbers that the formulas ask for in an element's step; zeros of the matrices do not count.
struct KernelWork {
    double derivatives = 0.0;  ///< the Taylor series
    double predictor = 0.0;    ///< and its sum and integral
    double local = 0.0;        ///< that, and what it is at the faces
    double neighbour = 0.0;    ///< the waves that enter

    double all() const { return local + neighbour; }
};

/// A batch, for a kernel. Arrays start on the boundary of a vector.
template <class Real>
struct Batch {
    const Real* material;  ///< [BatchLayout::material], of every mechanism behind the elements'
    const Real* faces;     ///< [4][BatchLayout::face]
    Real* state;           ///< [BatchLayout::state]
    Real* traces;          ///< of all sides
    /// [4][lane]: where the side of the element across stands, in vectors of `lanes` numbers of `traces`; at a boundary its own.
    /// Where that element steps more rarely: -1 minus where the first of the sides stands that hold the pieces of its step. Behind the
    /// last batch stand as many of any side.
    const std::int32_t* beyond;
    const std::int32_t* pieces;  ///< [4][lane]: the first of such sides that this batch writes; -1: none
    Real* sides;                 ///< of the batch, [4][lane]
    /// Contributions of sources in the batch to this step, each as a state; null: no source. To the state, to its integral, and to the
    /// integral over each piece of the step but the last.
    const Real* added;
    Real* memory = nullptr;              ///< [BatchLayout::memory]
    const Real* added_memory = nullptr;  ///< what sources add to it, if there are any and it is there
    int mechanisms = 0;                  ///< BatchLayout::mechanisms
    /// [4] in bits, by lane: whether the side beyond is water's where this is rock, or the other way round.
    const std::uint32_t* other_kind = nullptr;
    int between = 0;  ///< numbers from a side of the batch to the next, in water; in rock BatchLayout::trace
};

template <class Real>
struct Kernels {
    BatchLayout layout;
    KernelWork work;
    /// Advances the state by `step` seconds as if no wave entered, and writes what its integral is on the batch's own sides.
    void (*predict)(const Batch<Real>& batch, Real step);
    /// The same, and on the sides that `pieces` names the integrals over `rate` pieces of the step: 2 or 3.
    void (*predict_pieces)(const Batch<Real>& batch, Real step, int rate);
    /// The state and its derivatives in time, the k-th [basis of order - k][quantity][lane], one behind the other.
    /// `of_memory`, if it is not null, takes the derivatives of what is remembered, [k][BatchLayout::memory].
    void (*differentiate)(const Batch<Real>& batch, Real* derivatives, Real* of_memory);
    /// Adds the waves that enter through the faces, once the sides beyond are written. `piece`: which one of the step of
    /// those that step more rarely.
    void (*correct)(const Batch<Real>& batch, int piece);
    /// Those for batches of water alone, without `differentiate`. A batch of water lies in as much memory as one of rock, at whose
    /// beginning it has [basis][−p and velocity][lane]; at the beginning of each side [face basis][−p, velocity along the outward
    /// normal].
    const Kernels* of_water = nullptr;
    /// Those for batches of anisotropic rock and of what touches it, whose material and faces have a layout of their own; null:
    /// none.
    const Kernels* of_anisotropic = nullptr;
};

}  // namespace groundswell::quake
