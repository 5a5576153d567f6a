#include "groundswell/sea/clusters/steps.hpp"

#include <algorithm>
#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/sea/clusters/choice.hpp"
#include "groundswell/sea/halo_exchange.hpp"

namespace groundswell::sea {

halo::Layout layout_of(const halo::Plan& plan, const ClusteredMesh& mesh) {
    std::vector<int> ranks;
    for (const auto links : {plan.sources(), plan.destinations()}) {
        for (const halo::Link& link : links) ranks.push_back(link.rank);
    }
    return {plan.comm(), mesh.mesh.owned, mesh.mesh.total - mesh.mesh.owned, ranks};
}

double longest_meeting(MPI_Comm comm, const voronoi::LocalMesh& mesh, std::span<const double> longest_step) {
    double tick = std::numeric_limits<double>::infinity(), ticks = 1.0;
    for (const mesh::CellGroup& group : mesh.groups) {
        for (std::int32_t cell = group.owned().begin; cell < group.owned().end; ++cell)
            tick = std::min(tick, longest_step[cell] / ticks);
        ticks *= cluster_rate;
    }
    return parallel::min(comm, tick) * ticks / cluster_rate;
}

ClusterSteps::ClusterSteps(MPI_Comm comm, const ClusteredMesh& mesh, Propagator& propagator,
                           PropagationScheme scheme, halo::Field<Real>& first, halo::Field<Real>& second,
                           const halo::ExchangeOptions& options, parallel::Profile& profile,
                           parallel::Phase phase, bool on_device)
    : comm_(comm),
      mesh_(mesh),
      propagator_(propagator),
      second_order_(scheme == PropagationScheme::second_order),
      stride_(first.stride()),
      state_{first.data(), second.data()},
      clusters_(clusters_of(mesh.mesh)),
      profiles_(
          exec::make_cell_array<Real>(second_order_ ? mesh.mesh.total - mesh.first_image : 0, 3 * stride_)),
      options_(options),
      profile_(profile),
      phase_(phase),
      exchanged_state_{first.data(), second.data()},
      exchanged_profiles_(profiles_.data()) {
    GS_ASSERT(first.ids() == mesh.mesh.total);
    if (second_order_) {
        propagator.use_images(mesh.first_image, profiles_.data());
        image_in_slower_.assign(mesh.mesh.owned, -1);
        for (const ClusterBorder& border : mesh.borders) {
            for (std::int32_t i = 0; i < border.owned && !border.is_from_slower(); ++i)
                image_in_slower_[border.source[i]] = border.first + i;
        }
    }
    on_processors_ = make_work_on_processors(propagator, stride_, state_[0], state_[1], profiles_.data(),
                                             mesh.first_image, image_in_slower_);
    work_ = on_processors_.get();
    if (!on_device) make_exchanges();
}

void ClusterSteps::compute_by(ClusterWork& work, const OnDevice& device) {
    work_ = &work;
    exchanged_state_ = device.state;
    exchanged_profiles_ = device.profiles;
    device_ = device.where;
    make_exchanges();
}

std::vector<ClusterSteps::Cluster> ClusterSteps::clusters_of(const voronoi::LocalMesh& mesh) {
    std::vector<Cluster> clusters;
    std::int64_t ticks = 1;
    for (const mesh::CellGroup& group : mesh.groups) {
        clusters.push_back({group, ticks});
        ticks *= cluster_rate;
    }
    return clusters;
}

// One for each cluster's state, and where a cluster's cells say more of themselves than their state one for each border.
void ClusterSteps::make_exchanges() {
    std::vector<halo::Wanted> wanted;
    const auto add = [&](std::span<const std::int64_t> owned, std::span<const std::int64_t> needed,
                         std::int32_t first_needed, std::size_t values, Real* field) {
        std::vector<std::int32_t> index;
        for (std::size_t i = 0; i < needed.size(); ++i)
            index.push_back(first_needed + static_cast<std::int32_t>(i));
        wanted.push_back({std::make_shared<const halo::Plan>(comm_, owned, needed, index),
                          {halo::channel_of<Real>(values)},
                          {field},
                          device_});
    };
    for (int c = 0; c < static_cast<int>(clusters_.size()); ++c) {
        const mesh::CellRange owned = clusters_[c].cells.owned(), halo = clusters_[c].cells.halo;
        add(mesh_.mesh.ids(owned), mesh_.mesh.ids(halo), halo.begin - owned.begin, stride_,
            exchanged_state(c));
    }
    for (std::size_t b = 0; b < mesh_.borders.size() && second_order_; ++b) {
        const ClusterBorder& border = mesh_.borders[b];
        const auto ids = mesh_.mesh.ids({border.first, border.first + border.images()});
        const auto owned = static_cast<std::size_t>(border.owned);
        add(ids.first(owned), ids.subspan(owned), border.owned, 3 * stride_, exchanged_profile(border.first));
    }
    exchanges_.emplace(std::move(wanted), options_, profile_);
}

int ClusterSteps::copy_of(std::int32_t cell) const {
    return std::ranges::find_if(clusters_, [&](const Cluster& c) { return cell < c.cells.owned().end; })->old;
}

double ClusterSteps::updates() const {
    double sum = 0.0;
    for (const Cluster& cluster : clusters_)
        sum += static_cast<double>(cluster.cells.owned().cells()) *
               static_cast<double>(ticks_to_meet() / cluster.ticks);
    return sum;
}

void ClusterSteps::advance(double seconds, const std::function<void()>& after_tick) {
    const double first_step = seconds / static_cast<double>(ticks_to_meet());
    for (std::int64_t t = 0; t < ticks_to_meet(); ++t) {
        tick(t, first_step);
        after_tick();
    }
    // The slowest cluster alone has taken an odd number of steps.
    Cluster& slowest = clusters_.back();
    const parallel::PhaseTimer timer(profile_, phase_);
    work_->copy(slowest.cells.owned(), slowest.old);
    slowest.old = 1 - slowest.old;
}

// The faster of the clusters whose step ends comes first: what left its cells in two steps is what comes into the next one's.
// What needs no halo cell goes on while those are on their way.
void ClusterSteps::tick(std::int64_t tick, double seconds) {
    const int clusters = static_cast<int>(clusters_.size());
    const auto for_each_begun = [&](const auto& act) {
        for (int c = 0; c < clusters; ++c) {
            if (begins(c, tick)) act(c);
        }
    };
    const auto for_each_border = [&](bool from_slower, const auto& is_due, const auto& act) {
        for (std::size_t b = 0; b < mesh_.borders.size() && second_order_; ++b) {
            if (mesh_.borders[b].is_from_slower() == from_slower && is_due(mesh_.borders[b])) act(b);
        }
    };
    for_each_begun([&](int c) { exchanges_->start(exchanged_state(c), static_cast<std::size_t>(c)); });
    set_borders(tick, seconds, false);
    propagate(0, false, tick, seconds);
    exchanges_->send();
    for_each_begun([&](int c) { exchanges_->finish(static_cast<std::size_t>(c)); });
    set_borders(tick, seconds, true);
    const auto begun = [&](const ClusterBorder& border) { return begins(border.from, tick); };
    for_each_border(true, begun, [&](std::size_t b) { start_profiles(b); });
    for_each_border(true, begun, [&](std::size_t b) { finish_profiles(b); });
    propagate(0, true, tick, seconds);
    for (int c = 1; c < clusters && ends(c, tick); ++c) {
        const auto into_this = [&](const ClusterBorder& border) { return border.to == c; };
        for_each_border(false, into_this, [&](std::size_t b) { start_profiles(b); });
        propagate(c, false, tick, seconds);
        exchanges_->send();
        for_each_border(false, into_this, [&](std::size_t b) { finish_profiles(b); });
        propagate(c, true, tick, seconds);
    }
    for (int c = 0; c < clusters; ++c) {
        if (ends(c, tick)) clusters_[c].old = 1 - clusters_[c].old;
    }
}

void ClusterSteps::propagate(int cluster_index, bool rim, std::int64_t tick, double seconds) {
    const parallel::PhaseTimer timer(profile_, phase_);
    const Cluster& cluster = clusters_[cluster_index];
    const mesh::CellRange cells = rim ? cluster.cells.rim : cluster.cells.interior;
    const std::int64_t steps_before = (tick + 1) / cluster.ticks - 1;
    const bool add = steps_before % cluster_rate != 0;
    const double step = seconds * static_cast<double>(cluster.ticks);
    exchanges_->compute(
        cells.cells(), polling_piece(propagator_.bins()), [&](std::int32_t first, std::int32_t last) {
            work_->propagate({cells.begin + first, cells.begin + last}, cluster.old, step, add);
        });
}

void ClusterSteps::start_profiles(std::size_t border) {
    exchanges_->start(exchanged_profile(mesh_.borders[border].first), clusters_.size() + border);
}
void ClusterSteps::finish_profiles(std::size_t border) {
    exchanges_->finish(clusters_.size() + border);
}

// Images of owned cells, and profiles of those that need no halo; or of the others, once that is there.
void ClusterSteps::set_borders(std::int64_t tick, double seconds, bool halo) {
    const parallel::PhaseTimer timer(profile_, phase_);
    for (const ClusterBorder& border : mesh_.borders)
        set_images(border, tick, halo ? border.owned : 0, halo ? border.images() : border.owned);
    if (!second_order_) return;
    for (const ClusterBorder& border : mesh_.borders) {
        if (!border.is_from_slower() || !begins(border.from, tick)) continue;
        const Cluster& from = clusters_[border.from];
        work_->set_profiles(border, halo ? border.inner : 0, halo ? border.owned : border.inner, from.old,
                            seconds * static_cast<double>(from.ticks));
    }
}

// What the cells of a border are to their readers, as far as it changes with this tick; images [begin, end).
void ClusterSteps::set_images(const ClusterBorder& border, std::int64_t tick, std::int32_t begin,
                              std::int32_t end) {
    const Cluster &from = clusters_[border.from], &to = clusters_[border.to];
    const bool to_begins = begins(border.to, tick), from_begins = begins(border.from, tick);
    const bool mean = !second_order_ && !border.is_from_slower();
    if (mean ? !from_begins : !to_begins) return;
    const bool half_time = second_order_ && border.is_from_slower() && !from_begins;
    work_->set_images(border,
                      half_time   ? Seen::at_half_time
                      : !mean     ? Seen::as_it_is
                      : to_begins ? Seen::half
                                  : Seen::and_half,
                      from.old, to.old, begin, end);
}

}  // namespace groundswell::sea
