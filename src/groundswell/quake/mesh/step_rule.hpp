#pragma once

#include "groundswell/mesh/tetra/tetrahedron.hpp"
#include "groundswell/quake/material.hpp"

namespace groundswell::quake {

/// Rule for the longest time step of an element: a fraction of its width over vp (2 order - 1). The width is half a mean of its four
/// heights, in which the least height counts more or less.
enum class StepRule {
    stable,  ///< stable_fraction() of half their mean of power -2
    own  ///< half their harmonic mean, the diameter of the inscribed sphere, of which one half is usual (M. Dumbser, M.
         ///< Käser and E. F. Toro 2007, section 2.3)
};

/// The fraction of the width of rule `stable` up to which steps are stable at order 2 to 7, whatever the shape of the elements
/// and the rock in them: the least that was found on elements all alike, regular, flat and long, and on distorted ones, uniform
/// and in contrasts up to 4, with random values at the start (tests/convergence/stability.cpp finds it again).
double stable_fraction(int order);

/// The part of that fraction by which elements step whose own vp and that across one of their faces differ by this factor, either
/// way: 1 up to a factor of 4, and less beyond. The limit falls to 0.94 where speeds differ by a factor of 10 everywhere and to 0.88
/// at 30, and stays there up to 100, at all orders.
double fraction_in_contrast(double contrast);

struct StepLimit {
    StepRule rule = StepRule::stable;
    double courant = 0.95;  ///< of what the rule allows; with `own` 0.5 is usual

    /// The longest step of an element, s. `contrast`: see fraction_in_contrast(), for rule `stable`.
    double longest_step(const tetra::Geometry& geometry, const Material& material, int order,
                        double contrast = 1.0) const;
};

/// The fraction of what a rule allows that a case takes by default.
constexpr double usual_courant(StepRule rule) {
    return rule == StepRule::stable ? 0.95 : 0.5;
}

}  // namespace groundswell::quake
