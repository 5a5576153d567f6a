#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/products.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"
#include "groundswell/sea/spectrum/sums.hpp"
#include "groundswell/sea/spectrum/system_sums.hpp"

namespace groundswell::sea {

struct SpectraInPlace;

/// Sums over the spectra of cells on a device, so that these come to the host in place of the spectra. What is found from the sums takes
/// functions of the library, and is found by the host.
class SumsOnDevice {
public:
    /// For so many cells; device and grid live longer.
    SumsOnDevice(exec::Device& device, exec::Stream stream, const SpectralGrid& grid, std::int32_t cells);

    /// sum_spectrum() of each cell of `action`, [cell][stride], once the stream has come there. Valid until the next call. Waits.
    std::span<const SpectrumMoments> moments(exec::Stream stream, std::span<const Real> action);

    /// frequency_spectrum() of each cell, [cell][frequency], as moments().
    std::span<const double> densities(exec::Stream stream, std::span<const Real> action);

    /// The water and the wind of a cell; its action is not looked at.
    using InPlace = std::function<SpectrumInPlace(std::int32_t cell)>;
    /// Sums of integrate_products(), as moments().
    std::span<const ProductSums> products(exec::Stream stream, std::span<const Real> action,
                                          const InPlace& cell_in_place);
    /// Sums of find_wave_systems() in the water and the wind of the last products(), as moments().
    std::span<const SystemSums> systems(exec::Stream stream, std::span<const Real> action);
    /// Depths have changed since products() was called.
    void forget_water() { has_water_ = false; }

private:
    /// An array that the host has, too.
    template <class T>
    struct Mirrored {
        Mirrored(exec::Device& device, const char* name, std::size_t size)
            : here(size), there(device, name, size) {}
        std::vector<T> here;
        exec::DeviceArray<T> there;
    };
    struct Products {
        Products(exec::Device& device, std::size_t cells, std::size_t frequencies)
            : wind(device, "wind over waves", cells),
              waves(device, "waves in their water", cells * frequencies),
              sums(device, "products of spectra", cells) {}
        Mirrored<WindOnWaves> wind;
        Mirrored<WavesInWater> waves;
        Mirrored<ProductSums> sums;
    };
    template <class Step, class T>
    std::span<const T> compute(exec::Stream stream, const char* name, const Step& step, const void* entry,
                               Mirrored<T>& sums);

    SpectraInPlace in_place(std::span<const Real> action);

    exec::Device& device_;
    const SpectralGrid& grid_;
    const std::int32_t cells_;
    exec::DeviceArray<double> frequency_, sigma_, width_, cosine_, sine_;
    SumAxes axes_;
    std::optional<Mirrored<SpectrumMoments>> moments_;
    std::optional<Mirrored<double>> densities_;
    std::optional<Products> products_;
    std::optional<Mirrored<SystemSums>> systems_;
    bool has_water_ = false;
};

}  // namespace groundswell::sea
