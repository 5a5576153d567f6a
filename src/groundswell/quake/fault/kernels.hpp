#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

#include "groundswell/quake/elements/side_entries.hpp"
#include "groundswell/quake/fault/kernel.hpp"

/// Kernels on faces of faults, as many at once as a register holds; all else sees only their memory.
namespace groundswell::quake {

/// Faces in a batch, of any instruction set.
inline constexpr int most_fault_lanes = 8;
/// Memory of a side is a multiple of so many numbers.
inline constexpr int side_granularity = most_fault_lanes;

/// A batch of faces as it stands in memory: arrays as in FaultBatch, each [value][lane] and at the start of a register, but for
/// those of sides.
struct FaultMemory {
    const double* face;                        ///< FaultFace
    const double *const *plus, *const *minus;  ///< [lane]: the sides, each [row][traction, velocity]
    const double *initial, *nucleation, *parameter;
    double *state, *traction;
    const double* thermal = nullptr;
    double* heat = nullptr;
    const double* place = nullptr;
};

/// Kernels of a friction law for a batch: see solve_fault, by order from the lowest on, and start_fault.
struct FaultKernel {
    using Act = void (*)(const FaultRule&, const FaultStep&, const FaultMemory&);
    static constexpr int orders = highest_order - lowest_order + 1;
    std::string_view law;
    std::array<Act, orders> solve;
    Act start;
    /// The same as `solve` for a single face, number by number: what packs are held against.
    std::array<Act, orders> solve_plainly;
};

/// Elements of a batch with sides at a fault, all with the same face of theirs.
template <class Real>
struct FaultLook {
    int order;
    const Real* derivatives;            ///< see Kernels::differentiate, from the first of these elements on
    std::size_t lanes_of_field;         ///< elements in a batch
    const double* normal;               ///< [3][most_fault_lanes] outward
    std::span<const TraceEntry> trace;  ///< by rows
    double* const* sides;  ///< [lane]: what is to be written, [row][traction, velocity]; null: nothing
};

/// Compiled for one instruction set.
struct FaultKernels {
    template <class Real>
    using Look = void (*)(const FaultLook<Real>& at);

    int lanes;  ///< faces in a batch, and elements that are looked at together
    std::span<const FaultKernel> laws;
    std::tuple<Look<float>, Look<double>> look;  ///< write what elements are at a fault through a step

    /// The kernel of one of friction_laws().
    const FaultKernel& of(std::string_view law) const;
};
FaultKernels compiled_fault_kernels();

}  // namespace groundswell::quake
