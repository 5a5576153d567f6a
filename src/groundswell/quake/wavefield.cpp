#include "groundswell/quake/wavefield.hpp"

#include <algorithm>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/polynomials.hpp"

namespace groundswell::quake {

template <class Real>
Wavefield<Real>::Wavefield(MPI_Comm comm, const Kernels<Real>& kernels, const tetra::LocalMesh& mesh,
                           std::span<const Material> material, double step, int rate,
                           const std::string& transport)
    : groups_(mesh.groups),
      connections_(mesh, rate, kernels.layout.lanes),
      elements_(kernels, connections_.places, connections_.other_sides),
      clusters_(mesh.groups.size()),
      step_(step),
      rate_(rate) {
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        density_.push_back(material[cell].density);
        volume_.push_back(tetra::geometry_of(mesh.cell[cell].place).volume);
    }
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
auto Wavefield<Real>::cluster_of(std::int32_t cell, bool& at_rim) -> Cluster& {
    std::size_t c = 0;
    while (cell >= groups_[c].owned().end) ++c;
    at_rim = cell >= groups_[c].rim.begin;
    return clusters_[c];
}

template <class Real>
void Wavefield<Real>::add_source(std::int32_t cell, const tetra::Point& reference,
                                 const PointSource& source) {
    const int order = elements_.layout().order;
    const auto mass = tetrahedron_mass(order);
    const auto basis = tetrahedron_basis(order, reference);
    const auto effect = source.effect(density_[cell]);
    std::vector<double> impulse;
    for (std::size_t k = 0; k < basis.size(); ++k) {
        for (const double one : effect)
            impulse.push_back(one * basis[k].value / (mass[k] * 6.0 * volume_[cell]));
    }
    const std::int32_t element = connections_.element_of[cell];
    bool at_rim = false;
    Cluster& cluster = cluster_of(cell, at_rim);
    cluster.sources[at_rim].push_back({element, elements_.derivatives_of(element, impulse), source.rate});
    elements_.added(element, rate_);
}

// An impulse at time τ has become Σ (t − τ)ᵏ / k! times its k-th derivative at time t.
template <class Real>
void Wavefield<Real>::add_sources(int cluster, bool at_rim) {
    const auto& sources = clusters_[cluster].sources[at_rim];
    for (const Source& source : sources) std::ranges::fill(elements_.added(source.element, rate_), Real{});
    const int order = elements_.layout().order, quantities = elements_.layout().quantities;
    const double from = begin(cluster), seconds = length(cluster);
    for (const Source& source : sources) {
        const auto add = [&](int which, const std::vector<double>& moments, int first, double sign) {
            for (int k = 0; k < order; ++k) {
                const auto& derivative = source.derivatives[k];
                for (int i = 0; i < static_cast<int>(derivative.size()); ++i) {
                    elements_.added(source.element, which, i / quantities, i % quantities) +=
                        static_cast<Real>(sign * moments[first + k] * derivative[i]);
                }
            }
        };
        const auto whole = moments_of(*source.rate, from, from + seconds, order);
        add(0, whole, 0, 1.0);
        add(1, whole, 1, 1.0);
        for (int s = 0; s < rate_ && rate_ > 1; ++s) {
            add(2 + s, moments_of(*source.rate, from, from + seconds * (s + 1) / rate_, order), 1, 1.0);
            if (s > 0) add(2 + s, moments_of(*source.rate, from, from + seconds * s / rate_, order), 1, -1.0);
        }
    }
}

template <class Real>
void Wavefield<Real>::add_probe(std::int32_t cell, const tetra::Point& reference, Probe probe) {
    Place added{connections_.element_of[cell], {}, std::move(probe)};
    for (const auto& phi : tetrahedron_basis(elements_.layout().order, reference))
        added.basis.push_back(phi.value);
    bool at_rim = false;
    auto& probes = cluster_of(cell, at_rim).probes[at_rim];
    const auto batch = [&](const Place& place) { return connections_.places.batch(place.element); };
    probes.insert(std::ranges::upper_bound(probes, batch(added), {}, batch), std::move(added));
}

template <class Real>
double Wavefield<Real>::Glimpse::value(int quantity, double seconds) const {
    double sum = 0.0, factor = 1.0;
    const std::size_t order = derivatives.size() / static_cast<std::size_t>(quantities);
    for (std::size_t k = 0; k < order; ++k) {
        sum += factor *
               derivatives[k * static_cast<std::size_t>(quantities) + static_cast<std::size_t>(quantity)];
        factor *= seconds / static_cast<double>(k + 1);
    }
    return sum;
}

template <class Real>
double Wavefield<Real>::begin(int cluster) const {
    const std::int64_t ticks = clusters_[cluster].ticks;
    return static_cast<double>(tick_ / ticks * ticks) * step_;
}

template <class Real>
void Wavefield<Real>::show(int cluster, bool at_rim) {
    const auto& probes = clusters_[cluster].probes[at_rim];
    if (probes.empty()) return;
    exec::Array<Real> derivatives(elements_.layout().derivatives);
    std::vector<double> at_place(
        static_cast<std::size_t>(elements_.layout().order * elements_.layout().quantities));
    std::int32_t batch = -1;
    for (const Place& place : probes) {
        if (connections_.places.batch(place.element) != batch) {
            batch = connections_.places.batch(place.element);
            elements_.differentiate_batch_of(place.element, derivatives.data());
        }
        elements_.evaluate(place.element, derivatives.data(), place.basis, at_place.data());
        place.probe({begin(cluster), begin(cluster) + length(cluster), at_place});
    }
}

template <class Real>
void Wavefield<Real>::predict(int cluster, bool at_rim) {
    show(cluster, at_rim);
    add_sources(cluster, at_rim);
    const auto seconds = static_cast<Real>(length(cluster));
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
