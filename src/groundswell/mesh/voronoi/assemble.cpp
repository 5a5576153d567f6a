#include <algorithm>
#include <tuple>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/key_index.hpp"
#include "groundswell/base/make_unique.hpp"
#include "groundswell/mesh/voronoi/cell_rows.hpp"

namespace groundswell::voronoi {
namespace {

/// Makes the parts of a local mesh from the rows of its cells.
class Assembly {
public:
    Assembly(CellRows owned, const CellSource& source, int layers)
        : rows_(std::move(owned)), owned_(rows_.heads.size()) {
        add_to_index(0);
        first_side_ = first_sides(rows_);
        for (int layer = 0; layer < layers; ++layer) add_ring(source, layer == 0 ? 0 : ring_begin_);
        order_cells(layers);
    }

    LocalMesh local_mesh() const {
        LocalMesh local;
        local.interior = static_cast<std::int32_t>(interior_);
        local.owned = static_cast<std::int32_t>(owned_);
        local.total = static_cast<std::int32_t>(order_.size());
        fill_cells(local);
        fill_edges(local);
        fill_corners(local);
        return local;
    }

private:
    std::span<const CellSide> sides_of(std::size_t cell) const {
        return std::span(rows_.sides)
            .subspan(static_cast<std::size_t>(first_side_[cell]),
                     static_cast<std::size_t>(rows_.heads[cell].sides));
    }

    /// Takes in the cells from `begin` on.
    void add_to_index(std::size_t begin) {
        index_.reserve(rows_.heads.size());
        for (std::size_t c = begin; c < rows_.heads.size(); ++c)
            index_.add(rows_.heads[c].key, static_cast<std::int32_t>(c));
    }

    /// The cells beyond those from `begin` on that are not held yet.
    void add_ring(const CellSource& source, std::size_t begin) {
        std::vector<std::int64_t> wanted;
        for (std::size_t c = begin; c < rows_.heads.size(); ++c) {
            for (const CellSide& side : sides_of(c)) {
                if (side.neighbour != coast && index_(side.neighbour) < 0) wanted.push_back(side.neighbour);
            }
        }
        base::make_unique(wanted);
        ring_begin_ = rows_.heads.size();
        rows_.append(source(wanted));
        GS_ASSERT(rows_.heads.size() == ring_begin_ + wanted.size());
        add_to_index(ring_begin_);
        first_side_ = first_sides(rows_);
    }

    /// Owned cells with a halo cell within `layers` rings.
    std::vector<char> find_rim(int layers) const {
        std::vector<char> rim(owned_, 0);
        for (std::size_t c = 0; c < owned_; ++c) {
            for (const CellSide& side : sides_of(c)) {
                if (side.neighbour != coast && static_cast<std::size_t>(index_(side.neighbour)) >= owned_)
                    rim[c] = 1;
            }
        }
        if (layers == 1) return rim;
        std::vector<char> deeper = rim;
        for (std::size_t c = 0; c < owned_; ++c) {
            for (const CellSide& side : sides_of(c)) {
                // Around an owned cell all is held.
                const auto other =
                    side.neighbour == coast ? owned_ : static_cast<std::size_t>(index_(side.neighbour));
                if (other < owned_ && rim[other]) deeper[c] = 1;
            }
        }
        return deeper;
    }

    void order_cells(int layers) {
        const std::vector<char> rim = find_rim(layers);
        // Owned cells go by rim, halo cells by owner, both then by id; the cell itself stands beside them.
        std::vector<std::tuple<std::int32_t, std::int64_t, std::int32_t>> places;
        places.reserve(rows_.heads.size());
        for (std::size_t c = 0; c < rows_.heads.size(); ++c) {
            const CellHead& head = rows_.heads[c];
            places.emplace_back(c < owned_ ? rim[c] : head.owner, head.id, static_cast<std::int32_t>(c));
        }
        const auto halo = places.begin() + static_cast<std::ptrdiff_t>(owned_);
        std::sort(places.begin(), halo);
        std::sort(halo, places.end());
        order_.reserve(places.size());
        for (const auto& place : places) order_.push_back(std::get<2>(place));
        interior_ = static_cast<std::size_t>(std::ranges::count(rim, 0));
        number_.resize(order_.size());
        for (std::size_t i = 0; i < order_.size(); ++i) number_[order_[i]] = static_cast<std::int32_t>(i);
    }

    void fill_cells(LocalMesh& local) const {
        const auto fill = [&](auto& values, auto member) {
            values.reserve(order_.size());
            for (const std::int32_t c : order_) values.push_back(rows_.heads[c].*member);
        };
        fill(local.id, &CellHead::id);
        fill(local.mesh_cell, &CellHead::mesh_cell);
        fill(local.face, &CellHead::face);
        fill(local.owner, &CellHead::owner);
        fill(local.lon, &CellHead::lon);
        fill(local.lat, &CellHead::lat);
        fill(local.depth, &CellHead::depth);
        fill(local.area, &CellHead::area);
    }

    void fill_edges(LocalMesh& local) const {
        for (auto* values : {&local.edge_length, &local.edge_distance, &local.edge_bearing, &local.edge_lon,
                             &local.edge_lat})
            values->reserve(rows_.sides.size());
        local.neighbour.reserve(rows_.sides.size());
        local.edge_offset.reserve(order_.size() + 1);
        local.edge_offset.push_back(0);
        for (const std::int32_t c : order_) {
            for (const CellSide& side : sides_of(static_cast<std::size_t>(c))) {
                const std::int32_t other = side.neighbour == coast ? coast : index_(side.neighbour);
                local.neighbour.push_back(side.neighbour == coast ? coast
                                          : other < 0             ? absent
                                                                  : number_[other]);
                local.edge_length.push_back(side.length);
                local.edge_distance.push_back(side.distance);
                local.edge_bearing.push_back(side.bearing);
                local.edge_lon.push_back(side.lon);
                local.edge_lat.push_back(side.lat);
            }
            local.edge_offset.push_back(static_cast<std::int32_t>(local.neighbour.size()));
        }
    }

    void fill_corners(LocalMesh& local) const {
        const auto corners = static_cast<std::size_t>(first_side_[owned_]);
        local.corner_node.reserve(corners);
        local.corner_lon.reserve(corners);
        local.corner_lat.reserve(corners);
        local.corner_offset.reserve(owned_ + 1);
        local.corner_offset.push_back(0);
        struct Node {
            std::int64_t id;
            double lon, lat;
        };
        std::vector<Node> written;  // by this rank
        for (std::size_t i = 0; i < owned_; ++i) {
            const auto c = static_cast<std::size_t>(order_[i]);
            for (const CellSide& side : sides_of(c)) {
                local.corner_node.push_back(side.node);
                local.corner_lon.push_back(side.node_lon);
                local.corner_lat.push_back(side.node_lat);
                if (side.writer == rows_.heads[c].id)
                    written.push_back({side.node, side.node_lon, side.node_lat});
            }
            local.corner_offset.push_back(static_cast<std::int32_t>(local.corner_node.size()));
        }
        std::ranges::sort(written, {}, &Node::id);
        local.node_id.reserve(written.size());
        local.node_lon.reserve(written.size());
        local.node_lat.reserve(written.size());
        for (const Node& node : written) {
            local.node_id.push_back(node.id);
            local.node_lon.push_back(node.lon);
            local.node_lat.push_back(node.lat);
        }
    }

    CellRows rows_;
    std::size_t owned_, interior_ = 0, ring_begin_ = 0;
    base::KeyIndex index_;  // cell of each key
    std::vector<std::int64_t> first_side_;
    std::vector<std::int32_t> order_;   // cells in the order of the local mesh
    std::vector<std::int32_t> number_;  // place of each cell in that order
};

}  // namespace

LocalMesh assemble(CellRows owned, const CellSource& source, int layers, const MeshTotals& totals) {
    GS_ASSERT(layers == 1 || layers == 2);
    LocalMesh local = Assembly(std::move(owned), source, layers).local_mesh();
    local.global_cells = totals.cells;
    local.global_nodes = totals.nodes;
    local.max_edges = totals.max_edges;
    local.radius = totals.radius;
    local.smallest_spacing = totals.smallest_spacing;
    local.identity = totals.identity;
    local.layers = layers;
    return local;
}

}  // namespace groundswell::voronoi
