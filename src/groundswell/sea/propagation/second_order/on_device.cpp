#include <algorithm>
#include <array>
#include <vector>

#include "groundswell/sea/propagation/device/tables_on_device.hpp"
#include "groundswell/sea/propagation/kernels.hpp"
#include "groundswell/sea/propagation/second_order/profile_step.hpp"
#include "groundswell/sea/propagation/second_order/second_order_workspace.hpp"
#include "groundswell/sea/propagation/tables.hpp"

namespace groundswell::sea {
namespace {

class SecondOrderOnDevice final : public TablesOnDevice {
public:
    SecondOrderOnDevice(const PropagationTables& t, exec::Device& device, exec::Stream stream)
        : TablesOnDevice(t, device, stream) {
        s_.group_speed = renewed("group speeds", stream, t.group_speed.span());
        if (t.options.currents) {
            s_.current_x = flow_->current_x();
            s_.current_y = flow_->current_y();
            s_.density = flow_->density();
            s_.density_row = t.flow->row_length();
        }
        s_.first_image = t.mesh.total;
        s_.spreading_along = t.spreading.along;
        s_.spreading_across = t.spreading.across;
        s_.limited = t.options.limiter ? 1 : 0;
        copy_edges(stream);
        copy_turned_edges(stream);
        copy_directions(stream);
        copy_tiles(stream);
    }

    void propagate(exec::Stream stream, std::int32_t begin, std::int32_t end, std::span<Real> n_new,
                   std::span<const Real> n_old, double dt) override {
        const auto first = std::ranges::upper_bound(tile_end_, begin) - tile_end_.begin(),
                   last = std::ranges::lower_bound(tile_begin_, end) - tile_begin_.begin();
        if (begin == end) return;
        launch_more_inflow(stream, begin, end, n_new, n_old, dt);
        const auto first_tile = static_cast<std::int32_t>(first);
        const auto tiles = static_cast<int>(last - first);
        if (t_.options.currents)
            launch<true>(stream, {begin, end}, first_tile, tiles, n_new, n_old, dt,
                         {propagation_kernels().second_order_flowing, second_order_cuda_entry(true)});
        else
            launch<false>(stream, {begin, end}, first_tile, tiles, n_new, n_old, dt,
                          {propagation_kernels().second_order_still, second_order_cuda_entry(false)});
        launch_flow(stream, begin, end, n_new, dt);
    }

    void set_water(exec::Stream stream, std::span<const std::int32_t> cells,
                   std::span<Real> action) override {
        TablesOnDevice::set_water(stream, cells, action);
        if (t_.spreading.any() && t_.options.levels) copy_spread(stream);  // not to dry cells
    }

    void use_images(std::int32_t first, std::span<Real> profiles,
                    std::span<const std::int32_t> image_of_cell) override {
        s_.first_image = first;
        s_.profiles = profiles;
        s_.image_of_cell = image_of_cell;
    }
    void add_half_profiles(bool add) override { s_.add_half = add ? 1 : 0; }
    void set_profiles(exec::Stream stream, std::span<const std::int32_t> cells, std::int32_t first,
                      std::span<const Real> n_old, double dt) override {
        if (t_.options.currents)
            launch_profiles<true>(
                stream, cells, first, n_old, dt,
                {propagation_kernels().profiles_flowing, second_order_profiles_cuda_entry(true)});
        else
            launch_profiles<false>(
                stream, cells, first, n_old, dt,
                {propagation_kernels().profiles_still, second_order_profiles_cuda_entry(false)});
    }

private:
    using Still = SecondOrderStep<false>;

    struct Cells {
        std::int32_t begin, end;
    };
    template <bool flows>
    void launch(exec::Stream stream, const Cells& cells, std::int32_t first_tile, int tiles,
                std::span<Real> n_new, std::span<const Real> n_old, double dt, const exec::Program& program) {
        const int n = t_.grid.directions,
                  lanes = std::min(SecondOrderStep<flows>::most_lanes, device_.limits().lanes);
        s_.rim = beyond_faces();
        const SecondOrderStep<flows> step{
            tables_, s_, n_old, n_new, cells.begin, cells.end, first_tile, std::max(1, lanes / n), dt};
        device_.launch(
            stream,
            {"second order", tiles * t_.grid.frequencies, lanes, scratch_bytes(most_slots_, most_cells_)},
            program, exec::Arguments::of(step));
    }

    template <bool flows>
    void launch_profiles(exec::Stream stream, std::span<const std::int32_t> cells, std::int32_t first,
                         std::span<const Real> n_old, double dt, const exec::Program& program) {
        using Step = SecondOrderProfileStep<flows>;
        if (cells.empty()) return;
        s_.rim = beyond_faces();
        const Step step{{tables_, s_, n_old, {}, 0, 0, 0, 1, dt}, cells, first};
        device_.launch(stream,
                       {"profiles", static_cast<int>(cells.size()) * t_.grid.frequencies,
                        std::min({Step::most_lanes, device_.limits().lanes, t_.grid.directions}),
                        SecondOrderStep<flows>::scratch_bytes_alone(t_.grid.directions)},
                       program, exec::Arguments::of(step));
    }

    std::size_t scratch_bytes(int slots, int cells) const {
        return Still::scratch_bytes(slots, cells, t_.mesh.max_edges, t_.grid.directions);
    }

    // Number of the face beyond which this spectrum lies.
    std::int32_t face_of(const Real* beyond) const {
        return static_cast<std::int32_t>((beyond - t_.inflow->beyond_edge(t_.inflow->edge(0))) /
                                         t_.grid.bins());
    }

    void copy_edges(exec::Stream stream) {
        const std::size_t edges = t_.mesh.neighbour.size();
        std::vector<std::int32_t> behind(edges, -1);
        std::vector<Real> terms(4 * edges, Real(0)), reach(t_.mesh.total, Real(0));
        for (std::int32_t cell = 0; cell < t_.mesh.total; ++cell) {
            const std::array<Real, 3> matrix = t_.gradient_matrix(cell);
            for (std::int32_t e = t_.mesh.edge_offset[cell]; e < t_.mesh.edge_offset[cell + 1]; ++e) {
                const EdgeTerms of = edge_terms(t_, cell, e, matrix);
                const std::int32_t neighbour = t_.mesh.neighbour[e];
                if (of.between)
                    behind[e] = neighbour;
                else if (of.at_rim != nullptr)
                    behind[e] = SecondOrderTables::first_rim - face_of(of.at_rim);
                std::ranges::copy(std::array{of.gradient_x, of.gradient_y, of.half_x, of.half_y},
                                  terms.begin() + 4 * static_cast<std::ptrdiff_t>(e));
                reach[cell] = std::max(reach[cell], of.reach);
            }
        }
        s_.behind = places("what lies behind edges", stream, behind);
        s_.edge_terms = numbers("edges", stream, terms);
        s_.reach = numbers("reach", stream, reach);
        if (t_.spreading.any()) copy_spread(stream);
        device_.synchronise(stream);  // the host's arrays go away
    }

    void copy_spread(exec::Stream stream) {
        spread_here_.assign(t_.mesh.neighbour.size(), Real(0));
        for (std::int32_t cell = 0; cell < t_.mesh.total; ++cell)
            for (std::int32_t e = t_.mesh.edge_offset[cell]; e < t_.mesh.edge_offset[cell + 1]; ++e)
                if (t_.spreads(cell, t_.mesh.neighbour[e]))
                    spread_here_[e] = t_.spreading.slope(t_.mesh.edge_distance[e]);
        if (!spread_)
            spread_ = std::make_unique<exec::DeviceArray<Real>>(device_, "what spreads", spread_here_.size());
        s_.spread = spread_->span();
        device_.copy_in(stream, spread_->span().data(), spread_here_.data(),
                        spread_here_.size() * sizeof(Real));
    }

    void copy_turned_edges(exec::Stream stream) {
        if (t_.rotated_edges.empty()) return;
        std::vector<std::int32_t> of_edge(t_.mesh.neighbour.size(), -1), shift;
        std::vector<Real> part, out;
        for (const RotatedEdge& edge : t_.rotated_edges) {
            of_edge[edge.edge] = static_cast<std::int32_t>(shift.size());
            shift.push_back(edge.rotation.shift);
            part.push_back(edge.rotation.part);
            out.insert(out.end(), {edge.normal_x, edge.normal_y, edge.half_x, edge.half_y});
        }
        s_.turned = {places("edges between frames", stream, of_edge),
                     places("how far these turn", stream, shift),
                     numbers("and by which part of a bin", stream, part),
                     numbers("how waves come to them", stream, out)};
        device_.synchronise(stream);
    }

    void copy_directions(exec::Stream stream) {
        std::vector<Real> x, y;
        for (int d = 0; d < t_.grid.directions; ++d) {
            x.push_back(t_.turn_upper_x[d] + t_.turn_lower_x[d]);
            y.push_back(t_.turn_upper_y[d] + t_.turn_lower_y[d]);
        }
        s_.turn_x = numbers("turning, x", stream, x);
        s_.turn_y = numbers("turning, y", stream, y);
        device_.synchronise(stream);
    }

    // Slots beyond the edges of a tile, whatever the frames.
    void add_beyond(const Tile& tile, std::vector<std::int32_t>& beyond) const {
        const auto first = static_cast<std::ptrdiff_t>(beyond.size());
        beyond.insert(beyond.end(), tile.beyond.begin(), tile.beyond.end());
        auto turned = tile.turned.begin();
        const std::int32_t first_edge = t_.mesh.edge_offset[tile.begin];
        for (std::int32_t cell = tile.begin; cell < tile.end; ++cell)
            for (const RotatedEdge& edge : t_.rotated_edges_of(cell))
                beyond[first + (edge.edge - first_edge)] = *turned++;
    }

    // Tiles whose profiles leave room for others on the same multiprocessor.
    void copy_tiles(exec::Stream stream) {
        std::vector<Tile> tiles;
        for (std::int32_t most = 64; most > 0; most /= 2) {
            tiles = make_tiles(t_, most);
            most_slots_ = most_cells_ = 1;
            for (const Tile& tile : tiles) {
                most_slots_ = std::max(most_slots_, tile.slots());
                most_cells_ = std::max(most_cells_, tile.cells());
            }
            if (scratch_bytes(most_slots_, most_cells_) <=
                device_.limits().scratch_bytes / Still::blocks_at_once)
                break;
        }
        std::vector<std::int32_t> ring_begin{0}, ring, beyond;
        for (const Tile& tile : tiles) {
            tile_begin_.push_back(tile.begin);
            tile_end_.push_back(tile.end);
            ring.insert(ring.end(), tile.ring.begin(), tile.ring.end());
            ring_begin.push_back(static_cast<std::int32_t>(ring.size()));
            add_beyond(tile, beyond);
        }
        if (tiles.empty()) return;
        s_.tile_begin = places("first cells of tiles", stream, tile_begin_);
        s_.tile_end = places("ends of tiles", stream, tile_end_);
        s_.ring_begin = places("where rings begin", stream, ring_begin);
        if (!ring.empty()) s_.ring = places("rings", stream, ring);
        s_.slot_beyond = places("slots beyond edges", stream, beyond);
        device_.synchronise(stream);
    }

    SecondOrderTables s_{};
    std::vector<Real> spread_here_;
    std::unique_ptr<exec::DeviceArray<Real>> spread_;  // null: nothing spreads
    std::vector<std::int32_t> tile_begin_, tile_end_;
    int most_slots_ = 1, most_cells_ = 1;
};

}  // namespace

std::unique_ptr<PropagationOnDevice> make_second_order_on_device(const PropagationTables& tables,
                                                                 exec::Device& device, exec::Stream stream) {
    return std::make_unique<SecondOrderOnDevice>(tables, device, stream);
}

}  // namespace groundswell::sea
