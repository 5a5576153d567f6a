#include "groundswell/quake/wavefield.hpp"

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::quake {

template <class Real>
Wavefield<Real>::Wavefield(MPI_Comm comm, const Kernels<Real>& kernels, const tetra::LocalMesh& mesh,
                           std::span<const Material> material, double step, int rate,
                           const std::string& transport)
    : connections_(mesh, rate, kernels.layout.lanes),
      elements_(kernels, connections_.places, connections_.other_sides),
      clusters_(mesh.groups.size()),
      step_(step),
      rate_(rate) {
    GS_ASSERT(rate >= 1 && rate <= 3 && (rate > 1 || clusters_.size() == 1));
    for (std::size_t c = 1; c < clusters_.size(); ++c) clusters_[c].ticks = clusters_[c - 1].ticks * rate;
    ticks_to_meet_ = clusters_.back().ticks;
    set_elements(mesh, material);
    // Lanes without an element get ids that nobody needs.
    std::int64_t without = 0;
    for (const auto& passages : connections_.passages)
        without += std::ranges::count(passages.whole.owned, -1);
    std::int64_t unused = connections_.ids + parallel::sum_before(comm, without);
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
        const auto& passages = connections_.passages[c];
        clusters_[c].whole = make_exchange(comm, passages.whole, unused, transport);
        clusters_[c].pieces = make_exchange(comm, passages.pieces, unused, transport);
        clusters_[c].sums_out = make_exchange(comm, passages.sums, unused, transport);
    }
}

template <class Real>
void Wavefield<Real>::set_elements(const tetra::LocalMesh& mesh, std::span<const Material> material) {
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
        const auto range = mesh.groups[c].owned();
        for (std::int32_t cell = range.begin; cell < range.end; ++cell) {
            const std::int32_t e = connections_.element_of[cell];
            Element element{
                tetra::geometry_of(mesh.cell[cell].place), material[cell], mesh.cell[cell].boundary, {}};
            for (int f = 0; f < 4; ++f) {
                const std::int32_t across = mesh.across[cell][f].cell;
                if (across < 0) continue;
                element.boundary[f] =
                    tetra::Boundary::none;  // until faults can break, their sides hold together
                element.beyond[f] = material[across];
            }
            elements_.set(e, element, connections_.beyond[e], connections_.pieces[e]);
            const bool at_rim = cell >= mesh.groups[c].rim.begin;
            for (int f = 0; f < 4; ++f) {
                if (connections_.sums[e][f] < 0) continue;
                clusters_[c].sums[at_rim].push_back(
                    {connections_.places.side(e, f), connections_.sums[e][f]});
            }
        }
    }
}

template <class Real>
auto Wavefield<Real>::make_exchange(MPI_Comm comm, const Passage& passage, std::int64_t& unused,
                                    const std::string& transport) -> Exchange {
    std::vector<std::int64_t> owned = passage.owned;
    for (std::int64_t& id : owned) {
        if (id < 0) id = unused++;
    }
    if (parallel::sum(comm, static_cast<std::int64_t>(passage.needed.size())) == 0) return {};
    std::vector<std::int32_t> index;
    for (const std::int32_t side : passage.needed_side) index.push_back(side - passage.first);
    const auto plan = std::make_shared<const halo::Plan>(comm, owned, passage.needed, index);
    Real* const base = elements_.values(passage.first);
    return {halo::make_transport(transport, plan, halo::channel_of<Real>(elements_.layout().trace), base),
            base};
}

template <class Real>
void Wavefield<Real>::predict(int cluster, bool at_rim) {
    const auto seconds = static_cast<Real>(step_ * static_cast<double>(clusters_[cluster].ticks));
    const int first = cluster * blocks_of_cluster + (at_rim ? rim : interior);
    elements_.predict(first, seconds);
    if (rate_ > 1) elements_.predict_pieces(first + 1, seconds, rate_);
    // What has gone through towards those that step more rarely.
    const auto& sums = clusters_[cluster].sums[at_rim];
    const std::size_t values = elements_.layout().trace;
    const bool is_first = piece(cluster) == 0;
    exec::for_each_cell(0, static_cast<std::int32_t>(sums.size()), [&](std::int32_t i) {
        const Real* from = elements_.values(sums[i].side);
        Real* to = elements_.values(sums[i].total);
        for (std::size_t v = 0; v < values; ++v) to[v] = is_first ? from[v] : to[v] + from[v];
    });
}

template <class Real>
void Wavefield<Real>::start(Exchange& exchange) {
    if (!exchange.transport) return;
    exchange.transport->start(exchange.base);
    under_way_.push_back(exchange.transport.get());
}

template <class Real>
void Wavefield<Real>::start_exchanges(int cluster) {
    start(clusters_[cluster].whole);
    start(clusters_[cluster].pieces);
    if (piece(cluster) == rate_ - 1) start(clusters_[cluster].sums_out);
}

template <class Real>
void Wavefield<Real>::finish_exchanges() {
    for (halo::Transport* transport : under_way_) transport->finish();
    under_way_.clear();
}

template <class Real>
void Wavefield<Real>::correct(int cluster, bool at_rim) {
    const int first = cluster * blocks_of_cluster + (at_rim ? rim : interior);
    elements_.correct(first, piece(cluster));
    elements_.correct(first + 1, piece(cluster));
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
