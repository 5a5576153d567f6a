// Damping under ice on a device: the bits of the processor's, for the cells that are named and no others.
#include "groundswell/sea/ice/device/on_device.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/sea/ice/damping.hpp"

namespace groundswell::sea {
namespace {

constexpr std::int32_t cells = 7;
constexpr double step = 300.0;

class UnderIce : public testing::TestWithParam<IceForm> {
protected:
    UnderIce() : grid(6, 13, 0.05, 1.3), speed(6) {
        options.form = GetParam();
        options.eddy_viscosity = 0.05;
        for (int f = 0; f < grid.frequencies; ++f) speed[f] = Real(15) / static_cast<Real>(1 + f);
        for (std::size_t i = 0; i < cells * grid.stride(); ++i)
            action.push_back(i % 5 == 0 ? Real(1.2e-30) : static_cast<Real>(1 + i % 11));
    }
    IceDamping::Cell ice_over(std::int32_t cell) const {
        return {speed.data(), 30.0, cell == 2 ? 0.0 : 0.1 * cell, 0.5 * cell};
    }
    void check(exec::Device& device) const {
        const IceDamping ice(grid, options);
        std::vector<Real> expected = action, found(action.size()), left;
        std::vector<std::int32_t> under;
        for (std::int32_t cell = 0; cell < cells; ++cell) {
            Real* const block = expected.data() + cell * grid.stride();
            ice.apply(block, ice_over(cell), step);
            if (!ice.acts(ice_over(cell))) continue;
            under.push_back(cell);
            for (int f = 0; f < grid.frequencies; ++f) left.push_back(ice.left(f, ice_over(cell), step));
        }
        ASSERT_EQ(under.size(), 5);
        ASSERT_NE(expected, action);
        const exec::Stream stream = device.make_stream();
        exec::DeviceArray<Real> there(device, "action", stream, action);
        IceDampingOnDevice damping(device, grid, cells);
        damping.apply(stream, there.span(), under, left);
        damping.apply(stream, there.span(), {}, {});
        device.copy_out(stream, found.data(), there.span().data(), there.span().size_bytes());
        device.synchronise(stream);
        EXPECT_EQ(found, expected);
    }

    SpectralGrid grid;
    IceOptions options;
    std::vector<Real> speed, action;
};

TEST_P(UnderIce, ADeviceHasTheBitsOfTheProcessor) {
    check(*exec::make_host_device());
    for (unsigned seed = 0; seed < 3; ++seed) {
        exec::PlayedDevice device({"played", 64, 1 << 10, 16 << 20}, seed);
        check(device);
    }
}

INSTANTIATE_TEST_SUITE_P(forms, UnderIce, testing::Values(IceForm::power_law, IceForm::boundary_layer));

}  // namespace
}  // namespace groundswell::sea
