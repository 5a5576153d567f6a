#include "groundswell/quake/wavefield.hpp"

#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/basis/polynomials.hpp"

namespace groundswell::quake {

namespace {

// What ranks send each other is as long as one's own registers ask for.
void require_same_lanes(MPI_Comm comm, int lanes) {
    const std::int64_t least = parallel::min(comm, std::int64_t{lanes});
    const std::int64_t most = parallel::max(comm, std::int64_t{lanes});
    parallel::agree(comm, [&] {
        base::require(
            least == most, "environment", "GROUNDSWELL_ISA", exec::name_of(exec::instruction_set()),
            "the same instructions on all ranks: set it to the lowest that one of their processors has");
    });
}

}  // namespace

template <class Real>
Wavefield<Real>::Wavefield(MPI_Comm comm, const Kernels<Real>& kernels, const tetra::LocalMesh& mesh,
                           std::span<const Material> material, double step, int rate,
                           const halo::ExchangeOptions& options, parallel::Profile* profile,
                           const Attenuation* attenuation, const FaultInput* fault, double gravity)
    : comm_(comm),
      options_(options),
      groups_(mesh.groups),
      attenuation_(attenuation),
      connections_(mesh, rate, kernels.layout.lanes, fault != nullptr, material),
      elements_(kernels, connections_.places, connections_.other_sides),
      sources_(blocks_of_cluster * static_cast<int>(mesh.groups.size())),
      samplers_(blocks_of_cluster * static_cast<int>(mesh.groups.size())),
      sea_(mesh, material, connections_, kernels.layout.order, gravity),
      clusters_(mesh.groups.size()),
      own_profile_(profile == nullptr ? std::make_optional<parallel::Profile>() : std::nullopt),
      profile_(profile == nullptr ? *own_profile_ : *profile),
      local_(profile_.add_phase("local", parallel::PhaseKind::computing)),
      neighbour_(profile_.add_phase("neighbour", parallel::PhaseKind::even)),
      sampling_(profile_.add_phase("sampling", parallel::PhaseKind::service)),
      step_(step),
      rate_(rate),
      spent_(mesh.groups.size()) {
    require_same_lanes(comm, kernels.layout.lanes);
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell) {
        material_.push_back(material[cell]);
        volume_.push_back(tetra::geometry_of(mesh.cell[cell].place).volume);
    }
    GS_ASSERT(rate >= 1 && rate <= 3 && (rate > 1 || clusters_.size() == 1));
    for (std::size_t c = 1; c < clusters_.size(); ++c) clusters_[c].ticks = clusters_[c - 1].ticks * rate;
    ticks_to_meet_ = clusters_.back().ticks;
    GS_ASSERT((attenuation != nullptr) == (kernels.layout.mechanisms > 0));
    if (fault != nullptr) {
        rupture_ = profile_.add_phase("rupture", parallel::PhaseKind::computing);
        parallel::agree(comm, [&] {
            fault_.emplace(mesh, material, connections_, kernels.layout.order, *fault, kernel_set().fault);
        });
    }
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
        for (const int block : {interior, interior_pieces})
            elements_.pack_water(elements_.batches_of(static_cast<int>(c) * blocks_of_cluster + block));
    }
    set_elements(mesh, material, attenuation);
    make_exchanges();
}

template <class Real>
void Wavefield<Real>::set_elements(const tetra::LocalMesh& mesh, std::span<const Material> material,
                                   const Attenuation* attenuation) {
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
        const auto range = mesh.groups[c].owned();
        for (std::int32_t cell = range.begin; cell < range.end; ++cell) {
            const std::int32_t e = connections_.element_of[cell];
            Element element{
                tetra::geometry_of(mesh.cell[cell].place), material[cell], mesh.cell[cell].boundary, {}, {}};
            if (attenuation != nullptr) element.mechanisms = attenuation->mechanisms_of(material[cell]);
            for (int f = 0; f < 4; ++f) {
                const std::int32_t across = mesh.across[cell][f].cell;
                if (across < 0) continue;
                // Friction stands between the sides of a fault that can break, each as it were at the surface.
                const bool breaks = fault_ && tetra::is_fault(element.boundary[f]);
                element.boundary[f] = tetra::Boundary::none;
                element.beyond[f] = breaks ? material[cell] : material[across];
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
int Wavefield<Real>::block_of(std::int32_t cell) const {
    int c = 0;
    while (cell >= groups_[c].owned().end) ++c;
    return c * blocks_of_cluster + (cell >= groups_[c].rim.begin ? rim : interior);
}

template <class Real>
void Wavefield<Real>::add_source(std::int32_t cell, const tetra::Point& reference,
                                 const PointSource& source) {
    std::vector<Mechanism> mechanisms;
    if (attenuation_ != nullptr) mechanisms = attenuation_->mechanisms_of(material_[cell]);
    sources_.add(elements_, block_of(cell), connections_.element_of[cell], reference, material_[cell],
                 mechanisms, volume_[cell], source, rate_);
}

template <class Real>
void Wavefield<Real>::add_probe(std::int32_t cell, const tetra::Point& reference, Probe probe) {
    std::vector<std::vector<double>> basis(probe.gradient ? 4 : 1);
    for (const auto& phi : tetrahedron_basis(elements_.layout().order, reference)) {
        basis[0].push_back(phi.value);
        for (std::size_t axis = 0; axis + 1 < basis.size(); ++axis) {
            const auto& gradient = *probe.gradient;
            basis[1 + axis].push_back(phi.gradient[0] * gradient[0][axis] +
                                      phi.gradient[1] * gradient[1][axis] +
                                      phi.gradient[2] * gradient[2][axis]);
        }
    }
    samplers_.add(elements_, block_of(cell), connections_.element_of[cell], std::move(basis),
                  std::move(probe));
}

// work(batches) for all of them, in pieces of about a millisecond where messages want to be pushed along.
template <class Real>
template <class Work>
void Wavefield<Real>::compute(BatchRange batches, const Work& work) {
    if (exchanges_)
        exchanges_->compute(batches.end - batches.begin, 32 * exec::threads(),
                            [&](std::int32_t first, std::int32_t last) {
                                work({batches.begin + first, batches.begin + last});
                            });
    else
        work(batches);
    if (!on_device_) return;
    if (exchanges_) exchanges_->send();
    wait_for(batches);
}

template <class Real>
void Wavefield<Real>::predict(int cluster, bool at_rim) {
    const int first = cluster * blocks_of_cluster + (at_rim ? rim : interior);
    const BatchRange batches{elements_.batches_of(first).begin, elements_.batches_of(first + 1).end};
    if (on_device_) on_device_->clusters().turn_to(cluster);
    if (!sea_.empty())
        spend(local_, spent_[cluster].local, [&] {
            for (const int block : {first, first + 1})
                sea_.foresee(elements_, block, begin(cluster), length(cluster));
        });
    {
        const parallel::PhaseTimer timer(profile_, sampling_);
        samplers_.show(elements_, first, first + 1, begin(cluster), end(cluster));
    }
    if (fault_)
        spend(rupture_, spent_[cluster].rupture, [&] {
            fault_->look(elements_, first);
            fault_->look(elements_, first + 1);
            if (fault_on_device_) wait_for(batches);
        });
    spend(local_, spent_[cluster].local, [&] {
        const auto seconds = static_cast<Real>(length(cluster));
        const std::vector<std::int32_t> changed =
            sources_.act(elements_, first, begin(cluster), length(cluster), rate_);
        if (on_device_) on_device_->add(changed);
        const double started = parallel::now();
        compute(elements_.batches_of(first),
                [&](BatchRange some) { there_or_here([&](auto& e) { e.predict(some, seconds); }); });
        effort_.plain_predictions += parallel::now() - started;
        if (rate_ > 1)
            compute(elements_.batches_of(first + 1), [&](BatchRange some) {
                there_or_here([&](auto& e) { e.predict_pieces(some, seconds, rate_); });
            });
        for (const int block : {first, first + 1}) sea_.step(elements_, block, length(cluster));
        add_up(cluster, at_rim);
        if (on_device_ && !changed.empty()) on_device_->wait();  // for what sources add stands on the host
    });
    const std::int64_t plain = elements_.places().elements_of(first);
    effort_.plainly_predicted += plain;
    spent_[cluster].local.updates += plain + elements_.places().elements_of(first + 1);
}

// What has gone through towards those that step more rarely.
template <class Real>
void Wavefield<Real>::add_up(int cluster, bool at_rim) {
    const auto& sums = clusters_[cluster].sums[at_rim];
    const std::size_t values = elements_.layout().trace;
    const bool is_first = piece(cluster) == 0;
    if (on_device_) return on_device_->add_up(sums_on_device_[2 * cluster + (at_rim ? 1 : 0)], is_first);
    exec::for_each_cell(0, static_cast<std::int32_t>(sums.size()), [&](std::int32_t i) {
        const Real* from = elements_.values(sums[i].side);
        Real* to = elements_.values(sums[i].total);
        for (std::size_t v = 0; v < values; ++v) to[v] = is_first ? from[v] : to[v] + from[v];
    });
}

template <class Real>
void Wavefield<Real>::correct(int cluster, bool at_rim) {
    const int first = cluster * blocks_of_cluster + (at_rim ? rim : interior);
    const BatchRange batches{elements_.batches_of(first).begin, elements_.batches_of(first + 1).end};
    if (on_device_) on_device_->clusters().turn_to(cluster);
    if (fault_)
        spend(rupture_, spent_[cluster].rupture, [&] {
            fault_->solve(elements_, cluster, at_rim, begin(cluster), length(cluster));
            if (fault_on_device_) wait_for(batches);
        });
    spend(neighbour_, spent_[cluster].neighbour, [&] {
        const double started = parallel::now();
        compute(batches,
                [&](BatchRange some) { there_or_here([&](auto& e) { e.correct(some, piece(cluster)); }); });
        effort_.corrections += parallel::now() - started;
    });
    const std::int64_t corrected =
        elements_.places().elements_of(first) + elements_.places().elements_of(first + 1);
    effort_.corrected += corrected;
    spent_[cluster].neighbour.updates += corrected;
    for (const int block : {first, first + 1}) sources_.acted(elements_, block);
    if (layer_)
        spend(local_, spent_[cluster].local, [&] {
            compute(batches, [&](BatchRange some) {
                layer_on_device_ ? layer_on_device_->fade(some)
                                 : layer_->fade(elements_, some, length(cluster));
            });
        });
    if (!plasticity_) return;
    spend(plastic_, spent_[cluster].plastic, [&] {
        compute(batches, [&](BatchRange some) {
            if (plasticity_on_device_)
                plasticity_on_device_->relax(some, length(cluster));
            else
                plasticity_->relax(elements_, some, length(cluster));
        });
    });
    spent_[cluster].plastic.updates += corrected;
}

template <class Real>
void Wavefield<Real>::tick() {
    const double started = parallel::now();
    const int clusters = static_cast<int>(clusters_.size());
    const auto begins = [&](int c) { return tick_ % clusters_[c].ticks == 0; };
    const auto ends = [&](int c) { return (tick_ + 1) % clusters_[c].ticks == 0; };
    // On a device clusters step side by side, but for what neighbours have from each other.
    const auto let_neighbours_follow = [&](const auto& which) {
        if (!on_device_) return;
        std::vector<int> some;
        for (int c = 0; c < clusters; ++c)
            if (which(c)) some.push_back(c);
        on_device_->clusters().let_neighbours_follow(some);
    };
    for (int c = clusters - 1; c >= 0; --c) {
        if (!begins(c)) continue;
        predict(c, true);
        start_exchanges(c);
    }
    for (int c = 0; c < clusters; ++c) {
        if (begins(c)) predict(c, false);
    }
    let_neighbours_follow(begins);
    for (int c = 0; c < clusters; ++c) {
        if (ends(c)) correct(c, false);
    }
    for (const int exchange : under_way_) exchanges_->finish(static_cast<std::size_t>(exchange));
    if (!under_way_.empty()) let_neighbours_follow(begins);
    under_way_.clear();
    for (int c = 0; c < clusters; ++c) {
        if (ends(c)) correct(c, true);
    }
    let_neighbours_follow(ends);
    ++tick_;
    if (on_device_ && clusters > 1 && tick_ % ticks_to_meet_ == 0) {
        const parallel::PhaseTimer timer(profile_, neighbour_);
        on_device_->clusters().wait_for_all();  // so that no more is ever asked for ahead
    }
    effort_.ticks += parallel::now() - started;
}

template class Wavefield<float>;
template class Wavefield<double>;

}  // namespace groundswell::quake
