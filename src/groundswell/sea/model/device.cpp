// Steps of the model on a device.

#include "groundswell/exec/device/choice/choice.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/placement.hpp"
#include "groundswell/sea/model.hpp"
#include "groundswell/sea/source/cell_step.hpp"

namespace groundswell::sea {

void Model::make_device() {
    const parallel::Placement place = parallel::find_placement(comm_);
    parallel::agree(comm_, [&] {
        device_ = std::make_unique<ModelOnDevice>(
            exec::make_gpu({place.rank_on_host, place.ranks_on_host, case_.ranks_of_gpu}),
            clustered_ ? clustered_->mesh : mesh_, grid_, propagator_, package_.get());
        if (clusters_) device_->use_clusters(*clustered_, *clusters_, host_state(), second_.data());
    });
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

void Model::propagate_on_device(double seconds) {
    if (clusters_) {
        device_->advance_clusters(host_state(),
                                  [&] { clusters_->advance(seconds, [this] { hold_wave_makers(); }); });
        return;
    }
    const parallel::PhaseTimer timer(profile_, propagation_);
    device_->propagate(seconds, host_state(),
                       {[this] { exchange_->start(current_->data()); }, [this] { exchange_->finish(); }});
}

std::int32_t Model::integrate_sources_on_device() {
    if (!conditions_) conditions_.emplace(mesh_.owned);
    exec::for_each_cell(0, mesh_.owned, [&](std::int32_t cell) {
        const CellConditions here = conditions(cell);
        const double share = acting_share(cell);
        conditions_->wind_speed[cell] = here.wind_speed;
        conditions_->wind_x[cell] = here.wind_x;
        conditions_->wind_y[cell] = here.wind_y;
        conditions_->depth[cell] = here.depth;
        conditions_->open[cell] = static_cast<Real>(share);
    });
    return device_->integrate_sources(*conditions_, time_.cycle_seconds(), host_state());
}

}  // namespace groundswell::sea
