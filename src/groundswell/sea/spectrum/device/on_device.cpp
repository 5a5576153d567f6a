#include "groundswell/sea/spectrum/device/on_device.hpp"

#include <algorithm>
#include <utility>

#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/spectrum/device/sums_kernel.hpp"

namespace groundswell::sea {

SumsOnDevice::SumsOnDevice(exec::Device& device, exec::Stream stream, const SpectralGrid& grid,
                           std::int32_t cells)
    : device_(device),
      grid_(grid),
      cells_(cells),
      frequency_(device, "frequencies", stream, grid.frequency),
      sigma_(device, "angular frequencies", stream, grid.sigma),
      width_(device, "widths of frequencies", stream, grid.frequency_width),
      cosine_(device, "cosines", stream, grid.cosine),
      sine_(device, "sines", stream, grid.sine),
      axes_{frequency_.span(), sigma_.span(), width_.span(),
            cosine_.span(),    sine_.span(),  grid.direction_width} {}

template <class Step, class T>
std::span<const T> SumsOnDevice::compute(exec::Stream stream, const char* name, const Step& step,
                                         const void* entry, Mirrored<T>& sums) {
    const int lanes = std::min({grid_.frequencies, int{Step::most_lanes}, device_.limits().lanes});
    device_.launch(stream, {name, cells_, lanes, step.scratch_bytes(lanes)}, {exec::run_block<Step>, entry},
                   exec::Arguments::of(step));
    device_.copy_out(stream, sums.here.data(), sums.there.span().data(), sums.there.span().size_bytes());
    device_.synchronise(stream);
    return sums.here;
}

std::span<const SpectrumMoments> SumsOnDevice::moments(exec::Stream stream, std::span<const Real> action) {
    if (!moments_) moments_.emplace(device_, "moments of spectra", static_cast<std::size_t>(cells_));
    return compute(stream, "moments",
                   MomentStep{axes_, action, moments_->there.span(), static_cast<int>(grid_.stride())},
                   moments_cuda_entry(), *moments_);
}

std::span<const double> SumsOnDevice::densities(exec::Stream stream, std::span<const Real> action) {
    if (!densities_)
        densities_.emplace(device_, "densities of spectra",
                           static_cast<std::size_t>(cells_) * static_cast<std::size_t>(grid_.frequencies));
    return compute(stream, "densities",
                   DensityStep{axes_, action, densities_->there.span(), static_cast<int>(grid_.stride())},
                   densities_cuda_entry(), *densities_);
}

SpectraInPlace SumsOnDevice::in_place(std::span<const Real> action) {
    return {axes_, action, products_->wind.there.span(), products_->waves.there.span(),
            static_cast<int>(grid_.stride())};
}

std::span<const ProductSums> SumsOnDevice::products(exec::Stream stream, std::span<const Real> action,
                                                    const InPlace& cell_in_place) {
    const auto cells = static_cast<std::size_t>(cells_);
    const auto frequencies = static_cast<std::size_t>(grid_.frequencies);
    if (!products_) products_.emplace(device_, cells, frequencies);
    auto& [wind, waves, sums] = *products_;
    const bool has_water = std::exchange(has_water_, true);
    exec::for_each_cell(0, cells_, [&](std::int32_t cell) {
        const SpectrumInPlace here = cell_in_place(cell);
        wind.here[static_cast<std::size_t>(cell)] = wind_on(here);
        if (has_water) return;
        WavesInWater* const row = waves.here.data() + static_cast<std::size_t>(cell) * frequencies;
        for (std::size_t i = 0; i < frequencies; ++i) row[i] = waves_in(here, i);
    });
    device_.copy_in(stream, wind.there.span().data(), wind.here.data(), wind.there.span().size_bytes());
    if (!has_water)
        device_.copy_in(stream, waves.there.span().data(), waves.here.data(),
                        waves.there.span().size_bytes());
    return compute(stream, "products", ProductStep{in_place(action), sums.there.span()},
                   products_cuda_entry(), sums);
}

std::span<const SystemSums> SumsOnDevice::systems(exec::Stream stream, std::span<const Real> action) {
    if (!systems_) systems_.emplace(device_, "wave systems", static_cast<std::size_t>(cells_));
    return compute(stream, "wave systems", SystemStep{in_place(action), systems_->there.span()},
                   systems_cuda_entry(), *systems_);
}

}  // namespace groundswell::sea
