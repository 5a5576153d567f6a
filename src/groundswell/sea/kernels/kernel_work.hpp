#pragma once

#include <string_view>

#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/source/physics_options.hpp"

/// The least that the formulas of each kernel need, from which its shares of a machine's limits follow.
///
/// A sum, a product, the larger or smaller of two, and an absolute value are one operation each; a quotient and a root count four
/// (McMahon 1986, "The Livermore Fortran Kernels", UCRL-53745); an exponential 24, which is what its polynomial takes (exec/math.hpp).
/// Signs, choices by a comparison and copies do not count, nor does what is done once for a cell, a frequency or a direction.
namespace groundswell::sea {

/// Work for one bin, in one step or one evaluation.
struct KernelWork {
    double flop = 0.0, bytes = 0.0;

    KernelWork operator+(const KernelWork& other) const { return {flop + other.flop, bytes + other.bytes}; }
};

/// Share of the numbers in registers that are some of a row's, 0 to 1: a row of directions takes whole registers.
double lanes_filled(int directions);

KernelWork propagation_work(const PropagationOptions& options);

/// Work of a source term by its name. It works in the caches, so no bytes; nothing for terms that work by frequency alone.
KernelWork term_work(std::string_view term, const PhysicsOptions& physics, int directions);

/// All terms of the physics and the integration.
KernelWork source_work(const PhysicsOptions& physics, int directions);

}  // namespace groundswell::sea
