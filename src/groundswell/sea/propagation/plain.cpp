#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/plain_rows.hpp"
#include "groundswell/sea/propagation/tables.hpp"

// The scheme as it reads on paper, in double precision. Nothing here is shared with the fast forms but the
// tables, the rotation of spectra and the implicit turning, which have tests of their own.
namespace groundswell::sea {
namespace {

using namespace plain_form;

class Plain {
public:
    Plain(const PropagationTables& tables, const Real* n_old, double dt)
        : t_(tables), n_old_(n_old), dt_(dt) {}

    void cell(std::int32_t cell, Real* n_new, Workspace& w) const {
        std::fill(w.rotated_inflow.begin(), w.rotated_inflow.end(), Real(0));
        if (upwind())
            add_rotated_inflow(t_, cell, w.rotated_inflow.data(), n_old_, dt_, w.rotated_work);
        else
            add_rotated_drift(t_, cell, w.rotated_inflow.data(), n_old_, dt_, w.rotated_work);
        if (t_.inflow) t_.inflow->add(t_, cell, w.rotated_inflow.data(), dt_);
        for (int f = 0; f < t_.grid.frequencies; ++f) row(cell, f, n_new, w);
    }

private:
    bool upwind() const { return t_.options.scheme == PropagationScheme::upwind; }
    double invariant(std::int32_t cell, int f, int d) const {
        return t_.ratios(cell)[f] *
               static_cast<double>(n_old_[offset(cell, f) + static_cast<std::size_t>(d)]);
    }
    std::size_t offset(std::int32_t cell, int f) const {
        return static_cast<std::size_t>(cell) * t_.grid.stride() +
               static_cast<std::size_t>(f * t_.grid.directions);
    }
    // dv k_e/A of an edge.
    double strength(std::int32_t cell, std::size_t e, int f) const {
        const std::int32_t neighbour = t_.mesh.neighbour[e];
        const double own = t_.wave_numbers(cell)[f];
        return t_.rate[e] * edge_wave_number(own, neighbour >= 0 ? t_.wave_numbers(neighbour)[f] : own);
    }
    // What spreads over an edge of what M is more here than there.
    double spread(std::int32_t cell, std::size_t e, int f, int d) const {
        const std::int32_t neighbour = t_.mesh.neighbour[e];
        if (!t_.spreads(cell, neighbour)) return 0.0;
        const double along = t_.normal_x[e] * t_.cosine[d] + t_.normal_y[e] * t_.sine[d];
        const double speed = t_.group_speeds(cell)[f], beyond = t_.group_speeds(neighbour)[f];
        return dt_ * strength(cell, e, f) * share(e, d) *
               t_.spreading.share(speed, beyond, t_.mesh.edge_distance[e]) *
               (t_.spreading.across * (1.0 - along * along) + t_.spreading.along * along * along);
    }
    // The share of what enters over an edge that gets through.
    double share(std::size_t e, int d) const {
        const Real* const through = t_.transparency(static_cast<std::int32_t>(e));
        return (through != nullptr ? static_cast<double>(through[d]) : 1.0) *
               (t_.passing.empty() ? 1.0 : static_cast<double>(t_.passing[e]));
    }
    // dt S, or 0 when turning is off.
    std::pair<double, double> turning_step(std::int32_t cell, int f) const {
        double x = 0.0, y = 0.0;
        for_each_edge(cell, [&](std::size_t e) {
            x += dt_ * strength(cell, e, f) * t_.normal_x[e];
            y += dt_ * strength(cell, e, f) * t_.normal_y[e];
        });
        return {x, y};
    }
    template <class Body>
    void for_each_edge(std::int32_t cell, const Body& body) const {
        const auto c = static_cast<std::size_t>(cell);
        for (std::int32_t e = t_.mesh.edge_offset[c]; e < t_.mesh.edge_offset[c + 1]; ++e)
            body(static_cast<std::size_t>(e));
    }
    bool regular(std::int32_t cell, std::size_t e) const {
        const std::int32_t neighbour = t_.mesh.neighbour[e];
        return neighbour >= 0 && !t_.crosses_frames(cell, neighbour);
    }
    const RotatedEdge& rotated_edge(std::int32_t cell, std::size_t e) const {
        return *std::ranges::find(t_.rotated_edges_of(cell), static_cast<std::int32_t>(e),
                                  &RotatedEdge::edge);
    }
    // M beyond an edge, in the frame of the cell.
    void fill_beyond(Row& result, std::int32_t cell, std::size_t e, int f, Workspace& w) const {
        const std::int32_t neighbour = t_.mesh.neighbour[e];
        const bool turns = neighbour >= 0 && !regular(cell, e);
        Row& row = turns ? w.row : result;
        for (std::size_t d = 0; d < row.size() && has_slope(cell, e); ++d)
            row[d] = neighbour >= 0
                         ? invariant(neighbour, f, static_cast<int>(d))
                         : t_.ratios(cell)[f] * at_rim(cell, e)[static_cast<std::size_t>(f) * row.size() + d];
        if (turns) turn(row, rotated_edge(cell, e).rotation, result);
    }
    // Adds to `change` what waves bring over an edge between frames.
    void add_turned_inflow(std::int32_t cell, std::size_t e, int f, Workspace& w) const {
        const RotatedEdge& edge = rotated_edge(cell, e);
        fill(w.beyond, t_.mesh.neighbour[e], f, w);
        for (int d = 0; d < t_.grid.directions; ++d) {
            const double leaves = edge.normal_x * t_.cosine[d] + edge.normal_y * t_.sine[d];
            w.face[d] = std::max(0.0, leaves) * share(e, d) *
                        (w.beyond.half[d] + edge.half_x * w.beyond.x[d] + edge.half_y * w.beyond.y[d]);
        }
        turn(w.face, edge.rotation, w.row);
        for (std::size_t d = 0; d < w.row.size(); ++d) w.change[d] += dt_ * strength(cell, e, f) * w.row[d];
    }

    const Real* at_rim(std::int32_t cell, std::size_t e) const {
        return t_.mesh.neighbour[e] < 0 ? t_.beyond_rim(cell, static_cast<std::int32_t>(e)) : nullptr;
    }
    bool has_slope(std::int32_t cell, std::size_t e) const {
        return t_.mesh.neighbour[e] >= 0 || at_rim(cell, e) != nullptr;
    }
    // To where the value beyond lies: another cell's centre, or the face itself.
    double away(std::int32_t cell, std::size_t e) const {
        return t_.mesh.neighbour[e] >= 0 ? t_.mesh.edge_distance[e]
                                         : t_.distance_to_rim(cell, static_cast<std::int32_t>(e));
    }

    // Change from the centre to the middle of a face over which waves enter.
    double to_rim(std::int32_t cell, std::size_t e, double g_x, double g_y) const {
        return at_rim(cell, e) != nullptr ? away(cell, e) * (g_x * t_.normal_x[e] + g_y * t_.normal_y[e])
                                          : 0.0;
    }

    void fill(Profile& p, std::int32_t cell, int f, Workspace& w) const {
        const int n = t_.grid.directions;
        for (int d = 0; d < n; ++d) {
            p.half[d] = p.invariant[d] = invariant(cell, f, d);
            p.x[d] = p.y[d] = p.direction[d] = 0.0;
        }
        if (upwind()) return;

        const auto first_edge = static_cast<std::size_t>(t_.mesh.edge_offset[cell]);
        for_each_edge(cell, [&](std::size_t e) { fill_beyond(w.neighbours[e - first_edge], cell, e, f, w); });
        const auto [xx, xy, yy] = t_.gradient_matrix(cell);
        const auto [step_x, step_y] = turning_step(cell, f);
        const bool implicit = t_.turns_implicitly(cell, f, dt_);
        for (int d = 0; d < n; ++d) {
            const double m = p.invariant[d];
            double highest = m, lowest = m, g_x = 0.0, g_y = 0.0;
            for_each_edge(cell, [&, xx = xx, xy = xy, yy = yy](std::size_t e) {
                if (!has_slope(cell, e)) return;
                const double beyond = w.neighbours[e - first_edge][static_cast<std::size_t>(d)];
                const double slope = (beyond - m) / away(cell, e);
                highest = std::max(highest, beyond);
                lowest = std::min(lowest, beyond);
                g_x += (xx * t_.normal_x[e] + xy * t_.normal_y[e]) * slope;
                g_y += (xy * t_.normal_x[e] + yy * t_.normal_y[e]) * slope;
            });
            double rise = 0.0, fall = 0.0, reach = 0.0;  // largest change from the centre to an edge
            for_each_edge(cell, [&](std::size_t e) {
                if (!has_slope(cell, e)) return;
                const double distance = (t_.mesh.neighbour[e] >= 0 ? 0.5 : 1.0) * away(cell, e);
                const double change = distance * (g_x * t_.normal_x[e] + g_y * t_.normal_y[e]);
                reach = std::max(reach, distance);
                rise = std::max(rise, change);
                fall = std::max(fall, -change);
            });
            const double down = m - p.invariant[(d + n - 1) % n], up = p.invariant[(d + 1) % n] - m;
            double g_direction = implicit ? 0.0 : t_.options.limiter ? limited(down, up) : 0.5 * (down + up);
            double scale = 1.0;
            if (t_.options.limiter) {
                if (rise > 0.0) scale = std::min(scale, (highest - m) / rise);
                if (fall > 0.0) scale = std::min(scale, (m - lowest) / fall);
            }
            const double turning = 0.25 * t_.ratios(cell)[f] *
                                   ((t_.turn_upper_x[d] + t_.turn_lower_x[d]) * step_x +
                                    (t_.turn_upper_y[d] + t_.turn_lower_y[d]) * step_y);
            const double travel = 0.5 * dt_ * t_.group_speeds(cell)[f];
            const double slope = g_x * t_.cosine[d] + g_y * t_.sine[d];
            double along = travel * slope;
            if (t_.flow) along += 0.5 * dt_ * (t_.flow->x[cell] * g_x + t_.flow->y[cell] * g_y);
            double change = scale * along + turning * g_direction;
            double keep = 1.0;
            if (t_.options.limiter) {
                // The margin keeps face values above 0 whatever the rounding.
                constexpr double margin = 32.0 * std::numeric_limits<Real>::epsilon();
                if (!t_.options.currents && slope > 0.0)
                    fall = std::min(fall, reach * std::abs(g_x * t_.sine[d] - g_y * t_.cosine[d]));
                const double side = 0.5 * std::abs(g_direction);
                const double above = (1.0 + margin) * (std::max(scale * rise, side) - change),
                             below = (1.0 + margin) * (std::max(scale * fall, side) + change);
                const double excess = implicit ? 1.0 : t_.largest_excess(cell, f, dt_);
                if (above > excess * m) keep = excess * m / above;
                if (below > m) keep = std::min(keep, m / below);
            }
            p.half[d] = m - keep * change;
            p.x[d] = keep * scale * g_x;
            p.y[d] = keep * scale * g_y;
            p.direction[d] = keep * g_direction;
        }
    }
    // Change from the centre to the middle of an edge.
    double to_edge(std::size_t e, double g_x, double g_y) const {
        return 0.5 * t_.mesh.edge_distance[e] * (g_x * t_.normal_x[e] + g_y * t_.normal_y[e]);
    }

    void row(std::int32_t cell, int f, Real* n_new, Workspace& w) const {
        const int n = t_.grid.directions;
        const Profile &own = w.own, &beyond = w.beyond;
        Row& change = w.change;
        fill(w.own, cell, f, w);
        for (int d = 0; d < n; ++d) change[d] = w.rotated_inflow[f * n + d];
        for_each_edge(cell, [&](std::size_t e) {
            const std::int32_t neighbour = t_.mesh.neighbour[e];
            if (!t_.open(neighbour)) return;
            if (regular(cell, e)) fill(w.beyond, neighbour, f, w);
            const double drift = t_.flow ? dt_ * t_.flow->drift[e] : 0.0;
            const bool between = neighbour >= 0 && !regular(cell, e);
            if (between && !upwind()) add_turned_inflow(cell, e, f, w);
            // Second order: with the waves' own flux, M of what is upstream of both.
            const double together =
                upwind() || drift == 0.0
                    ? 0.0
                    : drift * t_.flow->densities(drift < 0.0 && neighbour >= 0 ? neighbour : cell)[f];
            for (int d = 0; d < n; ++d) {
                change[d] -= spread(cell, e, f, d) * (own.half[d] - beyond.half[d]);
                const double waves = dt_ * strength(cell, e, f) *
                                     (t_.normal_x[e] * t_.cosine[d] + t_.normal_y[e] * t_.sine[d]);
                double across = waves + (between ? 0.0 : together);
                if (across < 0.0 && !between) across *= share(e, d);
                if (upwind() && drift > 0.0)
                    change[d] -= drift * n_old_[offset(cell, f) + static_cast<std::size_t>(d)];
                if (upwind() && regular(cell, e) && drift < 0.0)
                    change[d] -=
                        share(e, d) * drift * n_old_[offset(neighbour, f) + static_cast<std::size_t>(d)];
                if (regular(cell, e))
                    change[d] -=
                        across * (across > 0.0 ? own.half[d] + to_edge(e, own.x[d], own.y[d])
                                               : beyond.half[d] - to_edge(e, beyond.x[d], beyond.y[d]));
                else if (across > 0.0)
                    change[d] -= across * (own.half[d] + (between ? to_edge(e, own.x[d], own.y[d])
                                                                  : to_rim(cell, e, own.x[d], own.y[d])));
            }
        });
        const auto [step_x, step_y] = turning_step(cell, f);
        const bool implicit = t_.turns_implicitly(cell, f, dt_);
        for (int d = 0; d < n && !implicit; ++d) {
            const int above = (d + 1) % n;
            const double upper = t_.turn_upper_x[d] * step_x + t_.turn_upper_y[d] * step_y;
            const double flux = upper > 0.0 ? upper * (own.half[d] + 0.5 * own.direction[d])
                                            : upper * (own.half[above] - 0.5 * own.direction[above]);
            change[d] -= flux;
            change[above] += flux;
        }
        Real* const result = n_new + offset(cell, f);
        const Real* const old = n_old_ + offset(cell, f);
        for (int d = 0; d < n; ++d) {
            const double value = old[d] + change[d];
            result[d] = std::abs(value) < negligible_action ? Real(0) : static_cast<Real>(value);
        }
        if (implicit)
            turn_implicitly(t_, result, t_.ratios(cell)[f], static_cast<Real>(step_x),
                            static_cast<Real>(step_y));
    }

    const PropagationTables& t_;
    const Real* n_old_;
    double dt_;
};

class PlainKernel final : public PropagationKernel {
public:
    explicit PlainKernel(const PropagationTables& tables) : tables_(tables) {}
    void propagate(std::int32_t begin, std::int32_t end, Real* n_new, const Real* n_old, double dt) override {
        const Plain plain(tables_, n_old, dt);
        std::vector<Workspace> workspaces;
        for (int thread = 0; thread < exec::threads(); ++thread) workspaces.emplace_back(tables_);
        exec::for_each_cell(begin, end, [&](std::int32_t cell) {
            plain.cell(cell, n_new, workspaces[exec::thread_index()]);
        });
    }

private:
    const PropagationTables& tables_;
};

}  // namespace

std::unique_ptr<PropagationKernel> make_plain_kernel(const PropagationTables& tables) {
    return std::make_unique<PlainKernel>(tables);
}

}  // namespace groundswell::sea
