#include <algorithm>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/propagation/flow.hpp"
#include "groundswell/sea/propagation/flow/frequency_shift.hpp"
#include "groundswell/sea/propagation/flow_formulas.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/tables.hpp"
#include "groundswell/sea/real.hpp"

namespace groundswell::sea {

namespace {

// Refraction by a current: turning at the rate
//
//     cθ = −d·(m·∇)U,   d = (cos θ, sin θ), m = (−sin θ, cos θ)
//
// (Longuet-Higgins & Stewart 1961, J. Fluid Mech. 10, 529–549; Tolman 1991, J. Phys. Oceanogr. 21, 782–797, eq. 5), the same for
// all frequencies. Flux form with a limited linear profile at half time (van Leer 1977), as in FrequencyShift: second order,
// conservative, positive.

// Memory of one thread, for rows of `directions`.
struct TurningWork {
    static constexpr int rows = 4;  ///< turned side by side
    explicit TurningWork(int directions) : stride(lanes::padded(directions) + 3 * lanes::table_width) {
        for (exec::Array<Real>* array : {&row, &slope, &flux}) {
            *array = exec::Array<Real>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride));
            std::fill_n(array->data(), array->size(), Real(0));
        }
    }
    int stride;  ///< from one row to the next
    exec::Array<Real> row, slope,
        flux;  ///< [rows][stride], with room on both sides for registers that reach beyond a row
};

// Several rows side by side: a load across values that have just been stored waits for them, and other rows fill that time.
void turn_rows(Real* rows, int number, int n, const Real* courant, int parts, TurningWork& work) {
    using lanes::Lane, lanes::load, lanes::store;
    const auto of_row = [&work](exec::Array<Real>& array, int i) {
        return array.data() + i * work.stride + lanes::table_width;
    };
    const Real share = Real(1) / static_cast<Real>(parts);
    for (int i = 0; i < number; ++i) rows::copy(of_row(work.row, i), rows + i * n, n);
    for (int part = 0; part < parts; ++part) {
        for (int i = 0; i < number; ++i) {
            // Two more on either side are those of the other end of the circle.
            Real* const v = of_row(work.row, i);
            v[-2] = v[n - 2];
            v[-1] = v[n - 1];
            v[n] = v[0];
            v[n + 1] = v[1];
        }
        for (int i = 0; i < number; ++i) {
            const Real* const v = of_row(work.row, i);
            Real* const slope = of_row(work.slope, i);
            for (int j = -1; j < n + 1; j += lanes::width) {
                const Lane here = load(v + j);
                store(slope + j, flow_formulas::limited(here - load(v + j - 1), load(v + j + 1) - here));
            }
        }
        for (int i = 0; i < number; ++i) {
            const Real *const v = of_row(work.row, i), *const slope = of_row(work.slope, i);
            Real* const flux = of_row(work.flux, i);
            for (int j = 0; j < n; j += lanes::width) {
                const Lane c = share * load(courant + j);
                store(flux + j, flow_formulas::turning_flux(c, load(v + j), load(slope + j), load(v + j + 1),
                                                            load(slope + j + 1)));
            }
            flux[-1] = flux[n - 1];
        }
        for (int i = 0; i < number; ++i) {
            Real* const v = of_row(work.row, i);
            const Real* const flux = of_row(work.flux, i);
            for (int j = 0; j < n; j += lanes::width)
                store(v + j, load(v + j) - (load(flux + j) - load(flux + j - 1)));
        }
    }
    for (int i = 0; i < number; ++i) rows::copy(rows + i * n, of_row(work.row, i), n);
}

// Turns rows [rows][directions] in place. `courant`: [directions, and to the end of a register] cθ Δt/Δθ at the upper side of each
// direction; what stands behind them is of no effect. A step in which
// a bin would give away more than it has is taken in equal parts.
void turn_by_current(Real* rows, int number, int directions, const Real* courant, TurningWork& work) {
    Real largest = 0;
    for (int j = 0; j < directions; ++j)
        largest = std::max(largest, flow_formulas::turning_out(courant, j, directions));
    const int parts = flow_formulas::parts_of(largest, flow_formulas::most_turning);
    for (int i = 0; i < number; i += TurningWork::rows)
        turn_rows(rows + i * directions, std::min(TurningWork::rows, number - i), directions, courant, parts,
                  work);
}

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
