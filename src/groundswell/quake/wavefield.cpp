#include "groundswell/quake/wavefield.hpp"

#include <algorithm>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::quake {

namespace {

// What stands on a side, as other ranks call it.
enum Kind : std::int64_t { whole = 0, total = 1, first_piece = 2 };

struct Needed {
    int owner;
    std::int64_t id;
    std::int32_t element;
    int face;
};

// Clusters of local cells, and names of their sides.
class Connection {
public:
    Connection(const tetra::LocalMesh& mesh, int rate) : mesh_(mesh), rate_(rate), cluster_(mesh.id.size()) {
        for (std::size_t c = 0; c < mesh.groups.size(); ++c) {
            for (const auto range : {mesh.groups[c].owned(), mesh.groups[c].halo})
                std::fill(cluster_.begin() + range.begin, cluster_.begin() + range.end, static_cast<int>(c));
        }
    }

    int cluster(std::int32_t cell) const { return cluster_[cell]; }
    bool has_finer(std::int32_t cell) const {
        return std::ranges::any_of(mesh_.across[cell], [&](const tetra::LocalAcross& across) {
            return across.cell >= 0 && cluster_[across.cell] < cluster_[cell];
        });
    }
    std::int64_t id(std::int32_t cell, int face, std::int64_t kind) const {
        return (mesh_.id[cell] * 4 + face) * (rate_ + 2) + kind;
    }
    /// All ids lie below.
    std::int64_t ids() const { return mesh_.global_cells * 4 * (rate_ + 2); }

private:
    const tetra::LocalMesh& mesh_;
    int rate_;
    std::vector<int> cluster_;
};

}  // namespace

template <class Real>
Wavefield<Real>::Wavefield(MPI_Comm comm, const Kernels<Real>& kernels, const tetra::LocalMesh& mesh,
                           std::span<const Material> material, double step, int rate,
                           const std::string& transport)
    : step_(step), rate_(rate) {
    const int clusters = static_cast<int>(mesh.groups.size());
    GS_ASSERT(rate >= 1 && rate <= 3 && (rate > 1 || clusters == 1));
    const Connection connection(mesh, rate);
    clusters_.resize(static_cast<std::size_t>(clusters));
    for (int c = 1; c < clusters; ++c) clusters_[c].ticks = clusters_[c - 1].ticks * rate;
    ticks_to_meet_ = clusters_.back().ticks;

    // Elements in their blocks.
    std::vector<std::int32_t> cell_of, count;
    element_of_.resize(static_cast<std::size_t>(mesh.owned));
    for (int c = 0; c < clusters; ++c) {
        for (const bool at_rim : {false, true}) {
            const auto range = at_rim ? mesh.groups[c].rim : mesh.groups[c].interior;
            for (const bool finer : {false, true}) {
                const auto before = cell_of.size();
                for (std::int32_t cell = range.begin; cell < range.end; ++cell) {
                    if (connection.has_finer(cell) != finer) continue;
                    element_of_[cell] = static_cast<std::int32_t>(cell_of.size());
                    cell_of.push_back(cell);
                }
                count.push_back(static_cast<std::int32_t>(cell_of.size() - before));
            }
        }
    }

    // How many sides of each kind: for other ranks by cluster, for this one, from other ranks.
    struct Range {
        std::int32_t begin = 0, end = 0;
    };
    std::vector<Range> pieces_sent(clusters), sums_sent(clusters);
    std::vector<std::array<std::int32_t, 4>> beyond(cell_of.size(), {-1, -1, -1, -1}), pieces(beyond),
        sums(beyond);
    std::int32_t own = 0, next = 0;
    for (std::size_t b = 0; b < count.size(); ++b)
        own += (count[b] + kernels.layout.lanes - 1) / kernels.layout.lanes * 4 * kernels.layout.lanes;
    const auto for_each_face = [&](auto body) {
        for (std::size_t e = 0; e < cell_of.size(); ++e) {
            const std::int32_t cell = cell_of[e];
            for (int f = 0; f < 4; ++f) {
                const auto& across = mesh.across[cell][f];
                if (across.cell >= 0) body(static_cast<std::int32_t>(e), cell, f, across);
            }
        }
    };
    std::vector<std::vector<std::int64_t>> piece_ids(clusters), sum_ids(clusters);
    next = own;
    for (const bool remote : {true, false}) {
        for (int c = 0; c < clusters; ++c) {
            for (const bool is_piece : {true, false}) {
                const std::int32_t begin = next;
                for_each_face(
                    [&](std::int32_t e, std::int32_t cell, int f, const tetra::LocalAcross& across) {
                        const int other = connection.cluster(across.cell);
                        if (connection.cluster(cell) != c || (across.cell >= mesh.owned) != remote) return;
                        if (is_piece && other < c) {
                            pieces[e][f] = next;
                            next += rate;
                            for (int s = 0; s < rate && remote; ++s)
                                piece_ids[c].push_back(connection.id(cell, f, first_piece + s));
                        } else if (!is_piece && other > c) {
                            sums[e][f] = next++;
                            if (remote) sum_ids[c].push_back(connection.id(cell, f, total));
                        }
                    });
                if (remote) (is_piece ? pieces_sent : sums_sent)[c] = {begin, next};
            }
        }
    }
    // What comes from other ranks, by cluster of the sender and kind, those of one rank together.
    std::vector<std::vector<Needed>> whole_needed(clusters), piece_needed(clusters), sum_needed(clusters);
    for_each_face([&](std::int32_t e, std::int32_t cell, int f, const tetra::LocalAcross& across) {
        if (across.cell < mesh.owned) return;
        const int mine = connection.cluster(cell), other = connection.cluster(across.cell);
        const std::int64_t kind = other == mine ? whole : other > mine ? first_piece : total;
        auto& list = other == mine ? whole_needed : other > mine ? piece_needed : sum_needed;
        list[other].push_back({mesh.owner[across.cell], connection.id(across.cell, across.face, kind), e, f});
    });
    struct Wanted {
        std::vector<std::int64_t> ids;
        std::vector<std::int32_t> sides;
    };
    std::vector<Wanted> whole_wanted(clusters), piece_wanted(clusters), sum_wanted(clusters);
    const auto take = [&](std::vector<Needed>& needed, Wanted& wanted, bool is_piece) {
        std::ranges::sort(needed, {}, [](const Needed& one) { return std::pair(one.owner, one.id); });
        for (const Needed& one : needed) {
            beyond[one.element][one.face] = is_piece ? -1 - next : next;
            for (int s = 0; s < (is_piece ? rate : 1); ++s) {
                wanted.ids.push_back(one.id + s);
                wanted.sides.push_back(next++);
            }
        }
    };
    for (int c = 0; c < clusters; ++c) {
        take(whole_needed[c], whole_wanted[c], false);
        take(piece_needed[c], piece_wanted[c], true);
        take(sum_needed[c], sum_wanted[c], false);
    }

    elements_ = std::make_unique<Elements<Real>>(kernels, count, next - own);
    GS_ASSERT(elements_->own_sides() == own);
    for (std::size_t i = 0; i < cell_of.size(); ++i) {
        const auto e = static_cast<std::int32_t>(i);
        const std::int32_t cell = cell_of[i];
        Element element{
            tetra::geometry_of(mesh.cell[cell].place), material[cell], mesh.cell[cell].boundary, {}};
        for (int f = 0; f < 4; ++f) {
            const auto& across = mesh.across[cell][f];
            if (across.cell < 0) {
                beyond[i][f] = elements_->side(e, f);
                continue;
            }
            // Until faults can break, their sides hold together.
            element.boundary[f] = tetra::Boundary::none;
            element.beyond[f] = material[across.cell];
            if (across.cell >= mesh.owned) continue;
            const std::int32_t other = element_of_[across.cell];
            const int mine = connection.cluster(cell), its = connection.cluster(across.cell);
            beyond[i][f] = its == mine  ? elements_->side(other, across.face)
                           : its > mine ? -1 - pieces[other][across.face]
                                        : sums[other][across.face];
        }
        elements_->set(e, element, beyond[i], pieces[i]);
        for (int f = 0; f < 4; ++f) {
            if (sums[i][f] < 0) continue;
            const bool at_rim = cell >= mesh.groups[connection.cluster(cell)].rim.begin;
            clusters_[connection.cluster(cell)].sums[at_rim].push_back({elements_->side(e, f), sums[i][f]});
        }
    }

    // Exchanges. Lanes without an element have ids that nobody needs.
    std::int64_t unused =
        connection.ids() + parallel::sum_before(comm, std::int64_t{own} - 4 * element_of_.size());
    const auto connect = [&](std::span<const std::int64_t> owned, std::int32_t first, const Wanted& wanted,
                             std::unique_ptr<halo::Transport>& made, Real*& base) {
        if (parallel::sum(comm, static_cast<std::int64_t>(wanted.ids.size())) == 0) return;
        std::vector<std::int32_t> index;
        for (const std::int32_t side : wanted.sides) index.push_back(side - first);
        const auto plan = std::make_shared<const halo::Plan>(comm, owned, wanted.ids, index);
        base = elements_->values(first);
        made = halo::make_transport(transport, plan, halo::channel_of<Real>(kernels.layout.trace), base);
    };
    for (int c = 0; c < clusters; ++c) {
        const std::int32_t first = elements_->sides_begin(c * blocks + rim);
        std::vector<std::int64_t> ids(elements_->sides_end(c * blocks + rim_pieces) - first, -1);
        for (std::int32_t cell = mesh.groups[c].rim.begin; cell < mesh.groups[c].rim.end; ++cell) {
            for (int f = 0; f < 4; ++f)
                ids[elements_->side(element_of_[cell], f) - first] = connection.id(cell, f, whole);
        }
        for (std::int64_t& id : ids) {
            if (id < 0) id = unused++;
        }
        auto& cluster = clusters_[c];
        connect(ids, first, whole_wanted[c], cluster.whole, cluster.whole_base);
        connect(piece_ids[c], pieces_sent[c].begin, piece_wanted[c], cluster.pieces, cluster.pieces_base);
        connect(sum_ids[c], sums_sent[c].begin, sum_wanted[c], cluster.sum, cluster.sum_base);
    }
}

template <class Real>
void Wavefield<Real>::predict(int cluster, bool at_rim) {
    const auto seconds = static_cast<Real>(step_ * static_cast<double>(clusters_[cluster].ticks));
    const int first = cluster * blocks + (at_rim ? rim : interior);
    elements_->predict(first, seconds);
    if (rate_ > 1) elements_->predict_pieces(first + 1, seconds, rate_);
    // What has gone through towards those that step more rarely.
    const auto& sums = clusters_[cluster].sums[at_rim];
    const std::size_t values = elements_->layout().trace;
    const bool is_first = piece(cluster) == 0;
    exec::for_each_cell(0, static_cast<std::int32_t>(sums.size()), [&](std::int32_t i) {
        const Real* from = elements_->values(sums[i].side);
        Real* to = elements_->values(sums[i].total);
        for (std::size_t v = 0; v < values; ++v) to[v] = is_first ? from[v] : to[v] + from[v];
    });
}

template <class Real>
void Wavefield<Real>::start_exchanges(int cluster) {
    auto& c = clusters_[cluster];
    const auto start = [&](const std::unique_ptr<halo::Transport>& transport, Real* base) {
        if (!transport) return;
        transport->start(base);
        under_way_.push_back(transport.get());
    };
    start(c.whole, c.whole_base);
    start(c.pieces, c.pieces_base);
    if (piece(cluster) == rate_ - 1) start(c.sum, c.sum_base);
}

template <class Real>
void Wavefield<Real>::finish_exchanges() {
    for (halo::Transport* transport : under_way_) transport->finish();
    under_way_.clear();
}

template <class Real>
void Wavefield<Real>::correct(int cluster, bool at_rim) {
    const int first = cluster * blocks + (at_rim ? rim : interior);
    elements_->correct(first, piece(cluster));
    elements_->correct(first + 1, piece(cluster));
}

template <class Real>
void Wavefield<Real>::tick() {
    const int clusters = static_cast<int>(clusters_.size());
    const auto begins = [&](int c) { return tick_ % clusters_[c].ticks == 0; };
    const auto ends = [&](int c) { return (tick_ + 1) % clusters_[c].ticks == 0; };
    for (int c = clusters - 1; c >= 0; --c) {
        if (!begins(c)) continue;
        predict(c, true);
        start_exchanges(c);
    }
    for (int c = 0; c < clusters; ++c) {
        if (begins(c)) predict(c, false);
    }
    for (int c = 0; c < clusters; ++c) {
        if (ends(c)) correct(c, false);
    }
    finish_exchanges();
    for (int c = 0; c < clusters; ++c) {
        if (ends(c)) correct(c, true);
    }
    ++tick_;
}

template class Wavefield<float>;
template class Wavefield<double>;

}  // namespace groundswell::quake
