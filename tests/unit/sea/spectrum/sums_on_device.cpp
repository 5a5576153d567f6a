// Sums over spectra on a device: the bits of the processor's, and what the processor finds from them.
#include "groundswell/sea/spectrum/device/on_device.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"
#include "groundswell/sea/spectrum/partitions.hpp"
#include "groundswell/sea/spectrum/products.hpp"

namespace groundswell::sea {
namespace {

constexpr std::int32_t cells = 9;

// Rows whose length is no multiple of four, and frequencies that no block has lanes for.
class SumsOverSpectra : public testing::Test {
protected:
    SumsOverSpectra() : grid(11, 13, 0.05, 1.2), wave_number(11), group_speed(11) {
        for (int f = 0; f < grid.frequencies; ++f) {
            wave_number[f] = static_cast<Real>(grid.sigma[f] * grid.sigma[f] / 9.8);
            group_speed[f] = static_cast<Real>(4.9 / grid.sigma[f]);
        }
        action.resize(cells * grid.stride());
        for (std::int32_t cell = 1; cell < cells; ++cell)  // the first one is calm
            for (int f = 0; f < grid.frequencies; ++f)
                for (int j = 0; j < grid.directions; ++j)
                    action[cell * grid.stride() + grid.index(f, j)] = static_cast<Real>(
                        0.01 * cell *
                        (std::exp(-std::pow(f - cell, 2) + std::cos(grid.direction[j] - 0.7 * cell)) +
                         ripple(f * 13 + j + cell)));
    }
    // Peaks that stand for systems, and others that are too low or beside a higher one.
    static double ripple(int n) { return n % 29 == 0 ? 2.0 : n % 5 == 0 ? 0.05 : n % 7 == 0 ? 1e-3 : 0.0; }
    SpectrumInPlace in_place(std::int32_t cell) const {
        return {action.data() + cell * grid.stride(),
                wave_number.data(),
                group_speed.data(),
                depth + cell,
                3.0 * cell,
                std::cos(0.4 * cell),
                std::sin(0.4 * cell)};
    }
    void check(SumsOnDevice& sums, exec::Stream stream, std::span<const Real> there) const {
        const auto moments = sums.moments(stream, there);
        const auto densities = sums.densities(stream, there);
        const auto products = sums.products(stream, there, [this](auto cell) { return in_place(cell); });
        const auto systems = sums.systems(stream, there);
        ASSERT_EQ(moments.size(), cells);
        ASSERT_EQ(densities.size(), cells * 11);
        ASSERT_EQ(products.size(), cells);
        ASSERT_EQ(systems.size(), cells);
        int systems_found = 0;
        for (std::int32_t cell = 0; cell < cells; ++cell) {
            const SpectrumInPlace here = in_place(cell);
            const SeaParameters sea = integrate_spectrum(grid, here.action),
                                found = sea_parameters(grid, moments[cell]);
            EXPECT_EQ(sea.calm, cell == 0);
            EXPECT_EQ(found.m0, sea.m0);
            EXPECT_EQ(found.energy_period, sea.energy_period);
            EXPECT_EQ(found.mean_period_m02, sea.mean_period_m02);
            EXPECT_EQ(found.peak_period, sea.peak_period);
            EXPECT_EQ(found.peak_direction, sea.peak_direction);
            EXPECT_EQ(found.directional_spread, sea.directional_spread);
            const WaveProducts all = integrate_products(grid, here), those = wave_products(products[cell]);
            EXPECT_EQ(those.northward_stokes_drift, all.northward_stokes_drift);
            EXPECT_EQ(those.eastward_energy_flux, all.eastward_energy_flux);
            EXPECT_EQ(those.radiation_stress_xy, all.radiation_stress_xy);
            EXPECT_EQ(those.bottom_orbital_velocity, all.bottom_orbital_velocity);
            EXPECT_EQ(those.mean_square_slope, all.mean_square_slope);
            EXPECT_EQ(those.peakedness, all.peakedness);
            EXPECT_EQ(those.wind_sea.direction, all.wind_sea.direction);
            EXPECT_EQ(those.swell.variance, all.swell.variance);
            EXPECT_EQ(highest_wave(grid, densities.subspan(cell * 11, 11), found),
                      highest_wave(grid, here.action, sea));
            const WaveSystems parts = find_wave_systems(grid, here), of_there = wave_systems(systems[cell]);
            for (std::size_t s = 0; s < parts.size(); ++s) {
                systems_found += parts[s].variance > 0.0;
                EXPECT_EQ(of_there[s].variance, parts[s].variance);
                EXPECT_EQ(of_there[s].mean_period, parts[s].mean_period);
                EXPECT_EQ(of_there[s].direction, parts[s].direction);
            }
        }
        EXPECT_GT(systems_found, 2 * cells);
    }
    void check(exec::Device& device) {
        const exec::Stream stream = device.make_stream();
        exec::DeviceArray<Real> there(device, "action", stream, action);
        SumsOnDevice sums(device, stream, grid, cells);
        depth = 20.0;
        check(sums, stream, there.span());
        depth = 5.0;  // shallow for the long waves
        sums.forget_water();
        check(sums, stream, there.span());
    }

    SpectralGrid grid;
    double depth = 0.0;
    std::vector<Real> action, wave_number, group_speed;
};

TEST_F(SumsOverSpectra, ADeviceHasTheBitsOfTheProcessor) {
    check(*exec::make_host_device());
    for (unsigned seed = 0; seed < 5; ++seed) {
        exec::PlayedDevice device({"played", 8, 1 << 13, 16 << 20}, seed);
        check(device);
    }
}

}  // namespace
}  // namespace groundswell::sea
