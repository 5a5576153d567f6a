#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/mesh/voronoi/sphere.hpp"
#include "groundswell/sea/forcing/cell_forcing.hpp"
#include "groundswell/sea/propagation/flow_formulas.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

class PropagationTables;

/// Allowance of the automatic step before anything of the currents and levels is known: m s⁻¹ and m. A moment with more than
/// this takes its step in parts.
inline constexpr double presumed_current = 2.0, presumed_level = 3.0;

/// The water that waves run through: its current and its depth, which change with time.
///
///     ∂N/∂t + ∇·((cg d + U) N) + ∂(cσ N)/∂σ + ∂(cθ N)/∂θ = S/σ
///
/// (Bretherton & Garrett 1968, doi:10.1098/rspa.1968.0034). Along a ray M = N/J is constant as it is without a current, J = k/cg. With
/// W = ½k² (so that ∂W/∂σ = J, and σ_d J = −∂W/∂d) the fluxes are
///
///     edge e:         ℓ_e (U_e·n_e) J M, all of the cell upstream in U
///     frequency side: (−2 W d·C d − Σ_in (ℓ_e/A) (U_e·n_e) (W_beyond − W)) M, and −(W_new − W_old) M as the depth changes
///     direction side: −J (d·C m + rotation of the frame) M
///
/// C = ∂U_i/∂x_j from the same sums over edges. A uniform M stays uniform then: what the edges take in, both sides give away.
/// Memory: J and W of all cells, 3 values a frequency and one an edge.
class Flow {
public:
    explicit Flow(const PropagationTables& tables);

    /// ∂U_i/∂x_j of a cell: half the divergence; half of xx − yy; half of xy + yx; and how fast directions turn by the rotation of
    /// water and frame, s⁻¹.
    struct Strain {
        Real divergence = 0, along = 0, across = 0, rotation = 0;
        bool is_zero() const { return divergence == 0 && along == 0 && across == 0 && rotation == 0; }
    };

    std::vector<Real> drift;     ///< [edges] (ℓ/A) U·n, s⁻¹; 0 at closed edges
    std::vector<Real> x, y;      ///< [total] U in the cell's frame, m s⁻¹
    std::vector<Strain> strain;  ///< [total]
    std::vector<Real> outflow;   ///< [total] Σ max(0, drift), s⁻¹
    std::vector<double> depth;   ///< [total] m, of the still water now
    std::vector<double>
        depth_of_tables;            ///< [total] m, that wave numbers are of, but for the least depth of waves
    std::vector<std::uint8_t> dry;  ///< [total]
    /// [total] What leaves in a current of 1 m/s in the direction in which that is most, s⁻¹.
    std::vector<double> widest_outflow;
    std::vector<double> still_steps,
        steps;  ///< [owned] s, longest stable steps now: without a current, and with it

    /// [frequencies] J, s m⁻²; [frequencies + 1] W at the sides of the bins, the first one below bin 0, m⁻².
    const Real* densities(std::int32_t cell) const { return density_.data() + row(cell); }
    const Real* potentials(std::int32_t cell) const { return potential_.data() + row(cell); }
    int row_length() const { return stride_; }
    std::span<const Real> all_densities() const { return density_.span(); }
    std::span<const Real> all_potentials() const { return potential_.span(); }

    /// J and W from the wave numbers and group speeds that the tables have of the cell.
    void set_dispersion(const PropagationTables& tables, std::int32_t cell, double water_depth);
    /// From the current of all local cells, [total]. Marks the cells whose current, or that of a neighbour, is another one than
    /// before; false where none is.
    bool set_current(const PropagationTables& tables, std::span<const CellForcing> cells,
                     std::vector<std::uint8_t>& changed);
    /// For each direction of a grid, and 1/Δθ, rad⁻¹.
    static std::vector<flow_formulas::StrainedDirection> strained_directions(const SpectralGrid& grid);
    static Real per_radian(const SpectralGrid& grid) { return static_cast<Real>(1.0 / grid.direction_width); }

    bool steps_are_new = true;  ///< no step was set yet

private:
    void set_current_of(const PropagationTables& tables, std::span<const voronoi::Vector3> currents,
                        std::int32_t cell);
    std::size_t row(std::int32_t cell) const {
        return static_cast<std::size_t>(cell) * static_cast<std::size_t>(stride_);
    }

    int stride_;
    exec::Array<Real> density_, potential_;
};

}  // namespace groundswell::sea
