#pragma once

#include <cstdint>
#include <memory>

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

}  // namespace groundswell::sea
