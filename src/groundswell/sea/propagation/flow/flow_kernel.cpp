#include "groundswell/sea/propagation/flow_kernel.hpp"

#include <algorithm>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/propagation/flow.hpp"
#include "groundswell/sea/propagation/flow/current_turning.hpp"
#include "groundswell/sea/propagation/flow/frequency_shift.hpp"
#include "groundswell/sea/propagation/flow_formulas.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {

namespace {

class SpectralFlow final : public FlowKernel {
public:
    explicit SpectralFlow(const PropagationTables& tables)
        : t_(tables),
          shift_(tables.grid),
          directions_(Flow::strained_directions(tables.grid)),
          per_radian_(Flow::per_radian(tables.grid)) {
        for (int thread = 0; thread < exec::threads(); ++thread) workspaces_.emplace_back(tables);
    }

    void change_spectra(std::int32_t begin, std::int32_t end, Real* n, double dt) override {
        exec::for_each_cell(begin, end, [&](std::int32_t cell) {
            Real* const block = n + static_cast<std::size_t>(cell) * t_.grid.stride();
            if (t_.flow->dry[cell])
                std::fill_n(block, t_.grid.stride(), Real(0));
            else
                change_cell(cell, block, static_cast<Real>(dt), workspaces_[exec::thread_index()]);
        });
    }

    void change_depth(std::int32_t cell, Real* n, const Real* old_density,
                      const Real* old_potential) override {
        Workspace& w = workspaces_[exec::thread_index()];
        const Real* const density = t_.flow->densities(cell);
        const Real* const potential = t_.flow->potentials(cell);
        for (int f = 0; f < t_.grid.frequencies; ++f) w.growth[f] = density[f] - old_density[f];
        for (int side = 0; side <= t_.grid.frequencies; ++side)
            w.even[side] = old_potential[side] - potential[side];
        shift_.apply(n, old_density, w.growth.data(), {w.even.data()}, w.shift);
    }

private:
    struct Workspace {
        explicit Workspace(const PropagationTables& t)
            : strain(t.grid.directions),
              courant(t.direction_stride),
              even(t.grid.frequencies + 1),
              strained(t.grid.frequencies + 1),
              growth(t.grid.frequencies),
              shift(t.grid),
              turning(t.grid.directions) {}
        std::vector<Real> strain, courant;  // [directions], [direction_stride]
        std::vector<Real> even, strained;   // [frequencies + 1]
        std::vector<Real> growth;           // [frequencies]
        FrequencyShift::Work shift;
        TurningWork turning;
    };

    void change_cell(std::int32_t cell, Real* n, Real dt, Workspace& w) const {
        const Flow& flow = *t_.flow;
        const SpectralGrid& grid = t_.grid;
        const Flow::Strain& strain = flow.strain[cell];
        const bool deepens = find_even(cell, dt, w);
        if (strain.is_zero() && !deepens) return;
        for (int j = 0; j < grid.directions; ++j) {
            w.strain[j] = directions_[j].strain(strain);
            w.courant[j] = directions_[j].courant(strain, dt, per_radian_);
        }
        if (t_.options.turning)
            turn_by_current(n, grid.frequencies, grid.directions, w.courant.data(), w.turning);
        const Real* const potential = flow.potentials(cell);
        for (int side = 0; side <= grid.frequencies; ++side) w.strained[side] = -2 * dt * potential[side];
        shift_.apply(n, flow.densities(cell), nullptr, {w.even.data(), w.strained.data(), w.strain.data()},
                     w.shift);
    }

    // What a current over a slope shifts, whatever the direction; false where there is none.
    bool find_even(std::int32_t cell, Real dt, Workspace& w) const {
        const Flow& flow = *t_.flow;
        const Real* const own = flow.potentials(cell);
        std::ranges::fill(w.even, Real(0));
        bool any = false;
        for (std::int32_t e = t_.mesh.edge_offset[cell]; e < t_.mesh.edge_offset[cell + 1]; ++e) {
            const std::int32_t beyond = t_.mesh.neighbour[e];
            if (beyond < 0 || !(flow.drift[e] < 0)) continue;
            const Real* const there = flow.potentials(beyond);
            if (std::equal(own, own + t_.grid.frequencies + 1, there)) continue;
            any = true;
            for (int side = 0; side <= t_.grid.frequencies; ++side)
                w.even[side] -= flow_formulas::shifted_over_edge(dt, flow.drift[e], there[side], own[side]);
        }
        return any;
    }

    const PropagationTables& t_;
    const FrequencyShift shift_;
    std::vector<Workspace> workspaces_;
    const std::vector<flow_formulas::StrainedDirection> directions_;
    const Real per_radian_;
};

}  // namespace

std::unique_ptr<FlowKernel> make_flow_kernel(const PropagationTables& tables) {
    return std::make_unique<SpectralFlow>(tables);
}

}  // namespace groundswell::sea
