#include "groundswell/sea/forcing/device/on_device.hpp"

#include <algorithm>

#include "groundswell/sea/forcing/device/wind_kernel.hpp"

namespace groundswell::sea {

bool WindOnDevice::takes(const WindLayers& layers) {
    constexpr auto most = static_cast<std::size_t>(StackOfLayers::most);
    return layers.wind.size() <= most && layers.current.size() <= most;
}

void WindOnDevice::find(exec::Stream stream, const WindLayers& layers, std::span<Real> speed,
                        std::span<Real> x, std::span<Real> y) {
    if (cells_ == 0) return;
    const auto hold_all = [&](std::deque<HeldLayer>& held, const std::vector<LinearLayer>& all) {
        held.resize(all.size());
        StackOfLayers there;
        for (std::size_t i = 0; i < all.size(); ++i) there.layers[i] = hold(stream, held[i], all[i]);
        there.count = static_cast<int>(all.size());
        return there;
    };
    const WindStep step{hold_all(wind_, layers.wind), hold_all(current_, layers.current), speed, x, y,
                        cells_};
    constexpr int batch = WindStep::cells_of_block;
    device_.launch(stream, {"wind", (cells_ + batch - 1) / batch, std::min(batch, device_.limits().lanes), 0},
                   {exec::run_block<WindStep>, wind_cuda_entry()}, exec::Arguments::of(step));
}

LinearLayer WindOnDevice::hold(exec::Stream stream, HeldLayer& held, const LinearLayer& layer) {
    LinearLayer there = layer;
    for (std::size_t c = 0; c < static_cast<std::size_t>(layer.count); ++c) {
        const gridded::LinearInTime& here = layer.components[c];
        there.components[c].before = hold(stream, held.levels[c], here.before, here.after.record);
        there.components[c].after = hold(stream, held.levels[c], here.after, here.before.record);
    }
    std::span<const double>* const fixed[] = {&there.cosine, &there.sine, &there.share};
    const bool is_new = held.fixed.empty();
    std::size_t i = 0;
    for (std::span<const double>* const values : fixed) {
        if (values->empty()) continue;
        if (is_new) copy_in(stream, held.fixed.emplace_back(device_, "turns and shares of a layer", size()), *values);
        *values = held.fixed[i++].span();
    }
    return there;
}

// The values of a record, copied if need be over the level that does not hold `other`.
WindOnDevice::Level WindOnDevice::hold(exec::Stream stream, std::deque<HeldLevel>& levels,
                                       const Level& wanted, std::size_t other) {
    for (const HeldLevel& level : levels)
        if (level.record == wanted.record) return {level.values.span(), wanted.record};
    HeldLevel& free = levels.size() < 2 ? levels.emplace_back(wanted.record, exec::DeviceArray<double>(device_, "a layer of the wind", size()))
                      : levels[0].record == other ? levels[1]
                                                  : levels[0];
    free.record = wanted.record;
    copy_in(stream, free.values, wanted.values);
    return {free.values.span(), wanted.record};
}

void WindOnDevice::copy_in(exec::Stream stream, exec::DeviceArray<double>& to,
                           std::span<const double> values) {
    device_.copy_in(stream, to.span().data(), values.data(), to.span().size_bytes());
}

}  // namespace groundswell::sea
