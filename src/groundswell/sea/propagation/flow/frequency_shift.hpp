#pragma once

#include <cstring>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/exec/array.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

/// Rows of directions in working memory, which end with a register: what stands behind the last direction is read, and is of no use.
namespace groundswell::sea::rows {

/// Values up to the end of the register that holds the last of `length`.
inline int whole(int length) {
    return (length + lanes::width - 1) / lanes::width * lanes::width;
}

/// Copies a row, and nothing beside it; its last register may overlap the one before.
inline void copy(Real* to, const Real* from, int length) {
    if (length < lanes::width) {
        std::memcpy(to, from, static_cast<std::size_t>(length) * sizeof(Real));
        return;
    }
    int j = 0;
    for (; j + lanes::width <= length; j += lanes::width) lanes::store(to + j, lanes::load(from + j));
    if (j < length) lanes::store(to + length - lanes::width, lanes::load(from + length - lanes::width));
}

}  // namespace groundswell::sea::rows

namespace groundswell::sea {

/// Shift of action in frequency, ∂N/∂t + ∂(cσ N)/∂σ = 0: what currents and changing water levels do to waves,
///
///     cσ = ∂σ/∂d (∂d/∂t + U·∇d) − cg k d·(d·∇)U
///
/// (Bretherton & Garrett 1968, doi:10.1098/rspa.1968.0034; Tolman 1991, J. Phys. Oceanogr. 21, 782–797, eq. 6). A function of one
/// cell's spectrum. Along a ray M = N/J is constant, J = k/cg; the flux through the side of a bin is C M, with C = cσ J.
///
/// Flux form between neighbouring frequencies, with a piecewise linear limited profile of M (van Leer 1977, J.
/// Comput. Phys. 23, 276–299) taken at half time: second order, conservative but for what leaves at both ends
/// (nothing enters there), positive: a step that is too long for that is taken in equal parts.
class FrequencyShift {
public:
    explicit FrequencyShift(const SpectralGrid& grid);

    /// C of one step, in rad m⁻²: at side s (of frequencies + 1, below bin s) and direction j, even[s] + strained[s] · strain[j].
    struct Flux {
        const Real* even;
        const Real* strained = nullptr;  ///< null: nothing
        const Real* strain = nullptr;    ///< [directions]
    };
    /// Memory of one thread.
    struct Work {
        explicit Work(const SpectralGrid& grid);
        // Rows over directions are whole registers.
        exec::Array<Real> action, invariant, slope;  ///< [frequencies][row]
        exec::Array<Real> flux;                      ///< [2][row]
        exec::Array<Real> strain;                    ///< [row]
        std::vector<Real> density;                   ///< [frequencies] J of a part
    };

    /// Shifts n, [frequencies][directions] as in a cell's block, in place. `density`: [frequencies] J, s m⁻²; `growth`: what it
    /// gains in the step, as the depth changes, or null. A uniform M stays as it is where C and the change of J belong together.
    void apply(Real* n, const Real* density, const Real* growth, const Flux& flux, Work& work) const;

    /// Equal parts that a step needs so that no bin gives away more than it has, at least 1.
    int parts(const Real* density, const Flux& flux) const;

    /// [frequencies] rad s⁻¹: Σ width = last − first, and from the middle of the bin below.
    static std::vector<Real> widths(const SpectralGrid& grid) {
        std::vector<Real> all;
        for (const double width : grid.frequency_width)
            all.push_back(static_cast<Real>(base::two_pi * width));
        return all;
    }
    static std::vector<Real> distances(const SpectralGrid& grid) {
        const std::vector<Real> width = widths(grid);
        std::vector<Real> all(width.size(), Real(1));
        for (std::size_t i = 1; i < all.size(); ++i) all[i] = Real(0.5) * (width[i - 1] + width[i]);
        return all;
    }
    Real width(int i) const { return width_[i]; }

private:
    void shift(const Flux& flux, Real share, Work& work) const;

    int frequencies_, directions_;
    int row_;                             ///< values of a row in working memory
    std::vector<Real> width_, distance_;  ///< [frequencies]
};

}  // namespace groundswell::sea
