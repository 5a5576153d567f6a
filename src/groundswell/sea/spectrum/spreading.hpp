#pragma once

#include <algorithm>

#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// Cure of the garden sprinkler effect: what a bin's width in direction and frequency spreads in space, as a diffusion of its action
/// (Booij & Holthuijsen 1987, J. Comput. Phys. 68, 307–326) with, across and along the way of the waves,
///
///     D_nn = (cg Δθ)² T/12        D_ss = (Δcg)² T/12        Δcg = cg (r − 1/r)/2 of deep water
///
/// where T is the age of the swell and r the ratio of frequencies. Through face e, of length ℓ and between centres d apart, goes
///
///     ℓ k_e a_e/d (across sin² + along cos²) (M − M_beyond)        a_e = min(cg T_u, most d)        cos = n_e·d
///
/// with M at half time. Two values tell no gradient along a face, so `across` and `along` are chosen such that the faces of a regular
/// hexagon together make D_nn and D_ss, as far as both can without a negative one (D_ss then is a third of D_nn). Where cells are so
/// small that a_e is at its bound the age is less: no step has to be shorter.
class Spreading {
public:
    /// Bound of a_e, a share of the distance of two cells; D_nn is at most three quarters of that times cg, about half of what first order diffuses.
    static constexpr double most = 0.25;

    /// `age`: T, s; 0: nothing spreads.
    Spreading(const SpectralGrid& grid, double age) {
        const double bend = grid.direction_width, stretch = 0.5 * (grid.ratio - 1.0 / grid.ratio);
        const double nn = bend * bend * age / 12.0, ss = stretch * stretch * age / 12.0;
        // The faces of a hexagon make 3/4 and 1/4 of `across` and `along` the one, 1/4 and 3/4 the other.
        double of_across = 1.5 * nn - 0.5 * ss, of_along = 1.5 * ss - 0.5 * nn;
        if (of_along < 0.0) of_across = 4.0 / 3.0 * nn, of_along = 0.0;
        if (of_across < 0.0) of_along = 4.0 / 3.0 * ss, of_across = 0.0;
        time_ = std::max(of_across, of_along);
        if (time_ == 0.0) return;
        across = static_cast<Real>(of_across / time_);
        along = static_cast<Real>(of_along / time_);
    }

    bool any() const { return time_ > 0.0; }
    /// a_e/d, from the group speeds of both cells.
    template <class T>
    T share(T speed, T beyond, double distance) const {
        return bounded((speed + beyond) * slope(distance));
    }
    /// As long as it is not at its bound, a_e/d grows with the sum of both speeds by this, s m⁻¹.
    Real slope(double distance) const { return static_cast<Real>(0.5 * time_ / distance); }
    template <class T>
    static constexpr T bounded(T wanted) {
        const T bound = T{} + static_cast<Real>(most);
        return wanted < bound ? wanted : bound;
    }

    Real across = 0, along = 0;  ///< one of them 1

private:
    double time_ = 0.0;  // T_u, s
};

}  // namespace groundswell::sea
