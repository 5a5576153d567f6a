// Sound programs give the processor's bits on the played device, and ten kinds of mistakes never go unseen there, by 20 seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"
#include "groundswell/exec/launch.hpp"
#include "unit/exec/device/ring_of_cells.hpp"

namespace groundswell::exec {
namespace {

using test::Mistake, test::RingOfCells, test::small_device;

constexpr unsigned seeds = 20;

std::vector<float> on_processor(Mistake mistake = Mistake::none) {
    const auto device = make_host_device();
    return RingOfCells(*device, mistake).run();
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(PlayedDevice, SoundProgramsGiveTheBitsOfTheProcessor) {
    const std::vector<float> expected = on_processor();
    ASSERT_TRUE(std::none_of(expected.begin(), expected.end(), [](float x) { return !(x > 0); }));
    set_threads(3);
    EXPECT_TRUE(same_bits(on_processor(), expected));
    set_threads(1);
    for (unsigned seed = 0; seed < seeds; ++seed) {
        PlayedDevice device(small_device, seed);
        EXPECT_TRUE(same_bits(RingOfCells(device, Mistake::none).run(), expected)) << "seed " << seed;
    }
}

struct Planted {
    const char* name;
    Mistake mistake;
    const char* message;  // part of it; empty: the bits tell
};

class PlantedMistakes : public testing::TestWithParam<Planted> {};

TEST_P(PlantedMistakes, AreFoundByAnySeed) {
    // Blocks one after the other have the result of a program that wants them so.
    const bool in_order = GetParam().mistake == Mistake::block_order;
    const std::vector<float> expected = on_processor(in_order ? Mistake::block_order : Mistake::none);
    const std::string message = GetParam().message;
    for (unsigned seed = 0; seed < seeds; ++seed) {
        PlayedDevice device(small_device, seed);
        std::string found;
        try {
            EXPECT_FALSE(same_bits(RingOfCells(device, GetParam().mistake).run(), expected))
                << "seed " << seed;
        } catch (const base::Defect& defect) {
            found = defect.what();
        }
        EXPECT_EQ(found.empty(), message.empty()) << found;
        EXPECT_NE(found.find(message), std::string::npos) << found;
    }
}

INSTANTIATE_TEST_SUITE_P(
    all, PlantedMistakes,
    testing::Values(
        Planted{"missing_copy_back", Mistake::missing_copy_back, ""},
        Planted{
            "missing_event", Mistake::missing_event,
            "'copy of 'state' to 'state'' on stream 1 and 'smooth' on stream 0 use the array 'state' with "
            "no event between them"},
        Planted{"host_pointer", Mistake::host_pointer,
                "'smooth' has an address of the host where one of the device belongs"},
        Planted{"much_scratch", Mistake::much_scratch,
                "'smooth' asks for 4100 bytes of scratch a block: small device has 4096"},
        Planted{"race_between_lanes", Mistake::race_between_lanes, "an invalid operation"},
        Planted{"uninitialised_read", Mistake::uninitialised_read, "an invalid operation"},
        Planted{"block_order", Mistake::block_order, ""},
        Planted{"freed_memory", Mistake::freed_memory, "uses the array 'weight', which has been released"},
        Planted{"wrong_stream", Mistake::wrong_stream, "with no event between them"},
        Planted{"forgotten_halo", Mistake::forgotten_halo, ""}),
    [](const auto& planted) { return planted.param.name; });

}  // namespace
}  // namespace groundswell::exec
