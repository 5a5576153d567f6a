#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "groundswell/quake/wavefield.hpp"

namespace groundswell::quake {

template <class Real>
void Wavefield<Real>::make_exchanges() {
    const MPI_Comm comm = comm_;
    exchanged_.clear();
    // Sides are exchanged where elements step, those of faults where faults are solved.
    std::vector<halo::Wanted> wanted;
    const auto want = [&]<class T>(std::shared_ptr<const halo::Plan> plan, std::size_t values, T* first,
                                   const std::optional<halo::FieldsOnDevice>& where) {
        wanted.push_back({std::move(plan), {halo::channel_of<T>(values)}, {first}, where});
        exchanged_.push_back(first);
        return static_cast<int>(wanted.size()) - 1;
    };
    // Lanes without an element get ids that nobody needs.
    std::int64_t without = 0;
    for (const auto& passages : connections_.passages)
        without += std::ranges::count(passages.whole.owned, -1);
    std::int64_t unused = connections_.ids + parallel::sum_before(comm, without);
    std::optional<halo::FieldsOnDevice> there;
    const auto add = [&](const Passage& passage, int& exchange) {
        std::vector<std::int64_t> owned = passage.owned;
        for (std::int64_t& id : owned) {
            if (id < 0) id = unused++;
        }
        if (parallel::sum(comm, static_cast<std::int64_t>(passage.needed.size())) == 0) return;
        std::vector<std::int32_t> index;
        for (const std::int32_t side : passage.needed_side) index.push_back(side - passage.first);
        Real* base = elements_.values(passage.first);
        if (on_device_) base = on_device_->sides().data() + (base - elements_.memory().sides.data());
        exchange = want(std::make_shared<const halo::Plan>(comm, owned, passage.needed, index),
                        elements_.layout().trace, base, there);
    };
    for (std::size_t c = 0; c < clusters_.size(); ++c) {
        if (on_device_) there = {&on_device_->device(), on_device_->clusters().of(static_cast<int>(c))};
        const auto& passages = connections_.passages[c];
        add(passages.whole, clusters_[c].whole);
        add(passages.pieces, clusters_[c].pieces);
        add(passages.sums, clusters_[c].sums_out);
        if (!fault_) continue;
        const auto& sides = fault_->crossing_sides(static_cast<int>(c));
        if (parallel::sum(comm, static_cast<std::int64_t>(sides.needed.size())) == 0) continue;
        std::vector<std::int32_t> behind(sides.needed.size());
        std::iota(behind.begin(), behind.end(), static_cast<std::int32_t>(sides.owned.size()));
        clusters_[c].fault = want(std::make_shared<const halo::Plan>(comm, sides.owned, sides.needed, behind),
                                  static_cast<std::size_t>(fault_->side_values()),
                                  fault_on_device_ ? fault_on_device_->there(sides.first) : sides.first,
                                  fault_on_device_ ? there : std::nullopt);
    }
    exchanges_.reset();
    if (!wanted.empty()) exchanges_.emplace(std::move(wanted), options_, profile_);
}

template <class Real>
void Wavefield<Real>::start(int exchange) {
    if (exchange == no_exchange) return;
    exchanges_->start(exchanged_[exchange], static_cast<std::size_t>(exchange));
    under_way_.push_back(exchange);
}

template <class Real>
void Wavefield<Real>::start_exchanges(int cluster) {
    start(clusters_[cluster].whole);
    start(clusters_[cluster].pieces);
    start(clusters_[cluster].fault);
    if (piece(cluster) == rate_ - 1) start(clusters_[cluster].sums_out);
}

// So that the time is that of the work. Not where few batches leave room for those of other clusters.
template <class Real>
void Wavefield<Real>::wait_for(BatchRange batches) {
    constexpr int blocks_at_once = 2048;  // of a large GPU, as far as kernels of elements let it
    const int few = clusters_.size() > 1 ? blocks_at_once : on_device_->device().blocks_kept_back();
    if (batches.end - batches.begin > few) on_device_->wait();
}

template <class Real>
std::optional<halo::ExchangeReport> Wavefield<Real>::exchange_report() const {
    return exchanges_ ? std::make_optional(exchanges_->report()) : std::nullopt;
}

template <class Real>
void Wavefield<Real>::move_to(exec::Device& device, bool faults_too) {
    const bool solves_there = fault_ && faults_too && FaultOnDevice<Real>::has_form(*fault_);
    base::require(
        !fault_ || solves_there || elements_.layout().lanes % kernel_set().fault.lanes == 0,
        "waves on a device", "faults that the processor solves at this order", "",
        "GROUNDSWELL_ISA=v2 in the environment, whose registers hold fewer faces, or device = \"cpu\"");
    // What has been asked for before is to be done before its arrays go.
    exchanges_.reset();
    if (on_device_) on_device_->clusters().wait_for_all();
    sums_on_device_.clear();
    probes_on_device_.reset();
    sea_on_device_.reset();
    layer_on_device_.reset();
    plasticity_on_device_.reset();
    fault_on_device_.reset();
    on_device_.reset();
    const exec::Stream stream = device.make_stream();
    on_device_.emplace(elements_, device, stream);
    if (clusters_.size() > 1) {
        std::vector<ClusterPart> parts;
        for (int c = 0; c < std::ssize(clusters_); ++c)
            parts.push_back({{elements_.batches_of(c * blocks_of_cluster).begin,
                              elements_.batches_of((c + 1) * blocks_of_cluster - 1).end},
                             elements_.batches_of(c * blocks_of_cluster + rim).begin,
                             connections_.passages[c].sides});
        on_device_->clusters().split(std::move(parts));
    }
    if (solves_there) fault_on_device_.emplace(*fault_, *on_device_);
    for (const Cluster& cluster : clusters_) {
        for (const auto& sums : cluster.sums) sums_on_device_.emplace_back(device, "sums", stream, sums);
    }
    device.synchronise(stream);
    if (!sea_.empty()) sea_on_device_.emplace(sea_, *on_device_);
    if (on_device_->can_look())
        probes_on_device_.emplace(samplers_, *on_device_, sea_on_device_ ? &*sea_on_device_ : nullptr);
    if (plasticity_) plasticity_on_device_.emplace(*plasticity_, *on_device_);
    if (layer_) {
        std::vector<double> seconds;
        for (std::size_t c = 0; c < clusters_.size(); ++c)
            seconds.resize(elements_.places().batch_end(static_cast<int>(c + 1) * blocks_of_cluster - 1),
                           length(static_cast<int>(c)));
        layer_on_device_.emplace(*layer_, *on_device_, seconds);
    }
    device.require_memory();
    make_exchanges();
}

template <class Real>
void Wavefield<Real>::fetch_state() const {
    std::vector<std::int32_t> all(static_cast<std::size_t>(elements_.places().batches()));
    std::iota(all.begin(), all.end(), 0);
    elements_.bring(all);
    if (fault_) fault_->bring();
}

template void Wavefield<float>::make_exchanges();
template void Wavefield<double>::make_exchanges();
template void Wavefield<float>::start_exchanges(int);
template void Wavefield<double>::start_exchanges(int);
template void Wavefield<float>::wait_for(BatchRange);
template void Wavefield<double>::wait_for(BatchRange);
template std::optional<halo::ExchangeReport> Wavefield<float>::exchange_report() const;
template std::optional<halo::ExchangeReport> Wavefield<double>::exchange_report() const;
template void Wavefield<float>::move_to(exec::Device&, bool);
template void Wavefield<double>::move_to(exec::Device&, bool);
template void Wavefield<float>::fetch_state() const;
template void Wavefield<double>::fetch_state() const;

}  // namespace groundswell::quake
