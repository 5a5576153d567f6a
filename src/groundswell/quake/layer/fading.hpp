#pragma once

namespace groundswell::quake {

/// A coefficient of the state, or of what an element remembers, at the end of a step that leaves this part of it.
template <class Real>
constexpr Real faded(Real coefficient, Real left) {
    return coefficient * left;
}

}  // namespace groundswell::quake
