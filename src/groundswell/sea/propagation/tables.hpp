#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "groundswell/exec/array.hpp"
#include "groundswell/sea/lanes.hpp"
#include "groundswell/sea/propagation/flow.hpp"
#include "groundswell/sea/propagation/formulas.hpp"
#include "groundswell/sea/propagation/inflow.hpp"
#include "groundswell/sea/propagation/obstruction.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/propagation/rotated_frame.hpp"
#include "groundswell/sea/spectrum/spreading.hpp"

namespace groundswell::sea {

/// An edge of which at least one cell is rotated: what crosses it into the cell changes frames.
struct RotatedEdge {
    std::int32_t edge;          ///< index into the mesh's edge arrays, seen from the receiving cell
    Real normal_x, normal_y;    ///< normal out of the neighbour, in the neighbour's frame
    Real half_x, half_y;        ///< from the neighbour's centre to the middle of the edge, m, likewise
    SpectrumRotation rotation;  ///< from the neighbour's frame to the cell's
    halo::RowRange outward;     ///< directions that leave the neighbour, in its frame
};

/// Share of its content that a cell may give away in a step. Face values of the second-order scheme may then be up to twice
/// the cell's value, so half as much leaves before it could run out.
constexpr double outflow_limit(PropagationScheme scheme) {
    return scheme == PropagationScheme::upwind ? 1.0 : 0.5;
}

/// A number for each direction, with others on both sides for registers that reach beyond a row.
class DirectionTable {
public:
    DirectionTable() = default;
    /// Directions -lanes::table_width … stride+lanes::table_width-1.
    explicit DirectionTable(int stride)
        : values_(static_cast<std::size_t>(stride + 2 * lanes::table_width)) {}
    Real* data() { return values_.data() + lanes::table_width; }
    const Real* data() const { return values_.data() + lanes::table_width; }
    const Real& operator[](std::size_t i) const { return data()[i]; }

private:
    exec::Array<Real> values_;
};

/// All that the kernels read besides the state. Rows over frequencies and over directions are padded to whole
/// registers (frequency_stride, direction_stride).
class PropagationTables {
public:
    /// `obstruction`: null, or of the edges of `mesh`; it is not needed afterwards.
    PropagationTables(const voronoi::LocalMesh& mesh, const SpectralGrid& grid,
                      const PropagationOptions& options, const Obstruction* obstruction = nullptr);

    const voronoi::LocalMesh& mesh;
    const SpectralGrid grid;
    const PropagationOptions options;
    const int frequency_stride, direction_stride;
    const Real largest_explicit_outflow;  ///< in one step, as a share of the bin: beyond, turning is implicit
    const Spreading spreading;

    // Cells: [total][frequency_stride]; padding holds wave number 1 and speeds 0.
    exec::Array<Real> wave_number;  ///< k
    exec::Array<Real> group_speed;  ///< cg
    exec::Array<Real> ratio;        ///< cg/k, so that M = ratio · N

    // Edges, in the mesh's order.
    std::vector<Real> rate;                ///< dv/A of the edge's cell, m⁻¹
    std::vector<Real> normal_x, normal_y;  ///< outward normal in the cell's frame

    // Directions go round the circle, as far as the table reaches.
    DirectionTable cosine, sine;
    // Turning rate (bins per second and unit of M) through the upper and lower side of bin j: x·S_x + y·S_y.
    DirectionTable turn_upper_x, turn_upper_y, turn_lower_x, turn_lower_y;

    /// [total][frequency_stride] Largest share of a bin (s⁻¹) that leaves through edges, by turning and by spreading, M as
    /// in the cell's middle, but for what a current takes away.
    exec::Array<Real> outflow_rate;

    /// [total] 1 for rotated cells.
    std::vector<std::uint8_t> rotated;
    /// Cells that have rotated edges, ascending, the owned ones before those of the halo, and their edges: cell i of the list has
    /// [begin[i], begin[i+1]).
    std::vector<std::int32_t> rotated_edge_cell, rotated_edge_begin;
    std::vector<RotatedEdge> rotated_edges;
    std::size_t owned_with_rotated_edges = 0;

    /// Share of what is on its way over an edge into its owned cell that gets there, by direction, in the frame of the cell that it
    /// leaves: a row for each obstructed edge. Null where all does.
    const Real* transparency(std::int32_t edge) const {
        if (transparency_row.empty() || transparency_row[edge] < 0) return nullptr;
        return transparencies[transparency_row[edge]].data();
    }
    /// As Propagator::let_through(): of what is on its way over an edge; empty where all is.
    std::vector<Real> passing;
    /// Does all that comes over an edge get there?
    bool lets_all_in(std::int32_t edge) const {
        return transparency(edge) == nullptr && (passing.empty() || passing[edge] == Real(1));
    }
    /// Multiplies entering[first … last), by direction, by the share that gets there.
    void obstruct(std::int32_t edge, Real* entering, int first, int last) const {
        const Real* const through = transparency(edge);
        const Real share = passing.empty() ? Real(1) : passing[edge];
        for (int d = first; d < last; ++d)
            entering[d] = obstructed(entering[d], through != nullptr ? through + d : nullptr, share);
    }

    StepLimit longest_step;
    std::vector<double> longest_steps;  ///< [owned] s, of each cell

    std::unique_ptr<Flow> flow;  ///< null without currents and levels
    std::shared_ptr<const Inflow>
        inflow;  ///< as Propagator::let_in(); null: nothing enters over faces at which the mesh ends

    /// As Propagator::set_water(). `depth_changed` is called for owned cells whose depth is another one, when its wave numbers are
    /// made anew, with the J and W that the cell had, on any thread. What stays as it was costs nothing but to be looked at.
    using DepthChanged = std::function<void(std::int32_t cell, const Real* density, const Real* potential)>;
    /// False where nothing did change.
    bool set_water(std::span<const CellForcing> cells, const DepthChanged& depth_changed);

    const Real* wave_numbers(std::int32_t cell) const { return row(wave_number, cell); }
    const Real* group_speeds(std::int32_t cell) const { return row(group_speed, cell); }
    const Real* ratios(std::int32_t cell) const { return row(ratio, cell); }
    const Real* outflow_rates(std::int32_t cell) const { return row(outflow_rate, cell); }
    /// Addition of the current to each of them, s⁻¹.
    Real drift_outflow(std::int32_t cell) const { return flow ? flow->outflow[cell] : Real(0); }
    Real outflow(std::int32_t cell, int frequency) const {
        return outflow_rates(cell)[frequency] + drift_outflow(cell);
    }

    /// Does the edge take the path of frames that turn?
    bool crosses_frames(std::int32_t cell, std::int32_t neighbour) const {
        return neighbour >= 0 && (rotated[cell] | rotated[neighbour]);
    }
    /// Does action leave through the edge?
    bool open(std::int32_t neighbour) const {
        return neighbour >= 0 || (neighbour == voronoi::coast && options.coast == CoastBoundary::absorbing);
    }
    /// Does a bin spread over the edge?
    bool spreads(std::int32_t cell, std::int32_t neighbour) const {
        return spreading.any() && neighbour >= 0 && !crosses_frames(cell, neighbour) &&
               !(flow && (flow->dry[cell] | flow->dry[neighbour]));
    }
    bool lets_in(std::int32_t cell) const { return inflow && inflow->has(cell); }
    /// Bearing of the local east at an edge, in the frame of `cell`: 0 but for rotated cells.
    double frame_turn(std::int32_t cell, std::size_t edge) const;
    /// Rotated edges of a cell; empty for most.
    std::span<const RotatedEdge> rotated_edges_of(std::int32_t cell) const;

    /// Spectrum beyond an edge over which waves enter, at the face itself; null elsewhere, and in rotated cells.
    const Real* beyond_rim(std::int32_t cell, std::int32_t edge) const {
        return inflow && rotated[cell] == 0 ? inflow->beyond_edge(edge) : nullptr;
    }
    /// From a cell's centre to the middle of such a face, m.
    double distance_to_rim(std::int32_t cell, std::int32_t edge) const;

    /// Inverse (xx, xy, yy) of Σ n nᵀ over the neighbours, and faces over which waves enter: least-squares gradient of
    /// M from its slopes (M_neighbour − M)/distance along the normals. Zero where they span no plane.
    std::array<Real, 3> gradient_matrix(std::int32_t cell) const;

    /// As Propagator::needed_directions().
    std::vector<halo::RowRange> needed_directions() const;

    /// Is turning too fast for the explicit form? `frequency`: index.
    bool turns_implicitly(std::int32_t cell, int frequency, double dt) const {
        return static_cast<Real>(dt) * outflow(cell, frequency) > largest_explicit_outflow;
    }
    /// Largest excess of a face value over M, in units of M, with which a bin that turns explicitly cannot
    /// give away more than it has; bounded for the sake of rounding where hardly anything leaves.
    Real largest_excess(std::int32_t cell, int frequency, double dt) const {
        return sea::largest_excess(outflow(cell, frequency), dt);
    }

private:
    // Marks the directions that go along (x, y), as kernels see it; the least range of them.
    void mark_along(Real x, Real y, std::uint8_t* marked) const;
    halo::RowRange directions_along(Real x, Real y) const;

    const Real* row(const exec::Array<Real>& table, std::int32_t cell) const {
        return table.data() + static_cast<std::size_t>(cell) * static_cast<std::size_t>(frequency_stride);
    }
    void fill_dispersion(double added_depth = 0.0);
    void set_dispersion(std::int32_t cell, double depth);
    /// Sets the row of outflow_rate and returns what limits the cell. `out`: [directions], scratch.
    StepLimit find_limit(std::int32_t cell, std::vector<double>& out);
    double widest_outflow(std::int32_t cell) const;
    double spread_outflow(std::int32_t cell, int frequency) const;
    void start_flow();
    double find_still_limit(std::int32_t cell);
    double outflow_over_edges(std::int32_t cell, int frequency) const;
    void find_still_limits(std::vector<std::uint8_t>& changed);
    bool set_levels(std::span<const CellForcing> cells, const DepthChanged& depth_changed,
                    std::vector<std::uint8_t>& changed);
    void fill_directions();
    void fill_edges();
    void fill_rotated_edges();
    void fill_limits();
    void fill_transparencies(const Obstruction& obstruction);

    std::vector<std::int32_t> transparency_row;  // [edge], or empty
    std::vector<DirectionTable> transparencies;
};

/// Working memory of one thread for edges between frames.
struct RotatedWork {
    exec::Array<Real> across;  ///< [direction_stride]
    exec::Array<Real> factor;  ///< [frequency_stride]
    TurningRows rows;

    explicit RotatedWork(const PropagationTables& tables)
        : across(static_cast<std::size_t>(tables.direction_stride)),
          factor(static_cast<std::size_t>(tables.frequency_stride)),
          rows(tables.grid.directions) {}
};

}  // namespace groundswell::sea
