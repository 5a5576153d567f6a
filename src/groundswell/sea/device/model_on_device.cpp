#include "groundswell/sea/device/model_on_device.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "groundswell/exec/device/mirrored_array.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/clusters/device/on_device.hpp"
#include "groundswell/sea/forcing/device/on_device.hpp"
#include "groundswell/sea/ice/device/on_device.hpp"
#include "groundswell/sea/source/device/on_device.hpp"

namespace groundswell::sea {
namespace {

// Kernels may read a register beyond the last bin.
constexpr std::size_t spare = 64 / sizeof(Real);

// [cell][frequencies] of owned cells.
exec::Array<Real> gather(const voronoi::LocalMesh& mesh, int frequencies,
                         const std::function<std::span<const Real>(std::int32_t)>& of) {
    exec::Array<Real> all(static_cast<std::size_t>(mesh.owned) * static_cast<std::size_t>(frequencies));
    for (std::int32_t cell = 0; cell < mesh.owned; ++cell)
        std::copy_n(of(cell).data(), frequencies,
                    all.data() + static_cast<std::ptrdiff_t>(cell) * frequencies);
    return all;
}

}  // namespace

struct ModelOnDevice::Sources {
    Sources(exec::Device& device, exec::Stream stream, const voronoi::LocalMesh& mesh,
            const SpectralGrid& grid, const Propagator& propagator, const SourcePackage& package)
        : step(package, device, stream),
          wave_number_here(gather(mesh, grid.frequencies,
                                  [&](std::int32_t cell) { return propagator.wave_number(cell); })),
          group_speed_here(gather(mesh, grid.frequencies,
                                  [&](std::int32_t cell) { return propagator.group_speed(cell); })),
          wave_number(device, "wave numbers", stream, wave_number_here.span()),
          group_speed(device, "group speeds", stream, group_speed_here.span()),
          depth(device, "depths", static_cast<std::size_t>(mesh.owned)),
          open(device, "open water", static_cast<std::size_t>(mesh.owned)) {
        cells.stride = static_cast<std::int64_t>(grid.stride());
        cells.frequency_stride = grid.frequencies;
        cells.depth = depth.span();
        cells.open = open.span();
        cells.wave_number = wave_number.span();
        cells.group_speed = group_speed.span();
    }
    void copy_waves(exec::Device& device, exec::Stream stream, const voronoi::LocalMesh& mesh,
                    int frequencies, const Propagator& propagator) {
        wave_number_here =
            gather(mesh, frequencies, [&](std::int32_t cell) { return propagator.wave_number(cell); });
        group_speed_here =
            gather(mesh, frequencies, [&](std::int32_t cell) { return propagator.group_speed(cell); });
        device.copy_in(stream, wave_number.span().data(), wave_number_here.data(),
                       wave_number_here.size() * sizeof(Real));
        device.copy_in(stream, group_speed.span().data(), group_speed_here.data(),
                       group_speed_here.size() * sizeof(Real));
    }
    SourcesOnDevice step;
    exec::Array<Real> wave_number_here, group_speed_here;
    exec::DeviceArray<Real> wave_number, group_speed;
    exec::MirroredArray<Real> depth, open;
    DeviceCells cells;
};

ModelOnDevice::ModelOnDevice(std::unique_ptr<exec::Device> device, const voronoi::LocalMesh& mesh,
                             const SpectralGrid& grid, const Propagator& propagator,
                             const SourcePackage* package)
    : device_(std::move(device)),
      stream_(device_->make_stream()),
      copies_(device_->make_stream()),
      mesh_(mesh),
      grid_(grid),
      stride_(grid.stride()),
      first_(*device_, "action", place(mesh.total) + spare),
      second_(*device_, "action of the next step", place(mesh.total) + spare),
      current_(first_.span()),
      next_(second_.span()),
      states_(*device_, "state of source terms", static_cast<std::size_t>(mesh.owned)),
      propagation_(propagator.on_device(*device_, stream_)),
      sources_(package == nullptr
                   ? nullptr
                   : std::make_unique<Sources>(*device_, stream_, mesh, grid, propagator, *package)),
      sums_(*device_, stream_, grid, mesh.owned) {
    // Kernels read whole cells of the halo, also what no exchange brings since nobody uses it.
    const std::vector<Real> halo(place(mesh.total - mesh.owned));
    device_->require_memory();
    device_->copy_in(stream_, next_.data() + place(mesh.owned), halo.data(), halo.size() * sizeof(Real));
    device_->synchronise(stream_);
}
ModelOnDevice::~ModelOnDevice() {
    device_->synchronise(stream_);
}

void ModelOnDevice::copy_out(Real* action, std::int32_t first, std::int32_t last) {
    device_->copy_out(copies_, action + place(first), current_.data() + place(first),
                      place(last - first) * sizeof(Real));
}

void ModelOnDevice::bring_in(const Host& host) {
    if (newer_ != Newer::host) return;
    device_->copy_in(stream_, current_.data(), host.action, place(mesh_.total) * sizeof(Real));
    device_->copy_in(stream_, states_.span().data(), host.states.data(), host.states.size_bytes());
    device_->synchronise(stream_);
    newer_ = Newer::neither;
}

void ModelOnDevice::bring_back(const Host& host) {
    if (newer_ != Newer::device) return;
    device_->wait(copies_, device_->record(stream_));
    copy_out(host.action, 0, mesh_.owned);
    device_->copy_out(copies_, host.states.data(), states_.span().data(), host.states.size_bytes());
    device_->synchronise(copies_);
    newer_ = Newer::neither;
}

void ModelOnDevice::bring_back(const Host& host, std::span<const std::int32_t> cells) {
    if (newer_ != Newer::device || cells.empty()) return;
    device_->wait(copies_, device_->record(stream_));
    for (const std::int32_t cell : cells) {
        copy_out(host.action, cell, cell + 1);
        const auto c = static_cast<std::size_t>(cell);
        device_->copy_out(copies_, &host.states[c], &states_.span()[c], sizeof(SourceState));
    }
    device_->synchronise(copies_);
}

void ModelOnDevice::bring_back_states(const Host& host) {
    if (newer_ != Newer::device) return;
    device_->copy_out(stream_, host.states.data(), states_.span().data(), host.states.size_bytes());
    device_->synchronise(stream_);
}

std::span<const SpectrumMoments> ModelOnDevice::moments(const Host& host) {
    bring_in(host);
    return sums_.moments(stream_, current_);
}

std::span<const double> ModelOnDevice::densities(const Host& host) {
    bring_in(host);
    return sums_.densities(stream_, current_);
}

std::span<const ProductSums> ModelOnDevice::products(const Host& host,
                                                     const SumsOnDevice::InPlace& in_place) {
    bring_in(host);
    return sums_.products(stream_, current_, in_place);
}

std::span<const SystemSums> ModelOnDevice::systems(const Host& host) {
    bring_in(host);
    return sums_.systems(stream_, current_);
}

void ModelOnDevice::set_cell(std::int32_t cell, const Host& host, std::span<const Real> action, int copy) {
    bring_in(host);
    const std::span<Real> state = copy < 0 ? current_ : copy == 0 ? first_.span() : second_.span();
    device_->copy_in(stream_, state.data() + place(cell), action.data(), action.size_bytes());
    newer_ = Newer::device;
}

void ModelOnDevice::let_in() {
    propagation_->let_in(stream_);
    device_->synchronise(stream_);
}

void ModelOnDevice::let_through() {
    propagation_->let_through(stream_);
    device_->synchronise(stream_);
}

void ModelOnDevice::set_water(std::span<const std::int32_t> cells, const Propagator& propagator,
                              const Host& host) {
    if (!cells.empty()) {
        bring_in(host);
        newer_ = Newer::device;
    }
    propagation_->set_water(stream_, cells, current_);
    sums_.forget_water();
    if (sources_) sources_->copy_waves(*device_, stream_, mesh_, grid_.frequencies, propagator);
    device_->synchronise(stream_);
}

void ModelOnDevice::propagate(double seconds, const Host& host, halo::Exchanges& exchange,
                              const std::function<void()>& meanwhile) {
    bring_in(host);
    const std::int32_t rim = mesh_.interior();
    exchange.start(current_.data());
    propagation_->propagate(stream_, 0, rim, next_, current_, seconds);
    exchange.send();
    exchange.finish();
    if (rim < mesh_.owned) propagation_->propagate(stream_, rim, mesh_.owned, next_, current_, seconds);
    std::swap(current_, next_);
    newer_ = Newer::device;
    meanwhile();
    device_->synchronise(stream_);  // the time is that of this step
}

void ModelOnDevice::use_clusters(const ClusteredMesh& mesh, ClusterSteps& steps) {
    clusters_ = std::make_unique<ClustersOnDevice>(*device_, stream_, grid_, *propagation_, mesh, steps,
                                                   std::array{first_.span(), second_.span()});
    steps.compute_by(*clusters_,
                     {where(), {first_.span().data(), second_.span().data()}, clusters_->profiles()});
}

void ModelOnDevice::advance_clusters(const Host& host, const std::function<void()>& advance,
                                     const std::function<void()>& meanwhile) {
    bring_in(host);
    advance();
    newer_ = Newer::device;
    meanwhile();
    device_->synchronise(stream_);
}

void ModelOnDevice::use_forcing(const Forcing& forcing, bool relative) {
    if (!sources_) return;
    wind_ = std::make_unique<FeltWindOnDevice>(*device_, stream_, forcing,
                                               static_cast<std::size_t>(mesh_.owned), relative);
    sources_->cells.wind_speed = wind_->speed();
    sources_->cells.wind_x = wind_->x();
    sources_->cells.wind_y = wind_->y();
    device_->synchronise(stream_);
}

// Cells under the forcing of now.
DeviceCells ModelOnDevice::cells_under(const Surroundings& surroundings) {
    wind_->make(stream_);
    sources_->depth.set(stream_, surroundings.depth);
    sources_->open.set(stream_, surroundings.open);
    DeviceCells cells = sources_->cells;
    cells.action = current_;
    cells.state = states_.span();
    return cells;
}

std::int32_t ModelOnDevice::integrate_sources(const Surroundings& surroundings, double seconds,
                                              const Host& host) {
    bring_in(host);
    sources_->step.integrate(stream_, 0, mesh_.owned, cells_under(surroundings), seconds);
    newer_ = Newer::device;
    return sources_->step.lowest_bad_cell(stream_);
}

std::span<const OceanExchange> ModelOnDevice::exchanges(const Surroundings& surroundings, double seconds,
                                                        const Host& host) {
    bring_in(host);
    return sources_->step.exchanges(stream_, cells_under(surroundings), seconds);
}

void ModelOnDevice::damp_under_ice(std::span<const std::int32_t> cells, std::span<const Real> left,
                                   const Host& host) {
    if (cells.empty()) return;
    bring_in(host);
    if (!ice_) ice_ = std::make_unique<IceDampingOnDevice>(*device_, grid_, mesh_.owned);
    ice_->apply(stream_, current_, cells, left);
    device_->synchronise(stream_);
    newer_ = Newer::device;
}

}  // namespace groundswell::sea
