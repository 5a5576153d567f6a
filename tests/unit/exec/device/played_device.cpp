// What the played device does: memory behind a wall, work that waits, an order by chance, limits and counts.
#include "groundswell/exec/device/played/played_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "unit/exec/device/ring_of_cells.hpp"

namespace groundswell::exec {
namespace {

using test::RingOfCells, test::small_device;

// Each block and lane notes when its turn was.
struct NoteTurns {
    std::span<int> turn, turns;  // [block][lane], [1]

    constexpr void arrays(const auto& visit) const {
        visit(turn);
        visit(turns);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const int lanes = static_cast<int>(turn.size()) / 4;
        block.lanes(lanes, [&](int lane) { turn[block.index() * lanes + lane] = turns[0]++; });
    }
};

// Writes where it said that it reads.
struct WriteUnsaid {
    std::span<const float> array;
    constexpr void arrays(const auto& visit) const { visit(array); }
    template <class Block>
    constexpr void operator()(Block&) const {
        const_cast<float&>(array[0]) = 1;
    }
};

// Reads behind the end of an array.
struct ReadBehind {
    std::span<const float> array;
    std::span<float> result;
    constexpr void arrays(const auto& visit) const {
        visit(array);
        visit(result);
    }
    template <class Block>
    constexpr void operator()(Block&) const {
        result[0] = array.data()[array.size() + 16];
    }
};

// Writes some numbers, or doubles them, of an array that it is given all of.
struct ChangeSome {
    std::span<float> array;
    int first, count;
    bool doubles;
    constexpr void arrays(const auto& visit) const { visit(array); }
    template <class Block>
    constexpr void operator()(Block& block) const {
        block.lanes(count, [&](int i) { array[first + i] = doubles ? 2 * array[first + i] : 7.0F; });
    }
};

// Only the first lane waits.
struct SyncAlone {
    constexpr void arrays(const auto&) const {}
    template <class Block>
    constexpr void operator()(Block& block) const {
        block.lanes(1, [&](int) { block.sync(); });
    }
};

struct TakeScratch {
    constexpr void arrays(const auto&) const {}
    template <class Block>
    constexpr void operator()(Block& block) const {
        block.template scratch<double>(3);
    }
};

template <class Kernel>
void launch(Device& device, Stream stream, const Launch& how, const Kernel& kernel) {
    device.launch(stream, how, {run_block<Kernel>}, Arguments::of(kernel));
}

std::string defect_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const base::Defect& defect) {
        return defect.what();
    }
    return "";
}

TEST(PlayedDeviceDeathTest, TheHostMayNotTouchItsMemory) {
    PlayedDevice device(small_device, 1);
    const std::vector<float> values(100, 1.0F);
    const Stream stream = device.make_stream();
    DeviceArray<float> array(device, "values", stream, values);
    device.synchronise(stream);
    EXPECT_DEATH({ std::fprintf(stderr, "%g", array.span()[7]); }, "");
    EXPECT_DEATH({ array.span()[7] = 1; }, "");
}

TEST(PlayedDeviceDeathTest, KernelsWriteOnlyWhereTheySaidAndReadOnlyWhatThereIs) {
    PlayedDevice device(small_device, 1);
    const Stream stream = device.make_stream();
    DeviceArray<float> a(device, "a", 100), b(device, "b", 100);
    EXPECT_DEATH(
        {
            launch(device, stream, {"unsaid", 1}, WriteUnsaid{a.span()});
            device.synchronise(stream);
        },
        "");
    EXPECT_DEATH(
        {
            launch(device, stream, {"behind", 1}, ReadBehind{a.span(), b.span()});
            device.synchronise(stream);
        },
        "");
}

TEST(PlayedDevice, NothingHappensBeforeTheHostWaits) {
    PlayedDevice device(small_device, 1);
    const Stream stream = device.make_stream();
    std::vector<float> values(10, 1.0F), back(10, 0.0F);
    DeviceArray<float> array(device, "values", stream, values);
    device.copy_out(stream, back.data(), array.span().data(), 10 * sizeof(float));
    values.assign(10, 2.0F);
    EXPECT_EQ(back, std::vector<float>(10, 0.0F));
    device.synchronise(stream);
    EXPECT_EQ(back, std::vector<float>(10, 2.0F));
}

TEST(PlayedDevice, NewMemoryHoldsWhatIsNoNumber) {
    PlayedDevice device(small_device, 1);
    const Stream stream = device.make_stream();
    const auto all_unset = [&]<class Value>(Value start) {
        DeviceArray<Value> array(device, "new", 50);
        std::vector<Value> values(50, start);
        device.copy_out(stream, values.data(), array.span().data(), 50 * sizeof(Value));
        device.synchronise(stream);
        return std::all_of(values.begin(), values.end(), [](Value x) { return std::isnan(x); });
    };
    EXPECT_TRUE(all_unset(1.0F));
    EXPECT_TRUE(all_unset(1.0));
}

TEST(PlayedDevice, BlocksAndLanesComeInAnOrderOfTheSeed) {
    std::set<std::vector<int>> orders, orders_of_blocks;
    for (unsigned seed = 0; seed < 20; ++seed)
        for (int repeat = 0; repeat < 2; ++repeat) {
            PlayedDevice device(small_device, seed);
            const Stream stream = device.make_stream();
            const std::vector<int> zero(1);
            DeviceArray<int> turn(device, "turn", 32), turns(device, "turns", stream, zero);
            launch(device, stream, {"turns", 4, 8}, NoteTurns{turn.span(), turns.span()});
            std::vector<int> order(32);
            device.copy_out(stream, order.data(), turn.span().data(), order.size() * sizeof(int));
            device.synchronise(stream);
            orders.insert(order);
            orders_of_blocks.insert({order[0] / 8, order[8] / 8, order[16] / 8, order[24] / 8});
            std::sort(order.begin(), order.end());
            for (int i = 0; i < 32; ++i) ASSERT_EQ(order[i], i);
        }
    EXPECT_EQ(orders.size(), 20U);           // 4!·8!⁴ are possible
    EXPECT_GT(orders_of_blocks.size(), 5U);  // 4! are
}

TEST(PlayedDevice, StreamsOvertakeEachOtherUnlessAnEventHoldsThem) {
    const auto second_is_first = [](unsigned seed, bool held) {
        PlayedDevice device(small_device, seed);
        const Stream one = device.make_stream(), other = device.make_stream();
        DeviceArray<int> a(device, "a", 1), b(device, "b", 1);
        int value = 1, seen = 0;
        device.copy_in(one, a.span().data(), &value, sizeof value);
        device.copy_out(one, &seen, a.span().data(), sizeof value);
        if (held) device.wait(other, device.record(one));
        device.copy_in(other, b.span().data(), &seen, sizeof value);
        device.copy_out(other, &value, b.span().data(), sizeof value);
        device.synchronise(one);
        device.synchronise(other);
        return value == 0;
    };
    int first = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        first += second_is_first(seed, false) ? 1 : 0;
        EXPECT_FALSE(second_is_first(seed, true)) << seed;
    }
    EXPECT_GT(first, 0);
    EXPECT_LT(first, 20);
}

TEST(PlayedDevice, AStreamHasWaitedWhereItHasNothingElseToDo) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        PlayedDevice device(small_device, seed);
        const Stream one = device.make_stream(), between = device.make_stream(), other = device.make_stream();
        const int value = 1;
        int seen = 0;
        DeviceArray<int> a(device, "a", 1);
        device.copy_in(one, a.span().data(), &value, sizeof value);
        device.wait(between, device.record(one));
        device.wait(other, device.record(between));
        device.copy_out(other, &seen, a.span().data(), sizeof seen);
        device.wait(between, device.record(other));
        device.synchronise(between);
        EXPECT_EQ(seen, 1) << seed;
    }
}

// Of events that idle streams hand to and fro, each stream keeps one point.
TEST(PlayedDevice, IdleStreamsMayWaitForEachOtherAsOftenAsTheyLike) {
    PlayedDevice device(small_device, 1);
    const Stream one = device.make_stream(), other = device.make_stream(), third = device.make_stream();
    for (int round = 0; round < 200; ++round)
        for (const Stream waits : {one, other, third})
            for (const Stream is_waited_for : {one, other, third})
                device.wait(waits, device.record(is_waited_for));
    device.synchronise(one);
}

TEST(PlayedDevice, ReadersOfOneArrayNeedNoEventButWhoeverWritesItAfterThemDoes) {
    PlayedDevice device(small_device, 1);
    const Stream one = device.make_stream(), other = device.make_stream();
    float value = 1;
    DeviceArray<float> a(device, "a", one, {&value, 1});
    device.synchronise(one);  // an order, too
    device.copy_out(one, &value, a.span().data(), sizeof value);
    EXPECT_NO_THROW(device.copy_out(other, &value, a.span().data(), sizeof value));
    EXPECT_EQ(defect_of([&] { device.copy_in(one, a.span().data(), &value, sizeof value); }),
              "'copy of 'a' to the host' on stream 1 and 'copy to 'a'' on stream 0 use the array 'a' with no "
              "event between them");
}

// Changes [begin, end), telling of [told, told_end).
void change(Device& device, Stream stream, DeviceArray<float>& array, std::pair<int, int> which,
            std::pair<int, int> told, bool doubles = true) {
    const auto& [begin, end] = told;
    device.launch(stream, {"change", 1, 4}, {run_block<ChangeSome>},
                  Arguments::of(ChangeSome{array.span(), which.first, which.second - which.first, doubles},
                                {part_of(array.span().subspan(begin, end - begin))}));
}

TEST(PlayedDevice, PartsOfAnArrayNeedNoEventUnlessTheyMeet) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        PlayedDevice device(small_device, seed);
        const Stream one = device.make_stream(), other = device.make_stream();
        std::vector<float> values(100, 1.0F), expected(100, 2.0F);
        DeviceArray<float> array(device, "values", one, values);
        device.synchronise(one);
        change(device, one, array, {0, 50}, {0, 50});
        EXPECT_NO_THROW(change(device, other, array, {50, 100}, {50, 100})) << seed;
        EXPECT_EQ(
            defect_of([&] {
                change(device, one, array, {10, 51}, {10, 51});
            }),
            "'change' on stream 1 and 'change' on stream 0 use the array 'values' with no event between "
            "them");
        device.synchronise(other);
        // So do copies.
        EXPECT_NO_THROW(
            device.copy_out(other, values.data() + 50, array.span().data() + 50, 50 * sizeof(float)));
        EXPECT_NE(defect_of([&] { device.copy_out(other, values.data() + 49, array.span().data() + 49, 4); }),
                  "");
        device.copy_out(one, values.data(), array.span().data(), 50 * sizeof(float));
        device.synchronise(one);
        device.synchronise(other);
        EXPECT_EQ(values, expected) << seed;
    }
}

TEST(PlayedDevice, WhoTellsOfAPartUsesNoOther) {
    const auto changing = [](std::pair<int, int> which, bool doubles) {
        PlayedDevice device(small_device, 1);
        const Stream stream = device.make_stream();
        const std::vector<float> values(100, 1.0F);
        DeviceArray<float> array(device, "values", stream, values);
        change(device, stream, array, which, {20, 40}, doubles);
        return defect_of([&] { device.synchronise(stream); });
    };
    EXPECT_EQ(changing({20, 40}, true), "");
    EXPECT_NE(changing({19, 40}, true).find("an invalid operation"), std::string::npos);
    EXPECT_EQ(changing({20, 41}, false), "'change' writes where it told nothing of in the array 'values'");
    // Of what it only reads it may write nothing.
    PlayedDevice device(small_device, 1);
    const Stream stream = device.make_stream();
    const std::vector<float> values(100, 1.0F);
    DeviceArray<float> array(device, "values", stream, values);
    device.launch(
        stream, {"change", 1, 4}, {run_block<ChangeSome>},
        Arguments::of(ChangeSome{array.span(), 3, 1, true}, {part_of(std::span<const float>(array.span()))}));
    EXPECT_EQ(defect_of([&] { device.synchronise(stream); }),
              "'change' writes where it told nothing of in the array 'values'");
}

TEST(PlayedDevice, HoldsToTheLimitsOfTheDeviceThatItPlays) {
    PlayedDevice device(small_device, 1);
    const Stream stream = device.make_stream();
    EXPECT_EQ(defect_of([&] {
                  launch(device, stream, {"wide", 1, 65}, TakeScratch{});
              }),
              "'wide' asks for blocks of 65 lanes: small device has 1 to 64");
    EXPECT_THROW(DeviceArray<float>(device, "large", (1 << 18) + 1), base::Refusal);
    {
        const DeviceArray<float> all(device, "all", 1 << 18);
        EXPECT_THROW(DeviceArray<float>(device, "one more", 1), base::Refusal);
    }
    EXPECT_NO_THROW(DeviceArray<float>(device, "again", 1 << 18));
    launch(device, stream, {"greedy", 1, 2, 23}, TakeScratch{});
    EXPECT_EQ(defect_of([&] { device.synchronise(stream); }),
              "'greedy', block 0: a block takes more scratch than its launch asked for");
    launch(device, stream, {"modest", 1, 2, 24}, TakeScratch{});
    EXPECT_NO_THROW(device.synchronise(stream));
}

TEST(PlayedDevice, LanesThatDoNotAllWaitAreFound) {
    PlayedDevice device(small_device, 1);
    const Stream stream = device.make_stream();
    launch(device, stream, {"alone", 1, 4}, SyncAlone{});
    EXPECT_EQ(defect_of([&] { device.synchronise(stream); }),
              "'alone', block 0: some lanes end while others wait in sync()");
}

TEST(PlayedDevice, AddressesOfTheWrongSideAreFoundInCopies) {
    PlayedDevice device(small_device, 1);
    const Stream stream = device.make_stream();
    DeviceArray<float> array(device, "a", 4);
    std::vector<float> host(4);
    EXPECT_EQ(defect_of([&] { device.copy_in(stream, host.data(), host.data(), 16); }),
              "'copy to the device' has an address of the host where one of the device belongs");
    EXPECT_EQ(defect_of([&] { device.copy_out(stream, array.span().data(), array.span().data(), 16); }),
              "'copy of 'a' to the host' has an address of the device where one of the host belongs");
}

TEST(PlayedDevice, CountsWhatWasAskedFor) {
    PlayedDevice device(small_device, 1);
    RingOfCells(device, test::Mistake::none).run();
    constexpr std::size_t row = RingOfCells::bins * sizeof(float);
    EXPECT_EQ(device.counts().launches, 2 * RingOfCells::steps);
    EXPECT_EQ(device.counts().synchronisations, 1);
    EXPECT_EQ(device.counts().bytes_in, row + 2 * RingOfCells::cells * row);
    EXPECT_EQ(device.counts().bytes_out, 2 * RingOfCells::cells * row);
    EXPECT_EQ(device.counts().bytes_within, 4 * RingOfCells::steps * row);
}

}  // namespace
}  // namespace groundswell::exec
