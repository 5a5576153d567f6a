// Sequences of small launches are asked for by graphs: in the same order, with the arguments of each time, and only after they have been
// seen before.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "groundswell/exec/device/graphs/graphing_device.hpp"
#include "groundswell/exec/device/host_device.hpp"
#include "groundswell/exec/device/played/played_device.hpp"

namespace groundswell::exec {
namespace {

// x ← a x + b, so that the order of launches is seen in the result.
struct Change {
    std::span<float> x;
    float a, b;
    constexpr void arrays(const auto& visit) const { visit(x); }
    template <class Block>
    constexpr void operator()(Block& block) const {
        const int n = 8;
        block.lanes(n, [&](int i) { x[block.index() * n + i] = a * x[block.index() * n + i] + b; });
    }
};

constexpr int blocks = 3;

class Sequences {
public:
    explicit Sequences(Device& device)
        : device_(device), stream_(device.make_stream()), x_(device, "x", stream_, start_) {}
    void launch(float a, float b, int of = blocks) {
        device_.launch(stream_, {"change", of, 8, 0}, {run_block<Change>},
                       Arguments::of(Change{x_.span(), a, b}));
    }
    void wait() { device_.synchronise(stream_); }
    void record() { device_.record(stream_); }
    std::vector<float> values() {
        std::vector<float> all(start_.size());
        device_.copy_out(stream_, all.data(), x_.span().data(), all.size() * sizeof(float));
        device_.synchronise(stream_);
        return all;
    }

private:
    const std::vector<float> start_ = std::vector<float>(8 * blocks, 1.0F);
    Device& device_;
    const Stream stream_;
    DeviceArray<float> x_;
};

// Three launches a round, whose last number is that of the round, or of one of a few.
std::vector<float> rounds(Device& device, int count, int of_few) {
    Sequences sequences(device);
    for (int round = 0; round < count; ++round) {
        sequences.launch(0.5F, 1.0F);
        sequences.launch(-1.0F, 0.25F, 2);
        sequences.launch(0.75F, static_cast<float>(round % of_few));
        if (round % 3 == 0)
            sequences.wait();
        else
            sequences.record();
    }
    return sequences.values();
}

TEST(LaunchGraphs, DoWhatLaunchesDo) {
    for (const int of_few : {1, 2, 5, 1000}) {
        const auto host = make_host_device();
        const std::vector<float> expected = rounds(*host, 40, of_few);
        GraphingDevice on_host(make_host_device());
        EXPECT_EQ(rounds(on_host, 40, of_few), expected);
        for (unsigned seed = 0; seed < 20; ++seed) {
            GraphingDevice device(std::make_unique<PlayedDevice>(
                DeviceLimits{"small device", 64, 4096, std::size_t{1} << 20}, seed));
            EXPECT_EQ(rounds(device, 40, of_few), expected) << seed;
        }
    }
}

// 40 rounds, of which the first is not known yet.
TEST(LaunchGraphs, AreMadeOnceAndGivenOtherArguments) {
    const auto counts = [](int of_few) {
        GraphingDevice device(make_host_device());
        rounds(device, 40, of_few);
        return device.counts();
    };
    const GraphingDevice::Counts same = counts(1);
    EXPECT_EQ(same.made, 1);
    EXPECT_EQ(same.updated, 0);
    EXPECT_EQ(same.launched, 39);
    EXPECT_EQ(same.alone, 3);
    const GraphingDevice::Counts few = counts(5);
    EXPECT_EQ(few.made, 5);
    EXPECT_EQ(few.updated, 0);
    const GraphingDevice::Counts many = counts(1000);
    EXPECT_EQ(many.made + many.updated, 39);
    EXPECT_LE(many.made, 6);
}

TEST(LaunchGraphs, HaveNoLargeLaunchesAndNoLoneOnes) {
    GraphingDevice device(make_host_device());
    const Stream stream = device.make_stream();
    constexpr int many = GraphingDevice::most_blocks + 1;
    DeviceArray<float> x(device, "x", std::size_t{8} * many);
    const std::vector<float> ones(x.span().size(), 1.0F);
    device.copy_in(stream, x.span().data(), ones.data(), ones.size() * sizeof(float));
    const auto launch = [&](int of) {
        device.launch(stream, {"change", of, 8, 0}, {run_block<Change>},
                      Arguments::of(Change{x.span(), 2.0F, 0.0F}));
    };
    for (int round = 0; round < 5; ++round) {
        launch(2);
        launch(many);
        launch(2);
        launch(0);
        device.synchronise(stream);
    }
    EXPECT_EQ(device.counts().launched, 0);
    EXPECT_EQ(device.counts().alone, 15);
    EXPECT_EQ(x.span()[0], 32768.0F);
    EXPECT_EQ(x.span().back(), 32.0F);
}

}  // namespace
}  // namespace groundswell::exec
