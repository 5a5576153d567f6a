#include "groundswell/sea/forcing/device/on_device.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "groundswell/sea/forcing/device/wind_kernels.hpp"
#include "groundswell/sea/forcing/kinds/kinds.hpp"

namespace groundswell::sea {
namespace {

template <class Step>
void launch(exec::Device& device, exec::Stream stream, const char* name, const Step& step,
            const void* entry) {
    const int blocks = (step.cells + forced_cells_of_block - 1) / forced_cells_of_block;
    device.launch(stream, {name, blocks, std::min(forced_cells_of_block, device.limits().lanes), 0},
                  {exec::run_block<Step>, entry}, exec::Arguments::of(step));
}

}  // namespace

ForcedVectorOnDevice::Levels::Levels(exec::Device& device, std::size_t cells)
    : values{{device, "forcing at a time", cells}, {device, "forcing at a time", cells}} {}

ForcedVectorOnDevice::Layer::Layer(exec::Device& device, exec::Stream stream, const LinearLayer& here,
                                   std::size_t cells)
    : components{{device, cells}, {device, cells}} {
    const auto copy = [&](std::optional<exec::DeviceArray<double>>& there, std::span<const double> values) {
        if (!values.empty()) there.emplace(device, "forcing of all times", stream, values.first(cells));
    };
    copy(cosine, here.cosine);
    copy(sine, here.sine);
    copy(share, here.share);
}

ForcedVectorOnDevice::ForcedVectorOnDevice(exec::Device& device, exec::Stream stream, const ForcingKind& kind,
                                           const Forcing& forcing, std::size_t cells)
    : device_(device),
      kind_(kind),
      forcing_(forcing),
      cells_(cells),
      first_(device, "eastward forcing of layers", cells),
      second_(device, "northward forcing of layers", cells),
      eastward_(device, "eastward forcing", cells),
      northward_(device, "northward forcing", cells) {
    if (const auto layers = forcing.linear_layers(kind.name))
        for (const LinearLayer& layer : *layers) layers_.emplace_back(device, stream, layer, cells);
}

void ForcedVectorOnDevice::make(exec::Stream stream) {
    if (cells_ == 0) return;
    if (layers_.empty()) {
        take_from_host(stream);
        return;
    }
    const std::vector<LinearLayer> now = *forcing_.linear_layers(kind_.name);
    for (std::size_t i = 0; i < now.size(); ++i) {
        Layer& there = layers_[i];
        LayerStep step{now[i],
                       first_.span(),
                       second_.span(),
                       eastward_.span(),
                       northward_.span(),
                       static_cast<int>(cells_),
                       i == 0};
        for (std::size_t c = 0; c < 2; ++c) bring(stream, there.components[c], step.layer.components[c]);
        if (there.cosine) step.layer.cosine = there.cosine->span();
        if (there.sine) step.layer.sine = there.sine->span();
        if (there.share) step.layer.share = there.share->span();
        launch(device_, stream, "forcing", step, layer_cuda_entry());
    }
}

// Levels of the device in place of those of the host, which are copied over the one that is not wanted any more.
void ForcedVectorOnDevice::bring(exec::Stream stream, Levels& levels, gridded::LinearInTime& component) {
    const std::size_t before = component.before.record, after = component.after.record;
    for (gridded::LinearInTime::Level* const wanted : {&component.before, &component.after}) {
        const std::size_t other = wanted == &component.before ? after : before;
        int place = levels.record[0] == wanted->record ? 0 : 1;
        if (levels.record[place] != wanted->record) {
            place = levels.record[0] == other ? 1 : 0;
            device_.copy_in(stream, levels.values[place].span().data(), wanted->values.data(),
                            cells_ * sizeof(double));
            levels.record[place] = wanted->record;
        }
        wanted->values = levels.values[place].span();
    }
}

void ForcedVectorOnDevice::take_from_host(exec::Stream stream) {
    std::vector<Real> values(cells_);
    const auto set = [&](exec::MirroredArray<Real>& there, std::size_t component) {
        std::ranges::transform(forcing_.cells().first(cells_), values.begin(),
                               kind_.components[component].value);
        there.set(stream, values);
    };
    set(eastward_, 0);
    set(northward_, 1);
}

FeltWindOnDevice::FeltWindOnDevice(exec::Device& device, exec::Stream stream, const Forcing& forcing,
                                   std::size_t cells, bool relative)
    : device_(device),
      wind_(device, stream, wind_kind(), forcing, cells),
      speed_(device, "wind speed", cells),
      x_(device, "wind towards east", cells),
      y_(device, "wind towards north", cells) {
    if (relative) current_.emplace(device, stream, current_kind(), forcing, cells);
}

void FeltWindOnDevice::make(exec::Stream stream) {
    wind_.make(stream);
    if (current_) current_->make(stream);
    const std::size_t cells = speed_.span().size();
    if (cells == 0) return;
    const bool relative = current_.has_value();
    const FeltWindStep step{wind_.eastward(),
                            wind_.northward(),
                            relative ? current_->eastward() : std::span<const Real>(),
                            relative ? current_->northward() : std::span<const Real>(),
                            speed_.span(),
                            x_.span(),
                            y_.span(),
                            static_cast<int>(cells)};
    launch(device_, stream, "wind", step, felt_wind_cuda_entry());
}

}  // namespace groundswell::sea
