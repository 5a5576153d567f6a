// Steps of the model on a device.

#include "groundswell/exec/device/choice/choice.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/sea/halo_exchange.hpp"
#include "groundswell/sea/model.hpp"
#include "groundswell/sea/source/cell_step.hpp"

namespace groundswell::sea {

void Model::make_device() {
    const parallel::Placement place = parallel::find_placement(comm_);
    parallel::agree(comm_, [&] {
        device_ = std::make_unique<ModelOnDevice>(
            exec::make_gpu({place.rank_on_host, place.ranks_on_host, case_.ranks_of_gpu},
                           case_.launch_graphs),
            clustered_ ? clustered_->mesh : mesh_, grid_, propagator_, package_.get());
    });
    if (clusters_)
        device_->use_clusters(*clustered_, *clusters_);
    else
        exchange_.emplace(
            make_exchange(case_, plan_, grid_, propagator_, device_->action(), profile_, device_->where()));
}

void Model::bring_back() const {
    if (!device_) return;
    if (forcing_) forcing_->settle();
    device_->bring_back(host_state());
}

void Model::bring_back(std::span<const std::int32_t> cells) const {
    if (!device_) return;
    if (forcing_) forcing_->settle();
    device_->bring_back(host_state(), cells);
}

Real* Model::action() {
    if (device_) {
        bring_back();
        device_->host_is_newer();
    }
    return current_->data();
}

std::span<SourceState> Model::source_states() {
    if (device_) {
        bring_back();
        device_->host_is_newer();
    }
    return source_states_.span();
}

void Model::propagate_on_device(double seconds, bool is_last) {
    // While the device is at work the host makes what the source terms want of it next.
    const auto meanwhile = [&] {
        if (!is_last || !time_.ends_cycle(step_ + 1)) return;
        const parallel::PhaseTimer timer(profile_, forcing_phase_);
        forcing_->read(time_.instant_at(step_ + 1));
    };
    if (clusters_) {
        device_->advance_clusters(
            host_state(), [&] { clusters_->advance(seconds, [this] { hold_wave_makers(); }); }, meanwhile);
        return;
    }
    const parallel::PhaseTimer timer(profile_, propagation_);
    device_->propagate(seconds, host_state(), *exchange_, meanwhile);
}

void Model::use_forcing_on_device() {
    parallel::agree(comm_, [&] { device_->use_forcing(*forcing_, case_.physics.relative_wind); });
    forcing_->leave("wind");
}

ModelOnDevice::Surroundings Model::surroundings() const {
    // Ice and water alone change them.
    if (depths_felt_.empty() || forcing_->has("ice") || propagator_.has_water()) {
        depths_felt_.resize(static_cast<std::size_t>(mesh_.owned));
        acting_.resize(static_cast<std::size_t>(mesh_.owned));
        exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) {
            depths_felt_[static_cast<std::size_t>(cell)] = static_cast<Real>(depth_felt(cell));
            acting_[static_cast<std::size_t>(cell)] = static_cast<Real>(acting_share(cell));
        });
    }
    return {depths_felt_, acting_};
}

std::int32_t Model::integrate_sources_on_device() {
    return device_->integrate_sources(surroundings(), time_.cycle_seconds(), host_state());
}

}  // namespace groundswell::sea
