#include "groundswell/quake/elements/connections.hpp"

#include <algorithm>
#include <utility>

namespace groundswell::quake {

namespace {

// What stands on a side, as other ranks call it.
enum Shown : std::int64_t { whole = 0, total = 1, first_piece = 2 };

// Kinds of cells that have kernels of their own.
enum Kind : int { rock, water, meets_anisotropic, kinds };

class Faces {
public:
    Faces(const tetra::LocalMesh& mesh, int rate) : mesh_(mesh), rate_(rate), cluster_(mesh.id.size()) {
        for (std::size_t c = 0; c < mesh.groups.size(); ++c) {
            for (const auto range : {mesh.groups[c].owned(), mesh.groups[c].halo})
                std::fill(cluster_.begin() + range.begin, cluster_.begin() + range.end, static_cast<int>(c));
        }
    }

    int cluster(std::int32_t cell) const { return cluster_[cell]; }
    /// The first face at a fault, 4 if there is none.
    int at_fault(std::int32_t cell) const {
        return static_cast<int>(std::ranges::find_if(mesh_.cell[cell].boundary, tetra::is_fault) -
                                mesh_.cell[cell].boundary.begin());
    }
    bool has_finer(std::int32_t cell) const {
        return std::ranges::any_of(mesh_.across[cell], [&](const tetra::LocalAcross& across) {
            return across.cell >= 0 && cluster_[across.cell] < cluster_[cell];
        });
    }
    std::int64_t id(std::int32_t cell, int face, std::int64_t kind) const {
        return (mesh_.id[cell] * 4 + face) * (rate_ + 2) + kind;
    }

private:
    const tetra::LocalMesh& mesh_;
    int rate_;
    std::vector<int> cluster_;
};

// The elements, block after block; in each first those at faults that break, by the face that is there, so that few batches
// have to do with faults, and most of these with one face of all their elements. `parts`: kinds of each block.
std::vector<std::int32_t> order_cells(const tetra::LocalMesh& mesh, const Faces& faces, bool faults_break,
                                      std::span<const Material> material, std::vector<std::int32_t>& parts) {
    const auto kind_of = [&](std::int32_t cell) {
        if (material.empty()) return rock;
        const auto& across = mesh.across[cell];
        if (material[cell].is_anisotropic() ||
            std::ranges::any_of(across, [&](const tetra::LocalAcross& face) {
                return face.cell >= 0 && material[face.cell].is_anisotropic();
            }))
            return meets_anisotropic;
        return material[cell].is_liquid() ? water : rock;
    };
    std::vector<std::int32_t> cells;
    for (const auto& group : mesh.groups) {
        for (const auto range : {group.interior, group.rim}) {
            for (const bool finer : {false, true}) {
                const std::size_t before = cells.size();
                for (std::int32_t cell = range.begin; cell < range.end; ++cell) {
                    if (faces.has_finer(cell) == finer) cells.push_back(cell);
                }
                const auto of_block = std::span(cells).subspan(before);
                if (faults_break)
                    std::ranges::stable_sort(of_block, {},
                                             [&](std::int32_t cell) { return faces.at_fault(cell); });
                auto rest = of_block;
                for (const Kind kind : {rock, water}) {
                    const auto behind = std::ranges::stable_partition(
                        rest, [&](std::int32_t cell) { return kind_of(cell) == kind; });
                    parts.push_back(static_cast<std::int32_t>(rest.size() - behind.size()));
                    rest = {behind.begin(), behind.end()};
                }
                parts.push_back(static_cast<std::int32_t>(rest.size()));
            }
        }
    }
    return cells;
}

BatchPlaces place(const tetra::LocalMesh& mesh, int rate, int lanes, bool faults_break,
                  std::span<const Material> material, std::vector<std::int32_t>& cell_of) {
    std::vector<std::int32_t> parts;
    cell_of = order_cells(mesh, Faces(mesh, rate), faults_break, material, parts);
    return {parts, lanes, kinds};
}

// Fills in what Connections says, step by step.
class Connector {
public:
    Connector(const tetra::LocalMesh& mesh, int rate, bool faults_break, Connections& all)
        : mesh_(mesh),
          rate_(rate),
          faults_break_(faults_break),
          faces_(mesh, rate),
          all_(all),
          next_(all.places.sides()) {}

    void connect() {
        for (int c = 0; c < clusters(); ++c)
            all_.passages[c].sides.through.push_back(
                {all_.places.sides_begin(c * blocks_of_cluster + interior),
                 all_.places.sides_end(c * blocks_of_cluster + rim_pieces)});
        for (const bool remote : {true, false}) {
            for (int c = 0; c < clusters(); ++c) {
                const std::int32_t begin = next_;
                number_pieces(c, remote);
                number_sums(c, remote);
                let_through(c, begin);
            }
        }
        for (int c = 0; c < clusters(); ++c) name_whole_sides(c);
        find_needed();
        read_from_own();
        all_.other_sides = next_ - all_.places.sides();
    }

private:
    int clusters() const { return static_cast<int>(mesh_.groups.size()); }
    // All sides from this one on that have been counted.
    void let_through(int c, std::int32_t begin) {
        auto& ranges = all_.passages[c].sides.through;
        if (ranges.back().end == begin)
            ranges.back().end = next_;
        else if (begin < next_)
            ranges.push_back({begin, next_});
    }
    bool is_remote(const tetra::LocalAcross& across) const { return across.cell >= mesh_.owned; }

    bool breaks(std::int32_t cell, int face) const {
        return faults_break_ && tetra::is_fault(mesh_.cell[cell].boundary[face]);
    }

    // body(element, cell, face, what lies across), where that is a cell and no fault is between.
    template <class Body>
    void for_each_face(const Body& body) {
        for (std::size_t e = 0; e < all_.cell_of.size(); ++e) {
            const std::int32_t cell = all_.cell_of[e];
            for (int f = 0; f < 4; ++f) {
                const auto& across = mesh_.across[cell][f];
                if (across.cell >= 0 && !breaks(cell, f)) body(e, cell, f, across);
            }
        }
    }

    void number_pieces(int c, bool remote) {
        Passage& passage = all_.passages[c].pieces;
        if (remote) passage.first = next_;
        for_each_face([&](std::size_t e, std::int32_t cell, int f, const tetra::LocalAcross& across) {
            const bool finer = faces_.cluster(across.cell) < c;
            if (faces_.cluster(cell) != c || !finer || is_remote(across) != remote) return;
            all_.pieces[e][f] = next_;
            next_ += rate_;
            for (int s = 0; s < rate_ && remote; ++s)
                passage.owned.push_back(faces_.id(cell, f, first_piece + s));
        });
    }

    void number_sums(int c, bool remote) {
        Passage& passage = all_.passages[c].sums;
        if (remote) passage.first = next_;
        for_each_face([&](std::size_t e, std::int32_t cell, int f, const tetra::LocalAcross& across) {
            const bool coarser = faces_.cluster(across.cell) > c;
            if (faces_.cluster(cell) != c || !coarser || is_remote(across) != remote) return;
            all_.sums[e][f] = next_++;
            if (remote) passage.owned.push_back(faces_.id(cell, f, total));
        });
    }

    void name_whole_sides(int c) {
        Passage& passage = all_.passages[c].whole;
        passage.first = all_.places.sides_begin(c * blocks_of_cluster + rim);
        passage.owned.assign(all_.places.sides_end(c * blocks_of_cluster + rim_pieces) - passage.first, -1);
        const auto range = mesh_.groups[c].rim;
        for (std::int32_t cell = range.begin; cell < range.end; ++cell) {
            for (int f = 0; f < 4; ++f)
                passage.owned[all_.places.side(all_.element_of[cell], f) - passage.first] =
                    faces_.id(cell, f, whole);
        }
    }

    // What comes from other ranks, by cluster of the sender and kind; what comes from one rank stands together.
    void find_needed() {
        struct Needed {
            int owner;
            std::int64_t id;
            std::size_t element;
            int face;
        };
        struct Lists {
            std::vector<Needed> whole, pieces, sums;
        };
        std::vector<Lists> lists(mesh_.groups.size());
        for_each_face([&](std::size_t e, std::int32_t cell, int f, const tetra::LocalAcross& across) {
            if (!is_remote(across)) return;
            const int mine = faces_.cluster(cell), its = faces_.cluster(across.cell);
            const std::int64_t kind = its == mine ? whole : its > mine ? first_piece : total;
            auto& list = its == mine ? lists[its].whole : its > mine ? lists[its].pieces : lists[its].sums;
            list.push_back({mesh_.owner[across.cell], faces_.id(across.cell, across.face, kind), e, f});
        });
        const auto take = [&](std::vector<Needed>& needed, Passage& passage, int sides) {
            std::ranges::sort(needed, {}, [](const Needed& one) { return std::pair(one.owner, one.id); });
            for (const Needed& one : needed) {
                all_.beyond[one.element][one.face] = sides > 1 ? -1 - next_ : next_;
                for (int s = 0; s < sides; ++s) {
                    passage.needed.push_back(one.id + s);
                    passage.needed_side.push_back(next_++);
                }
            }
        };
        for (int c = 0; c < clusters(); ++c) {
            const std::int32_t begin = next_;
            take(lists[c].whole, all_.passages[c].whole, 1);
            take(lists[c].pieces, all_.passages[c].pieces, rate_);
            take(lists[c].sums, all_.passages[c].sums, 1);
            all_.passages[c].sides.received = {begin, next_};
        }
    }

    // What comes from elements of this rank.
    void read_from_own() {
        for (std::size_t e = 0; e < all_.cell_of.size(); ++e) {
            const std::int32_t begin = next_;
            for (int f = 0; f < 4; ++f) {
                const auto& across = mesh_.across[all_.cell_of[e]][f];
                if (across.cell < 0)
                    all_.beyond[e][f] = mesh_.cell[all_.cell_of[e]].boundary[f] == tetra::Boundary::sea
                                            ? next_++
                                            : all_.places.side(static_cast<std::int32_t>(e), f);
                if (across.cell < 0) continue;
                if (breaks(all_.cell_of[e], f)) all_.beyond[e][f] = next_++;
                if (breaks(all_.cell_of[e], f) || is_remote(across)) continue;
                const std::int32_t other = all_.element_of[across.cell];
                const int mine = faces_.cluster(all_.cell_of[e]), its = faces_.cluster(across.cell);
                all_.beyond[e][f] = its == mine  ? all_.places.side(other, across.face)
                                    : its > mine ? -1 - all_.pieces[other][across.face]
                                                 : all_.sums[other][across.face];
            }
            SideRange& beyond = all_.passages[faces_.cluster(all_.cell_of[e])].sides.beyond;
            if (beyond.end < begin) beyond.begin = begin;  // the cluster's first
            beyond.end = next_;
        }
    }

    const tetra::LocalMesh& mesh_;
    int rate_;
    bool faults_break_;
    Faces faces_;
    Connections& all_;
    std::int32_t next_;  // side
};

}  // namespace

Connections::Connections(const tetra::LocalMesh& mesh, int rate, int lanes, bool faults_break,
                         std::span<const Material> material)
    : element_of(static_cast<std::size_t>(mesh.owned)),
      places(place(mesh, rate, lanes, faults_break, material, cell_of)),
      beyond(cell_of.size(), {-1, -1, -1, -1}),
      pieces(beyond),
      sums(beyond),
      passages(mesh.groups.size()),
      ids(mesh.global_cells * 4 * (rate + 2)) {
    for (std::size_t e = 0; e < cell_of.size(); ++e) element_of[cell_of[e]] = static_cast<std::int32_t>(e);
    Connector(mesh, rate, faults_break, *this).connect();
}

}  // namespace groundswell::quake
