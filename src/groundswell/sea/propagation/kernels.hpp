#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

class PropagationTables;

/// Effect of currents and changing depths on the spectrum of each cell by itself, with the memory of its threads: one call at a time.
class FlowKernel {
public:
    virtual ~FlowKernel() = default;
    /// Turns and shifts owned local cells begin ≤ cell < end of n, [owned][stride], for dt seconds; empties dry ones.
    virtual void change_spectra(std::int32_t begin, std::int32_t end, Real* n, double dt) = 0;
    /// Shifts the action of one cell from its J and W, old_…, to those that the tables have now; may be called on several
    /// threads at once.
    virtual void change_depth(std::int32_t cell, Real* n, const Real* old_density,
                              const Real* old_potential) = 0;
};

/// The tables must have a flow and outlive the kernel.
std::unique_ptr<FlowKernel> make_flow_kernel(const PropagationTables& tables);

class FlowKernel;
class PropagationTables;
struct RotatedEdge;
struct RotatedWork;

/// One form of the propagation step, with the working memory of its threads: one call at a time.
class PropagationKernel {
public:
    virtual ~PropagationKernel() = default;
    /// Arguments as Propagator::propagate_cells.
    virtual void propagate(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old,
                           double dt) = 0;
    /// As those of Propagator, for the second order; elsewhere faces have no more than N says.
    virtual void use_images(std::int32_t /*first*/, Real* /*profiles*/) {}
    virtual void set_profiles(std::span<const std::int32_t> /*cells*/, std::int32_t /*first*/,
                              const Real* /*n_old*/, double /*dt*/) {}
    virtual void keep_half_profiles(std::span<const std::int32_t> /*image_of_cell*/, bool /*add*/) {}
};

/// Factory of the kernels of one instruction set. The tables must outlive the kernel; those of a flow must have one.
struct PropagationKernels {
    std::unique_ptr<PropagationKernel> (*make_upwind)(const PropagationTables& tables);
    std::unique_ptr<PropagationKernel> (*make_second_order)(const PropagationTables& tables);
    std::unique_ptr<FlowKernel> (*make_flow)(const PropagationTables& tables);
    exec::BlockFunction more_inflow, flow_step, depth_step;  ///< MoreInflow, FlowStep, DepthStep
    exec::BlockFunction second_order_still,
        second_order_flowing;                              ///< SecondOrderStep without currents and with them
    exec::BlockFunction profiles_still, profiles_flowing;  ///< SecondOrderProfileStep likewise
    exec::BlockFunction upwind_of_fours,
        upwind_of_bins;  ///< UpwindStep of four directions a lane, and of one
};

/// Those for exec::instruction_set(), out of the set of all kernels (kernels/kernel_set.cpp).
const PropagationKernels& propagation_kernels();

/// The tables must outlive the kernel.
std::unique_ptr<PropagationKernel> make_upwind_kernel(const PropagationTables& tables);
std::unique_ptr<PropagationKernel> make_second_order_kernel(const PropagationTables& tables);
/// Either scheme, in double precision, one bin at a time.
std::unique_ptr<PropagationKernel> make_plain_kernel(const PropagationTables& tables);

/// Sets across[directions] to how much of each direction, in the frame of the cell beyond, comes over an edge and gets there.
void set_leaving(const PropagationTables& tables, const RotatedEdge& edge, Real* across);

/// First order: action that enters `cell` in one step over the edges whose frames differ, added to inflow[bins].
void add_rotated_inflow(const PropagationTables& tables, std::int32_t cell, Real* inflow, const Real* n_old,
                        double dt, RotatedWork& work);

/// Adds what the current alone brings into `cell` over these edges, less what it takes away, to change[bins]; 0 without one.
void add_rotated_drift(const PropagationTables& tables, std::int32_t cell, Real* change, const Real* n_old,
                       double dt, RotatedWork& work);

/// Backward Euler for turning alone: solves n + dt ∂G(ratio·n)/∂θ = n_given in place for one row of
/// directions. step_x, step_y: dt·S of the cell at this frequency. Upwind in θ: positive, keeps the sum, any
/// dt.
void turn_implicitly(const PropagationTables& tables, Real* row, Real ratio, Real step_x, Real step_y);

}  // namespace groundswell::sea
