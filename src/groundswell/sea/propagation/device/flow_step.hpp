#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "groundswell/exec/device/block.hpp"
#include "groundswell/sea/propagation/device/tables.hpp"
#include "groundswell/sea/propagation/flow_formulas.hpp"

namespace groundswell::sea {

/// Tables of currents and depths besides DeviceTables.
struct FlowTables {
    int row;                                ///< Flow::row_length()
    int turns;                              ///< 0 or 1
    Real per_radian;                        ///< Flow::per_radian()
    std::span<const Real> strain;           ///< [cell][4] Flow::strain
    std::span<const Real> density;          ///< [cell][row] Flow::densities()
    std::span<const Real> potential;        ///< [cell][row] Flow::potentials()
    std::span<const Real> directions;       ///< [direction][4] Flow::strained_directions()
    std::span<const Real> width, distance;  ///< [frequency] as FrequencyShift has them

    constexpr void arrays(const auto& visit) const {
        for (const auto* table : {&strain, &density, &potential, &directions, &width, &distance})
            visit(*table);
    }
    constexpr const Real* densities(std::int32_t cell) const { return of(density, cell); }
    constexpr const Real* potentials(std::int32_t cell) const { return of(potential, cell); }
    constexpr const Real* of(std::span<const Real> table, std::int32_t cell) const {
        return table.data() + static_cast<std::int64_t>(cell) * row;
    }
};

/// Turns and shifts the spectrum of one cell, which stands in the scratch of a block meanwhile: as turn_by_current() and FrequencyShift.
template <class Block>
class SpectrumOfBlock {
public:
    constexpr SpectrumOfBlock(Block& block, const FlowTables& tables, int frequencies, int directions)
        : even(numbers(block, frequencies + 1)),
          strained(numbers(block, frequencies + 1)),
          strain(numbers(block, directions)),
          courant(numbers(block, directions)),
          block_(block),
          tables_(tables),
          frequencies_(frequencies),
          directions_(directions),
          density_(numbers(block, frequencies)),
          out_(numbers(block, std::max(frequencies, directions))),
          action_(numbers(block, frequencies * directions)),
          invariant_(numbers(block, frequencies * directions)),
          slope_(numbers(block, frequencies * directions)),
          flux_(numbers(block, (frequencies + 1) * directions)) {}
    static constexpr std::size_t scratch_bytes(int frequencies, int directions) {
        return sizeof(Real) * static_cast<std::size_t>(2 * (frequencies + 1) + 2 * directions + frequencies +
                                                       std::max(frequencies, directions) +
                                                       (4 * frequencies + 1) * directions);
    }

    Real *const even, *const strained;   ///< [frequencies + 1] FrequencyShift::Flux, to be set before shift()
    Real *const strain, *const courant;  ///< [directions] likewise, and before turn()

    constexpr void load(const Real* n) const {
        block_.lanes(bins(), [&](int bin) { action_[bin] = n[bin]; });
    }
    constexpr void store(Real* n) const {
        block_.lanes(bins(), [&](int bin) { n[bin] = action_[bin]; });
    }

    constexpr void turn() const {
        const int n = directions_;
        block_.lanes(n, [&](int j) { out_[j] = flow_formulas::turning_out(courant, j, n); });
        block_.sync();
        const int parts = flow_formulas::parts_of(largest_out(n), flow_formulas::most_turning);
        const Real share = Real(1) / static_cast<Real>(parts);
        const auto below = [n](int bin) { return bin % n == 0 ? bin + n - 1 : bin - 1; };
        const auto above = [n](int bin) { return bin % n == n - 1 ? bin - n + 1 : bin + 1; };
        for (int part = 0; part < parts; ++part) {
            block_.lanes(bins(), [&](int bin) {
                const Real here = action_[bin];
                slope_[bin] = flow_formulas::limited(here - action_[below(bin)], action_[above(bin)] - here);
            });
            block_.sync();
            block_.lanes(bins(), [&](int bin) {
                flux_[bin] = flow_formulas::turning_flux(share * courant[bin % n], action_[bin], slope_[bin],
                                                         action_[above(bin)], slope_[above(bin)]);
            });
            block_.sync();
            block_.lanes(bins(),
                         [&](int bin) { action_[bin] = action_[bin] - (flux_[bin] - flux_[below(bin)]); });
            block_.sync();
        }
    }

    /// `density`: [frequencies] J; `growth(i)`: what it gains.
    template <class Growth>
    constexpr void shift(const Real* density, const Growth& growth) const {
        const int n = directions_, last = frequencies_ - 1;
        Real least = strain[0], most = strain[0];
        for (int j = 1; j < n; ++j) {
            least = std::min(least, strain[j]);
            most = std::max(most, strain[j]);
        }
        block_.lanes(frequencies_, [&](int i) {
            out_[i] =
                flow_formulas::shift_out(i, tables_.width[i], density[i], least, most,
                                         [&](int side, Real at) { return even[side] + strained[side] * at; });
        });
        block_.sync();
        const int parts = flow_formulas::parts_of(largest_out(frequencies_), flow_formulas::most_shift);
        const Real share = Real(1) / static_cast<Real>(parts);
        for (int part = 0; part < parts; ++part) {
            block_.lanes(frequencies_, [&](int i) {
                density_[i] = flow_formulas::density_of_part(density[i], growth(i), share, part);
            });
            block_.sync();
            block_.lanes(bins(),
                         [&](int bin) { invariant_[bin] = Real(1) / density_[bin / n] * action_[bin]; });
            block_.sync();
            block_.lanes(bins(), [&](int bin) {
                const int i = bin / n;
                slope_[bin] = i == 0 || i == last
                                  ? Real(0)
                                  : flow_formulas::shift_slope(invariant_[bin - n], invariant_[bin],
                                                               invariant_[bin + n], tables_.distance[i],
                                                               tables_.distance[i + 1]);
            });
            block_.sync();
            block_.lanes(bins() + n, [&](int at) {
                const int side = at / n, under = side > 0 ? at - n : at, over = side > last ? at - n : at;
                flux_[at] = flow_formulas::shift_side(side, frequencies_, tables_.width.data(), density_,
                                                      share, even[side], strained[side])
                                .flux(strain[at % n], invariant_[under], slope_[under], invariant_[over],
                                      slope_[over]);
            });
            block_.sync();
            block_.lanes(bins(), [&](int bin) {
                action_[bin] =
                    action_[bin] - (flux_[bin + n] - flux_[bin]) * (Real(1) / tables_.width[bin / n]);
            });
            block_.sync();
        }
    }

private:
    static constexpr Real* numbers(Block& block, int size) {
        return block.template scratch<Real>(static_cast<std::size_t>(size));
    }
    constexpr int bins() const { return frequencies_ * directions_; }
    constexpr Real largest_out(int n) const {
        Real largest = 0;
        for (int i = 0; i < n; ++i) largest = std::max(largest, out_[i]);
        return largest;
    }

    Block& block_;
    const FlowTables& tables_;
    const int frequencies_, directions_;
    Real *const density_, *const out_;
    Real *const action_, *const invariant_, *const slope_;  // [frequencies][directions]
    Real* const flux_;                                      // [frequencies + 1][directions]
};

/// As FlowKernel::change_spectra(), one block for a cell.
struct FlowStep {
    static constexpr int most_lanes = 128, blocks_at_once = 4;

    DeviceTables t;
    FlowTables w;
    std::span<Real> n;
    std::int32_t first;  ///< cell of the first block
    Real dt;

    constexpr void arrays(const auto& visit) const {
        t.arrays(visit);
        w.arrays(visit);
        visit(n);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t cell = first + block.index();
        const int sides = t.grid.frequencies + 1;
        Real* const own = n.data() + cell * t.grid.stride();
        if (t.dry[cell] != 0) {
            block.lanes(t.grid.cell_stride, [&](int bin) { own[bin] = Real(0); });
            return;
        }
        const SpectrumOfBlock<Block> spectrum(block, w, t.grid.frequencies, t.grid.directions);
        const Strain strain{w.strain[4 * static_cast<std::size_t>(cell)],
                            w.strain[4 * static_cast<std::size_t>(cell) + 1],
                            w.strain[4 * static_cast<std::size_t>(cell) + 2],
                            w.strain[4 * static_cast<std::size_t>(cell) + 3]};
        block.lanes(sides, [&](int side) {
            spectrum.even[side] = even(cell, side);
            spectrum.strained[side] = -2 * dt * w.potentials(cell)[side];
        });
        block.sync();
        bool acts = strain.divergence != 0 || strain.along != 0 || strain.across != 0 || strain.rotation != 0;
        for (int side = 0; side < sides; ++side) acts = acts || spectrum.even[side] != 0;
        if (!acts) return;
        spectrum.load(own);
        block.lanes(t.grid.directions, [&](int j) {
            const Real* const of = w.directions.data() + 4 * j;
            const flow_formulas::StrainedDirection direction{of[0], of[1], of[2], of[3]};
            spectrum.strain[j] = direction.strain(strain);
            spectrum.courant[j] = direction.courant(strain, dt, w.per_radian);
        });
        block.sync();
        if (w.turns != 0) spectrum.turn();
        spectrum.shift(w.densities(cell), [](int) { return Real(0); });
        spectrum.store(own);
    }

private:
    struct Strain {
        Real divergence, along, across, rotation;
    };
    // Shift of a current over a slope at a side, whatever the direction.
    constexpr Real even(std::int32_t cell, int side) const {
        Real sum = 0;
        if (t.drift.empty()) return sum;
        for (std::int32_t e = t.mesh.edge_offset[cell]; e < t.mesh.edge_offset[cell + 1]; ++e) {
            const std::int32_t beyond = t.mesh.neighbour[e];
            if (beyond < 0 || !(t.drift[e] < 0)) continue;
            sum -= flow_formulas::shifted_over_edge(dt, t.drift[e], w.potentials(beyond)[side],
                                                    w.potentials(cell)[side]);
        }
        return sum;
    }
};

/// As FlowKernel::change_depth(), or the end of a cell that has fallen dry, one block for a cell.
struct DepthStep {
    static constexpr int most_lanes = 128, blocks_at_once = 4;

    DeviceTables t;
    FlowTables w;
    std::span<Real> n;
    std::span<const std::int32_t> cell;                      ///< [block]
    std::span<const Real> density_before, potential_before;  ///< [cell][row]

    constexpr void arrays(const auto& visit) const {
        t.arrays(visit);
        w.arrays(visit);
        visit(n);
        visit(cell);
        visit(density_before);
        visit(potential_before);
    }

    template <class Block>
    constexpr void operator()(Block& block) const {
        const std::int32_t here = cell[block.index()];
        Real* const own = n.data() + here * t.grid.stride();
        if (t.dry[here] != 0) {
            block.lanes(t.grid.cell_stride, [&](int bin) { own[bin] = Real(0); });
            return;
        }
        const SpectrumOfBlock<Block> spectrum(block, w, t.grid.frequencies, t.grid.directions);
        const Real *const density = w.of(density_before, here), *const potential =
                                                                    w.of(potential_before, here);
        spectrum.load(own);
        block.lanes(t.grid.frequencies + 1, [&](int side) {
            spectrum.even[side] = potential[side] - w.potentials(here)[side];
            spectrum.strained[side] = Real(0);
        });
        block.lanes(t.grid.directions, [&](int j) { spectrum.strain[j] = Real(0); });
        block.sync();
        spectrum.shift(density, [&](int i) { return w.densities(here)[i] - density[i]; });
        spectrum.store(own);
    }
};

/// exec::Program::entry of these two; null in a program that was built without CUDA.
const void* flow_cuda_entry();
const void* depth_cuda_entry();

}  // namespace groundswell::sea
