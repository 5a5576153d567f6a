#include "groundswell/sea/streams/situations.hpp"

#include <cmath>
#include <utility>

#include "groundswell/exec/launch.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/sea/propagation/rotated_frame.hpp"

namespace groundswell::sea {

WaveForce::WaveForce(const voronoi::LocalMesh& mesh, std::shared_ptr<const halo::Plan> plan)
    : mesh_(mesh),
      stress_(static_cast<std::size_t>(plan->ids())),
      transport_(halo::make_transport("posted", std::move(plan), halo::channel_of<double>(3))) {}

void WaveForce::set(std::vector<CellSituation>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
        const WaveProducts& products = cells[c].products;
        stress_[c] = {products.radiation_stress_xx, products.radiation_stress_xy,
                      products.radiation_stress_yy};
    }
    transport_->start(stress_.data());
    transport_->finish();
    exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) { set_cell(cell, cells[cell]); });
}

void WaveForce::set_cell(std::int32_t cell, CellSituation& situation) const {
    const double lon = mesh_.lon[cell], lat = mesh_.lat[cell];
    const Stress& own = stress_[cell];
    // Sums of the normal equations: over unit vectors to the neighbours, and of those with the differences.
    double square_x = 0.0, square_y = 0.0, product = 0.0;
    struct Slope {
        double x = 0.0, y = 0.0;
    } xx, xy, yy;
    for (std::int32_t e = mesh_.edge_offset[cell]; e < mesh_.edge_offset[cell + 1]; ++e) {
        const std::int32_t other = mesh_.neighbour[e];
        if (other < 0) continue;
        const double there_lon = mesh_.lon[other], there_lat = mesh_.lat[other];
        const double to_east = std::cos(there_lat) * std::sin(there_lon - lon);
        const double to_north = std::cos(lat) * std::sin(there_lat) -
                                std::sin(lat) * std::cos(there_lat) * std::cos(there_lon - lon);
        const double length = std::hypot(to_east, to_north), x = to_east / length, y = to_north / length;
        square_x += x * x;
        square_y += y * y;
        product += x * y;
        // The neighbour's tensor in this cell's frame.
        const Stress& theirs = stress_[other];
        const double turn = -2.0 * carried_east(lon, lat, there_lon, there_lat);
        const double mean = 0.5 * (theirs.xx + theirs.yy), half = 0.5 * (theirs.xx - theirs.yy);
        const double turned = half * std::cos(turn) - theirs.xy * std::sin(turn);
        const double mixed = half * std::sin(turn) + theirs.xy * std::cos(turn);
        const auto add = [&](Slope& sum, double difference) {
            sum.x += x * difference / mesh_.edge_distance[e];
            sum.y += y * difference / mesh_.edge_distance[e];
        };
        add(xx, mean + turned - own.xx);
        add(xy, mixed - own.xy);
        add(yy, mean - turned - own.yy);
    }
    const double determinant = square_x * square_y - product * product;
    if (determinant < 1e-3) return;
    const auto along_x = [&](const Slope& sum) { return (square_y * sum.x - product * sum.y) / determinant; };
    const auto along_y = [&](const Slope& sum) { return (square_x * sum.y - product * sum.x) / determinant; };
    situation.eastward_force = -(along_x(xx) + along_y(xy));
    situation.northward_force = -(along_x(xy) + along_y(yy));
}

const std::vector<CellSituation>& Situations::of_all(Reads reads) {
    if (has_all(reads)) return all_;
    if (step_ == model_.step()) reads = reads | read_;
    model_.find_situations(reads, all_);
    if (includes(reads, Reads::force)) {
        if (!force_) force_.emplace(model_.mesh(), model_.plan());
        force_->set(all_);
    }
    step_ = model_.step();
    read_ = reads;
    return all_;
}

CellSituation Situations::of(std::int32_t cell, Reads reads) const {
    return has_all(reads) ? all_[cell] : model_.situation(cell, reads);
}

}  // namespace groundswell::sea
