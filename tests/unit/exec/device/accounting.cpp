// A device whose arrays have no room: it tells what they all take, and of a program that has room it changes nothing.
#include "groundswell/exec/device/budget/accounting_device.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "groundswell/exec/device/played/played_device.hpp"

namespace groundswell::exec {
namespace {

AccountingDevice device_of(std::size_t bytes) {
    return AccountingDevice(std::make_unique<PlayedDevice>(DeviceLimits{"small", 8, 1 << 12, bytes}, 1));
}

TEST(AccountingDevice, ArraysThatHaveRoomAreThoseOfTheDevice) {
    AccountingDevice device = device_of(1 << 20);
    const Stream stream = device.make_stream();
    const std::vector<float> values{1.0f, 2.0f, 3.0f};
    DeviceArray<float> there(device, "values", stream, values);
    device.require_memory();
    std::vector<float> back(3);
    device.copy_out(stream, back.data(), there.span().data(), there.span().size_bytes());
    device.synchronise(stream);
    EXPECT_EQ(back, values);
    // From here on each array is refused by itself.
    EXPECT_THROW(DeviceArray<char>(device, "large", 2 << 20), base::Refusal);
}

TEST(AccountingDevice, ArraysThatHaveNoRoomAreToldTogether) {
    AccountingDevice device = device_of(std::size_t{1} << 20);
    const Stream stream = device.make_stream();
    const std::vector<char> values(768 << 10, 'v');
    DeviceArray<char> first(device, "first", stream, values);
    DeviceArray<char> second(device, "second", stream, values);  // has no room
    DeviceArray<char> third(device, "third", stream, values);
    std::vector<char> back(values.size());
    device.copy_out(stream, back.data(), third.span().data(), back.size());
    device.synchronise(stream);
    EXPECT_THROW(device.launch(stream, {"never", 1, 1}, {}, {}), base::Refusal);
    try {
        device.require_memory();
        ADD_FAILURE() << "three arrays have no room";
    } catch (const base::Refusal& refusal) {
        for (const char* const words : {"small: memory of a rank = 0.0022 GiB", "at most the 0.000977 GiB",
                                        "0.44 times as many cells, or 2.25 times"})
            EXPECT_NE(std::string(refusal.what()).find(words), std::string::npos) << refusal.what();
    }
}

}  // namespace
}  // namespace groundswell::exec
