#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "groundswell/halo/row_range.hpp"
#include "groundswell/mesh/voronoi/local_mesh.hpp"
#include "groundswell/sea/forcing/cell_forcing.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::exec {
class Device;
enum class Stream : int;
}  // namespace groundswell::exec

/// Propagation of wave action over the mesh and over directions.
///
///     ∂N/∂t + ∇·(cg d N) + ∂(cθ N)/∂θ = 0,   d = (cos θ, sin θ),
///     cθ = (cg/k)(−sin θ ∂k/∂x + cos θ ∂k/∂y) + great circles
///
/// for the action density N(f,θ) of every cell; directions are relative to the cell's east. Depth refraction
/// and great-circle turning are one term. Along a ray M = cg N/k is constant (Longuet-Higgins 1957, Proc.
/// Camb. Phil. Soc. 53, 226–229), so the scheme carries M:
///
///     flux through edge e:        dv_e k_e (n_e·d) M_upwind
///     flux through θ_{j+1/2}:     Δθ/(2 sin Δθ/2) (−sin θ_{j+1/2} S_x + cos θ_{j+1/2} S_y) M_upwind
///     S = (1/A) Σ_e dv_e k_e n_e
///
/// with n_e the outward normal relative to the local east at the edge, and k_e the harmonic mean of the two
/// cells' wave numbers (mean phase speed; the speed at which action leaves a deep cell for a shallow one is
/// then never more than 2 cg). S is ∇k plus the curvature of the frame: k (0, −tan φ/R). Both fluxes are
/// taken from the same N, and M = constant makes them cancel to rounding on any mesh over any depth.
///
/// Where east turns too much across one cell (near the poles) a cell is `rotated`: its frame is the east at
/// its centre, carried along great circles, and a spectrum that crosses an edge of such a cell is turned by
/// the angle between the two frames, conservatively: rotated_frame.hpp.
///
/// Islands smaller than a cell dissipate a share of what crosses a face: propagation/obstruction.hpp. Second order, bins spread over
/// faces as their widths have it: spectrum/spreading.hpp.
///
/// Positive and conservative for steps up to longest_step(). Turning never limits the step: where it is too
/// fast for the explicit form the cell solves it implicitly (backward Euler, upwind in θ: positive, keeps M =
/// constant too).
namespace groundswell::sea {

enum class PropagationScheme {
    upwind,        ///< first order
    second_order,  ///< MUSCL–Hancock: limited gradients of M, face values at half time, one stage
};

enum class CoastBoundary {
    absorbing,  ///< action leaves, nothing enters (coast and rim of the mesh)
    closed,     ///< nothing passes; for tests of conservation
};

struct PropagationOptions {
    PropagationScheme scheme = PropagationScheme::upwind;
    CoastBoundary coast = CoastBoundary::absorbing;
    double minimum_depth = 2.0;  ///< m, > 0; shallower cells propagate as if this deep
    bool turning = true;         ///< depth refraction and great circles; off only for tests of the scheme
    bool limiter = true;  ///< second order: without it, negative action; off only for tests of the scheme
    double swell_age =
        0.0;  ///< s; second order: how much a bin spreads in space (spectrum/spreading.hpp); 0: not at all
    bool currents = false, levels = false;  ///< set_water() will be called, for either
    double dry_depth = 0.0;  ///< m; with levels, cells that are shallower are dry: they hold nothing
};

/// The cell and bin that set the longest stable step.
struct StepLimit {
    double seconds = 0.0;    ///< longest step that keeps action positive; infinite without cells
    std::int32_t cell = -1;  ///< local index of the limiting cell; -1 without cells
    int frequency = 0;
    int direction = 0;
};

class Inflow;
class PropagationTables;
class PropagationKernel;
class PropagationOnDevice;
class FlowKernel;
struct Obstruction;

class Propagator {
public:
    /// Builds tables for all local cells: about 4 values a frequency and 3 a mesh edge. Keeps a reference to
    /// `mesh`, which must outlive it and hold at least layers(options.scheme) rings of halo (else a Defect).
    /// `obstruction`: null, or of the edges of `mesh`; it is not needed afterwards.
    Propagator(const voronoi::LocalMesh& mesh, const SpectralGrid& grid, const PropagationOptions& options,
               const Obstruction* obstruction = nullptr);
    ~Propagator();
    Propagator(Propagator&&) noexcept;
    Propagator& operator=(Propagator&&) noexcept;

    /// Rings of halo cells that the update of an owned cell reads: 1 first order, 2 second order.
    static int layers(PropagationScheme scheme) { return scheme == PropagationScheme::upwind ? 1 : 2; }

    /// n_new = n_old propagated by dt seconds, for owned local cells begin ≤ cell < end, on the rank's
    /// threads. n_old: [total][stride], owned and halo. n_new: at least [owned][stride]; only cells of the
    /// range are written, bins only. 0 < dt ≤ longest_step() (not checked). A cell's result depends on n_old
    /// and dt alone, to the bit: not on the range, the threads, or the rank that computes it. Cells below
    /// mesh.interior() read no halo cell.
    void propagate_cells(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old, double dt);

    /// The same in double precision by plain loops, one bin at a time: what the fast form is tested against.
    void propagate_cells_plain(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old,
                               double dt);

    /// The same on a device, which lives longer, as this must: propagation/on_device.hpp.
    std::unique_ptr<PropagationOnDevice> on_device(exec::Device& device, exec::Stream stream) const;

    /// For each halo cell, in local order: the least cyclic range of directions, the same for all frequencies, that
    /// covers every bin of it that propagate_cells() uses for the owned cells. Bins outside may hold any
    /// finite number: they are multiplied by zero, so the result keeps its bits. First order takes from a
    /// cell only what travels towards the receiving cell; the second-order scheme needs all directions for
    /// its gradients. What a rank needs depends on how the mesh is cut; the result of a step never does.
    std::vector<halo::RowRange> needed_directions() const;

    /// With currents or levels: the water from now on, of all local cells, [total]. Wave numbers and all that follows from them
    /// are made anew where the depth changes, and the action of owned cells, `block`, is shifted in frequency with it; without
    /// `block` it is taken as that of this water already. A function of the water of now alone but for the action.
    void set_water(std::span<const CellForcing> cells, const std::function<Real*(std::int32_t)>& block);
    /// The same where a device has the action, which PropagationOnDevice::set_water() is to shift.
    struct NewWater {
        bool any;                         ///< it is not that of before
        std::vector<std::int32_t> cells;  ///< owned ones whose depth is another, or that are dry or no longer
    };
    NewWater set_water(std::span<const CellForcing> cells);
    /// The longest stable step of each owned cell now, s; without currents and levels longest_steps().
    std::span<const double> steps_now() const;
    /// Depth of the still water of a local cell now, m, not above 0 where it has fallen dry; and whether it is dry.
    double depth(std::int32_t cell) const { return depths()[cell]; }
    std::span<const double> depths() const;  ///< [total]
    bool is_dry(std::int32_t cell) const;
    bool has_water() const { return flow_kernel_ != nullptr; }

    /// Longest stable step of the owned cells (this rank's: the caller reduces over ranks) and what sets it.
    /// A function of mesh, spectrum and scheme only; with currents and levels with room for usual ones (presumed_current,
    /// presumed_level).
    const StepLimit& longest_step() const;

    /// PropagationOptions::swell_age.
    double swell_age() const;

    /// The longest stable step of each owned cell, s.
    std::span<const double> longest_steps() const;

    // For cells that read others which step at other rates by images of them (sea/clusters): local cells without edges, from
    // `first` on, of which n_old holds M at the time of the reader's step, as N.

    /// Second order: what the faces of images have, and not N: [image][M at half time, its gradient towards east and north
    /// (m⁻¹)][stride]. It must outlive this.
    void use_images(std::int32_t first, Real* profiles);
    /// The same of local cells in a step of dt seconds from n_old, into images first, first + 1, …
    void set_profiles(std::span<const std::int32_t> cells, std::int32_t first, const Real* n_old, double dt);
    /// From now on propagate_cells() sets image image_of_cell[cell], or adds to it, half of what the faces of that owned cell
    /// have; -1: nowhere. It must stay.
    void keep_half_profiles(std::span<const std::int32_t> image_of_cell, bool add);
    /// N of M, both [stride], of a local cell.
    void action_of_invariant(std::int32_t cell, const Real* m, Real* n) const;
    int bins() const;

    /// From now on a face between cells a and b lets √(share_a share_b) of what is on its way over it through; the rest is
    /// dissipated. `share`: of each cell of the mesh that this was made for, images included, 0 … 1.
    void let_through(std::span<const Real> share);

    /// From now on waves enter as `inflow` says, which may change between steps. To be called before the first step.
    void let_in(std::shared_ptr<const Inflow> inflow);
    /// Bearing of the local east at an edge, in the frame of its cell: 0 but for rotated cells.
    double frame_turn(std::int32_t cell, std::int32_t edge) const;

    /// Owned cells whose frame is rotated or that of a neighbour, ascending: spectra turn on their way into them.
    std::span<const std::int32_t> turning_frames() const;

    /// Wave numbers (rad m⁻¹) and group speeds (m s⁻¹) of a local cell, one per frequency.
    std::span<const Real> wave_number(std::int32_t cell) const;
    std::span<const Real> group_speed(std::int32_t cell) const;

private:
    std::unique_ptr<PropagationTables> tables_;
    std::unique_ptr<PropagationKernel> kernel_;
    std::unique_ptr<FlowKernel> flow_kernel_;  // null without currents and levels
};

}  // namespace groundswell::sea
