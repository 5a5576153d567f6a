// The sea on a device: how much memory it takes, how often it is asked for something, and what crosses between it and the host.
#include "groundswell/sea/device/model_on_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "groundswell/exec/device/budget/accounting_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/sea/forcing/forcing.hpp"
#include "groundswell/sea/forcing/kinds/kinds.hpp"
#include "groundswell/sea/forcing/uniform_entry.hpp"
#include "groundswell/sea/kernels/kernel_set.hpp"
#include "groundswell/sea/spectrum/integrals.hpp"
#include "groundswell/sea/spectrum/partitions.hpp"
#include "support/sea_propagation_case.hpp"

namespace groundswell::sea {
namespace {

using namespace test;

class SeaOnADevice : public testing::TestWithParam<PropagationScheme> {
protected:
    SeaOnADevice()
        : sea(sphere(2, rough_depth), SpectralGrid(25, 24, 0.05, 1.1), options()),
          package(kernel_set().make_source_package(sea.grid, {})),
          states(static_cast<std::size_t>(sea.mesh.owned)),
          wind(blowing(12.0)),
          storm(blowing(25.0)),
          forcing(MPI_COMM_SELF, "case.toml", {&wind, 1}, cells(), {}, {}),
          depth(owned(), Real(1000)),
          open(owned()) {
        forcing.read({});
        sea.fill([](int cell, int f, int d) { return 0.01 * noise(cell * 113 + f * 37 + d); });
        open[5] = open[17] = Real(1);  // elsewhere ice is closed
        // Small blocks are played faster.
        auto made =
            std::make_unique<exec::PlayedDevice>(exec::DeviceLimits{"played", 16, 227 << 10, 256 << 20}, 7);
        device = made.get();
        model = std::make_unique<ModelOnDevice>(std::move(made), sea.mesh, sea.grid, sea.propagator,
                                                package.get());
        model->use_forcing(forcing, false);
        std::vector<std::int64_t> ids(owned());
        std::iota(ids.begin(), ids.end(), 0);
        const halo::Wanted state{
            std::make_shared<halo::Plan>(MPI_COMM_SELF, ids, std::span<const std::int64_t>{}),
            {halo::channel_of<Real>(sea.grid.stride())},
            {model->action()},
            model->where()};
        exchange.emplace(std::vector{state}, halo::ExchangeOptions{}, profile);
    }
    static PropagationOptions options() {
        PropagationOptions all;
        all.scheme = GetParam();
        return all;
    }
    static ForcingSection blowing(double speed) {
        return {&wind_kind(), {std::make_shared<UniformEntry>(std::vector{speed, 0.0})}};
    }
    ForcedCells cells() const { return {sea.mesh.lon, sea.mesh.lat, owned()}; }
    static double noise(int n) { return static_cast<double>((n * 7919) % 1013) / 1013.0; }
    std::size_t owned() const { return static_cast<std::size_t>(sea.mesh.owned); }
    ModelOnDevice::Host host() { return {sea.old.data(), states}; }
    void propagate() {
        model->propagate(0.5 * sea.propagator.longest_step().seconds, host(), *exchange, meanwhile);
    }
    void integrate() { EXPECT_EQ(model->integrate_sources({depth, open}, 300.0, host()), -1); }
    void step() {
        propagate();
        integrate();
    }

    test::Case sea;
    std::unique_ptr<SourcePackage> package;
    std::vector<SourceState> states;
    ForcingSection wind, storm;
    Forcing forcing;
    std::vector<Real> depth, open;
    std::function<void()> meanwhile = [] {};
    exec::PlayedDevice* device;
    std::unique_ptr<ModelOnDevice> model;
    parallel::Profile profile;
    std::optional<halo::Exchanges> exchange;  // of no neighbour
};

TEST_P(SeaOnADevice, HoldsAtMostTwelveBytesABin) {
    step();
    const double bins = static_cast<double>(owned()) * static_cast<double>(sea.grid.bins());
    EXPECT_LE(static_cast<double>(device->bytes_taken()) / bins, 12.0);
}

TEST_P(SeaOnADevice, AStepIsFewLaunchesAndNoArrayOfCellsComesOrGoes) {
    step();
    const exec::DeviceCounts before = device->counts();
    propagate();
    const exec::DeviceCounts between = device->counts();
    EXPECT_LE(between.launches - before.launches, 2);
    EXPECT_EQ(between.bytes_in, before.bytes_in);
    EXPECT_EQ(between.bytes_out, before.bytes_out);
    integrate();
    const exec::DeviceCounts& after = device->counts();
    EXPECT_LE(after.launches - between.launches, 3);  // a layer of wind, the wind that is felt, the terms
    const std::size_t whether_a_cell_went_wrong = sizeof(std::int32_t);
    EXPECT_EQ(after.bytes_in, between.bytes_in);
    EXPECT_LE(after.bytes_out - between.bytes_out, whether_a_cell_went_wrong);
}

TEST_P(SeaOnADevice, DepthsAndOpenWaterComeWhenTheyHaveChanged) {
    step();
    depth[5] = Real(900);
    const exec::DeviceCounts before = device->counts();
    integrate();
    EXPECT_EQ(device->counts().bytes_in - before.bytes_in, owned() * sizeof(Real));
}

TEST_P(SeaOnADevice, TheHostIsAtWorkWhileTheDevicePropagates) {
    step();
    exec::DeviceCounts before{}, then{};
    meanwhile = [&] { then = device->counts(); };
    before = device->counts();
    propagate();
    EXPECT_GT(then.launches, before.launches);
    EXPECT_EQ(then.synchronisations, before.synchronisations);
    EXPECT_EQ(device->counts().synchronisations, before.synchronisations + 1);
}

TEST_P(SeaOnADevice, FieldsOfOutputAreFoundFromSums) {
    step();
    const exec::DeviceCounts before = device->counts();
    const std::span<const SpectrumMoments> moments = model->moments(host());
    model->bring_back_states(host());
    const std::vector<SpectrumMoments> found(moments.begin(), moments.end());
    EXPECT_EQ(device->counts().launches - before.launches, 1);
    EXPECT_EQ(device->counts().bytes_out - before.bytes_out,
              owned() * (sizeof(SpectrumMoments) + sizeof(SourceState)));
    const exec::DeviceCounts then = device->counts();
    const double density = model->densities(host())[5 * sea.grid.frequencies + 3];
    const auto in_place = [this](std::int32_t cell) {
        return SpectrumInPlace{nullptr, sea.propagator.wave_number(cell).data(),
                               sea.propagator.group_speed(cell).data(), sea.propagator.depth(cell), 10.0};
    };
    model->products(host(), in_place);
    const double swell = model->systems(host())[5][1].zero;
    EXPECT_EQ(device->counts().launches - then.launches, 3);
    EXPECT_EQ(device->counts().bytes_out - then.bytes_out,
              owned() * (sea.grid.frequencies * sizeof(double) + sizeof(ProductSums) + sizeof(SystemSums)));
    // They tell of the state that the device has, of which the host's is older.
    const std::vector<Real> older = sea.old;
    model->bring_back(host());
    ASSERT_NE(sea.old, older);
    for (std::size_t cell = 0; cell < owned(); ++cell) {
        const Real* const bins = sea.old.data() + cell * sea.grid.stride();
        EXPECT_EQ(found[cell].two, sum_spectrum(sea.grid, bins).two) << cell;
    }
    SpectrumInPlace fifth = in_place(5);
    fifth.action = sea.old.data() + 5 * sea.grid.stride();
    EXPECT_EQ(density, frequency_spectrum(sea.grid, fifth.action)[3]);
    EXPECT_EQ(swell, find_wave_systems(sea.grid, fifth)[1].variance);
    EXPECT_GT(swell, 0.0);
}

TEST_P(SeaOnADevice, WhatWavesGiveToTheOceanIsFoundThere) {
    SourceWorkspace workspace = package->make_workspace();
    const auto check = [&](Real speed) {
        const exec::DeviceCounts before = device->counts();
        const std::span<const OceanExchange> found = model->exchanges({depth, open}, 300.0, host());
        EXPECT_EQ(device->counts().bytes_out - before.bytes_out, owned() * sizeof(OceanExchange));
        model->bring_back(host());
        for (std::int32_t cell = 0; cell < sea.mesh.owned; ++cell) {
            const auto c = static_cast<std::size_t>(cell);
            const CellConditions in{speed,
                                    Real(1),
                                    Real(0),
                                    depth[c],
                                    sea.propagator.wave_number(cell).data(),
                                    sea.propagator.group_speed(cell).data()};
            OceanExchange expected;
            if (open[c] > 0)
                expected = package->find_exchange(sea.old.data() + c * sea.grid.stride(), in, Real(300),
                                                  states[c], workspace);
            expected.scale(open[c]);
            EXPECT_EQ(found[c].eastward_stress, expected.eastward_stress) << cell;
            EXPECT_EQ(found[c].northward_stress, expected.northward_stress) << cell;
            EXPECT_EQ(found[c].breaking_energy, expected.breaking_energy) << cell;
            EXPECT_EQ(found[c].breaking_energy > 0.0, open[c] > 0) << cell;
        }
    };
    check(Real(12));  // before all steps
    step();
    check(Real(12));
    step();
    // What is felt now is not what was felt in that step.
    Forcing later(MPI_COMM_SELF, "case.toml", {&storm, 1}, cells(), {}, {});
    later.read({});
    model->use_forcing(later, false);
    depth[5] = Real(1.5);
    open[17] = Real(0.25);
    check(Real(25));
}

TEST_P(SeaOnADevice, IsRefusedWithAllThatItTakesWhereItHasNoRoom) {
    const std::size_t taken = device->bytes_taken();
    const auto made_with = [&](std::size_t bytes) {
        return ModelOnDevice(std::make_unique<exec::AccountingDevice>(std::make_unique<exec::PlayedDevice>(
                                 exec::DeviceLimits{"played", 16, 227 << 10, bytes}, 7)),
                             sea.mesh, sea.grid, sea.propagator, package.get());
    };
    made_with(taken);
    try {
        made_with(taken / 2);
        ADD_FAILURE() << "there is room for half of it";
    } catch (const base::Refusal& refusal) {
        EXPECT_NE(std::string(refusal.what()).find("memory of a rank"), std::string::npos) << refusal.what();
    }
}

TEST_P(SeaOnADevice, SomeCellsComeAlone) {
    step();
    const std::vector<Real> older = sea.old;
    const std::vector<std::int32_t> some{5, 17};
    const exec::DeviceCounts before = device->counts();
    model->bring_back(host(), some);
    EXPECT_EQ(device->counts().bytes_out - before.bytes_out,
              some.size() * (sea.grid.stride() * sizeof(Real) + sizeof(SourceState)));
    const std::vector<Real> partly = sea.old;
    model->bring_back(host());  // all others are still to come
    std::size_t same = 0;
    for (std::size_t cell = 0; cell < owned(); ++cell) {
        const auto block = [&](const std::vector<Real>& of) {
            return std::span(of).subspan(cell * sea.grid.stride(), sea.grid.stride());
        };
        const bool came = cell == 5 || cell == 17;
        EXPECT_TRUE(std::ranges::equal(block(partly), came ? block(sea.old) : block(older))) << cell;
        same += std::ranges::equal(block(older), block(sea.old)) ? 1 : 0;
    }
    EXPECT_EQ(same, 0);
    EXPECT_GT(states[5].friction_velocity, 0);
}

INSTANTIATE_TEST_SUITE_P(schemes, SeaOnADevice,
                         testing::Values(PropagationScheme::upwind, PropagationScheme::second_order),
                         [](const auto& scheme) {
                             return scheme.param == PropagationScheme::upwind ? "upwind" : "second_order";
                         });

}  // namespace
}  // namespace groundswell::sea
