// The source step on a device: the bits of the processor's, by any seed of the played device and on the processor as one.
#include "groundswell/sea/source/device/on_device.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "support/one_cell.hpp"

namespace groundswell {
namespace {

using sea::Real;
using test::OneCell;

// An NVIDIA H100's block (CUDA C++ Programming Guide, table of compute capabilities, 9.0) with little memory.
const exec::DeviceLimits played{"played H100", 1024, 227 << 10, 64 << 20};
constexpr double source_step = 360;

// Cells of one launch, each with a depth, a wind and a sea of its own.
class Cells {
public:
    Cells(const sea::SpectralGrid& grid, const sea::PhysicsOptions& options) {
        add(grid, options, 4000, {5, 2.0}, {800e3, 15, 0.0}, 1);  // old swell
        add(grid, options, 1000, {25, 0.3}, {5e3, 20, 0.3},
            1);                                                 // a young sea, whose step is taken in parts
        add(grid, options, 6, {15, 1.0}, {100e3, 15, 0.9}, 1);  // shallow water
        add(grid, options, 100, {0, 0.0}, {}, 1);               // calm
        add(grid, options, 50, {30, -2.0}, {}, 0.25);  // a gale sets in where ice leaves a quarter open
        add(grid, options, 200, {10, 0.5}, {200e3, 10, 0.5}, 0);  // under closed ice
    }
    void steps_on_processor(int steps) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            for (int n = 0; open[i] > 0 && n < steps; ++n) ASSERT_TRUE(cells[i].step(open[i] * source_step));
    }
    // Of a device; the lowest cell that it says went wrong.
    std::int32_t steps_on(exec::Device& device, int steps) {
        return on(
            device, [&](sea::SourcesOnDevice& sources, exec::Stream stream, const sea::DeviceCells& there) {
                for (int n = 0; n < steps; ++n) {
                    sources.integrate(stream, 0, 2, there, source_step);
                    sources.integrate(stream, 2, static_cast<std::int32_t>(cells.size()), there, source_step);
                }
            });
    }
    // Calls body(sources, stream, there) with all cells on a device, and brings them back; the lowest cell that went wrong.
    template <class Body>
    std::int32_t on(exec::Device& device, const Body& body) {
        const auto& grid = cells[0].grid;
        const exec::Stream stream = device.make_stream();
        std::vector<Real> action, speed, x, y, depth, wave_number, group_speed;
        std::vector<sea::SourceState> state;
        for (const OneCell& cell : cells) {
            action.insert(action.end(), cell.action.begin(), cell.action.end());
            speed.push_back(cell.conditions.wind_speed);
            x.push_back(cell.conditions.wind_x);
            y.push_back(cell.conditions.wind_y);
            depth.push_back(cell.conditions.depth);
            wave_number.insert(wave_number.end(), cell.wave_number.begin(), cell.wave_number.end());
            group_speed.insert(group_speed.end(), cell.group_speed.begin(), cell.group_speed.end());
            state.push_back(cell.state);
        }
        sea::SourcesOnDevice sources(*cells[0].package, device, stream);
        exec::DeviceArray<Real> there[] = {{device, "action", stream, action},
                                           {device, "wind speed", stream, speed},
                                           {device, "wind x", stream, x},
                                           {device, "wind y", stream, y},
                                           {device, "depth", stream, depth},
                                           {device, "open", stream, open},
                                           {device, "wave numbers", stream, wave_number},
                                           {device, "group speeds", stream, group_speed}};
        exec::DeviceArray<sea::SourceState> states(device, "states", stream, state);
        const auto fixed = [&](int which) -> std::span<const Real> { return there[which].span(); };
        const sea::DeviceCells all{{static_cast<std::int64_t>(grid.stride()), grid.frequencies, fixed(1),
                                    fixed(2), fixed(3), fixed(4), fixed(5), fixed(6), fixed(7)},
                                   there[0].span(),
                                   states.span()};
        body(sources, stream, all);
        device.copy_out(stream, action.data(), all.action.data(), all.action.size_bytes());
        device.copy_out(stream, state.data(), all.state.data(), all.state.size_bytes());
        const std::int32_t bad = sources.lowest_bad_cell(stream);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            std::copy_n(action.data() + i * grid.stride(), grid.stride(), cells[i].action.begin());
            cells[i].state = state[i];
        }
        return bad;
    }
    // As the processor finds it.
    std::vector<sea::OceanExchange> exchanges() {
        std::vector<sea::OceanExchange> all(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            OneCell& cell = cells[i];
            if (open[i] > 0)
                all[i] = cell.package->find_exchange(cell.action.data(), cell.conditions, source_step,
                                                     cell.state, cell.workspace);
            all[i].scale(open[i]);
        }
        return all;
    }
    // First cell whose numbers differ; -1: none.
    int differs(const Cells& other) const {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const OneCell &a = cells[i], &b = other.cells[i];
            const std::size_t bins = static_cast<std::size_t>(a.grid.bins()) * sizeof(Real);
            if (std::memcmp(a.action.data(), b.action.data(), bins) != 0 ||
                std::memcmp(&a.state, &b.state, sizeof a.state) != 0)
                return static_cast<int>(i);
        }
        return -1;
    }

    std::vector<OneCell> cells;
    std::vector<Real> open;  // share of water

private:
    struct Wind {
        double speed, direction;
    };
    struct Waves {
        double fetch = 0, wind = 0, direction = 0;
    };
    void add(const sea::SpectralGrid& grid, const sea::PhysicsOptions& options, double depth, Wind wind,
             Waves waves, double share) {
        OneCell& cell = cells.emplace_back(grid, options, depth);
        cell.set_wind(wind.speed, wind.direction);
        if (waves.fetch > 0) {
            sea::FetchSea fetch;
            fetch.fetch = waves.fetch;
            sea::fill_wind_sea(grid, fetch, waves.wind, waves.direction, cell.action.data());
        }
        open.push_back(static_cast<Real>(share));
    }
};

struct DeviceSetting {
    int directions;
    const char *package, *tuning;
    bool limits;
    std::vector<std::string> terms = {};  // in place of those of the package
    int frequencies = 16;
};

class SourcesOnADevice : public testing::TestWithParam<DeviceSetting> {
protected:
    sea::PhysicsOptions options() const {
        sea::PhysicsOptions options;
        options.choose(GetParam().package);
        options.tune(GetParam().tuning);
        if (!GetParam().terms.empty()) options.terms = GetParam().terms;
        if (GetParam().limits) {
            options.set("height_limit", 0.5);
            options.set("spectrum_limit", 0.02);
        }
        return options;
    }
    sea::SpectralGrid grid() const { return {GetParam().frequencies, GetParam().directions, 0.05, 1.12}; }
};

TEST_P(SourcesOnADevice, HaveTheBitsOfTheProcessorBySeedsAndBackEnds) {
    constexpr int steps = 2;
    Cells expected(grid(), options());
    expected.steps_on_processor(steps);
    ASSERT_GT(expected.cells[1].workspace.evaluations, steps);
    const auto check = [&](exec::Device& device) {
        Cells cells(grid(), options());
        ASSERT_EQ(cells.steps_on(device, steps), -1);
        ASSERT_EQ(cells.differs(expected), -1);
    };
    check(*exec::make_host_device());
    for (unsigned seed = 0; seed < 2; ++seed) {
        exec::PlayedDevice device(played, seed);
        check(device);
        EXPECT_EQ(device.counts().launches, 2 * steps);
    }
}

bool same_bits(std::span<const sea::OceanExchange> a, std::span<const sea::OceanExchange> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST_P(SourcesOnADevice, FindWhatTheProcessorFindsOfTheOceanAndChangeNothing) {
    Cells cells(grid(), options()), here(grid(), options());
    cells.steps_on_processor(1);
    here.steps_on_processor(1);
    const std::vector<sea::OceanExchange> expected = here.exchanges();
    EXPECT_GT(expected[1].eastward_stress, 0.1);
    EXPECT_EQ(expected[2].breaking_energy > 0.0, GetParam().frequencies > 8);  // that have waves so short
    EXPECT_LT(expected[4].northward_stress, -0.1);
    EXPECT_EQ(expected[5].eastward_stress, 0.0);
    here.open[1] = 0;
    const std::vector<sea::OceanExchange> with_less_open = here.exchanges();
    const auto check = [&](exec::Device& device) {
        cells.on(device, [&](sea::SourcesOnDevice& sources, exec::Stream stream, sea::DeviceCells there) {
            const exec::DeviceArray<Real> less_open(device, "open", stream, here.open);
            EXPECT_TRUE(same_bits(sources.exchanges(stream, there, source_step), expected));
            there.open = less_open.span();
            EXPECT_TRUE(same_bits(sources.exchanges(stream, there, source_step), with_less_open));
        });
        EXPECT_EQ(cells.differs(here), -1);
    };
    check(*exec::make_host_device());
    for (unsigned seed = 0; seed < 3; ++seed) {
        exec::PlayedDevice device(played, seed);
        check(device);
    }
}

INSTANTIATE_TEST_SUITE_P(
    settings, SourcesOnADevice,
    testing::Values(
        DeviceSetting{24, "st4", "ecwam", false}, DeviceSetting{36, "st4", "ww3", false},
        DeviceSetting{7, "st4", "ecwam", true}, DeviceSetting{24, "wam4", "bidlot", false},
        DeviceSetting{36, "st4", "capillary", false}, DeviceSetting{13, "st4", "capillary", true},
        DeviceSetting{13,
                      "wam4",
                      "cycle4",
                      false,
                      {"wind_input", "whitecapping_steepness", "swell_turbulence", "bottom_friction_madsen",
                       "breaking_thornton"}},
        DeviceSetting{12, "st4", "ecwam", false, {}, 8}, DeviceSetting{8, "st4", "ww3", false, {}, 3},
        DeviceSetting{24, "wam3", "wamdi", false}, DeviceSetting{24, "st6", "liu", false},
        DeviceSetting{13, "st6", "zieger", true},
        // Terms in another order than that of packages, with triads before and after.
        DeviceSetting{36,
                      "wam3",
                      "wamdi",
                      false,
                      {"triads", "four_wave", "wind_snyder", "whitecapping_threshold", "breaking"}},
        DeviceSetting{7,
                      "st6",
                      "liu",
                      false,
                      {"four_wave", "triads", "wind_donelan", "whitecapping_threshold", "breaking"}}),
    [](const auto& setting) {
        return std::string(setting.param.tuning) + "_" + std::to_string(setting.param.directions);
    });

TEST(SourcesOnADeviceOf, TellTheLowestCellThatIsNotSaneAndLeaveItAsItWas) {
    const auto as_host = exec::make_host_device();
    exec::PlayedDevice as_played(played, 1);
    for (exec::Device* device : {as_host.get(), static_cast<exec::Device*>(&as_played)}) {
        Cells cells({20, 24, 0.05, 1.12}, {});
        for (const std::size_t bad : {4, 2})
            for (Real& action : cells.cells[bad].action) action = Real(1e6);
        EXPECT_EQ(cells.steps_on(*device, 1), 2);
        for (const Real action : cells.cells[2].action) ASSERT_EQ(action, Real(1e6));
        EXPECT_EQ(cells.cells[2].state.friction_velocity, Real(0));
    }
}

// A term of a program's own, that a processor computes alone.
class TermOfTheHost : public sea::SourceTerm {
public:
    std::string_view name() const override { return "of_the_host"; }
    void add(const sea::SeaCell&, sea::SourceSum&, sea::SourceWorkspace&) const override {}
};

TEST(SourcesOnADeviceOf, TermsWithoutAFormAreRefusedByName) {
    const OneCell cell(test::usual_grid(), {}, 10);
    cell.package->append(std::make_unique<TermOfTheHost>());
    const auto device = exec::make_host_device();
    try {
        sea::SourcesOnDevice(*cell.package, *device, device->make_stream());
        FAIL();
    } catch (const base::Refusal& refusal) {
        EXPECT_NE(std::string(refusal.what()).find("of_the_host"), std::string::npos) << refusal.what();
    }
}

TEST(SourcesOnADeviceOf, EveryTermOfAPackageHasAForm) {
    const auto device = exec::make_host_device();
    for (const std::string& term : sea::source_term_names()) {
        sea::PhysicsOptions options;
        options.terms = {term};
        const OneCell cell(test::usual_grid(), options, 10);
        EXPECT_NO_THROW(sea::SourcesOnDevice(*cell.package, *device, device->make_stream())) << term;
    }
}

}  // namespace
}  // namespace groundswell
