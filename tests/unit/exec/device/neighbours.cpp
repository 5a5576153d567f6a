// Groups of neighbouring lanes of the played device: they wait for each other and hand numbers over, whatever other groups do.
#include <gtest/gtest.h>

#include <array>

#include "groundswell/exec/device/played/played_device.hpp"
#include "unit/exec/device/ring_of_cells.hpp"

namespace groundswell::exec {
namespace {

using test::small_device;

// Groups of 4 lanes add up their numbers by halves, the n-th group n + 1 times over, and all blocks find the least sum.
struct AddUpInGroups {
    std::span<int> sum;             // [lane]
    std::span<std::int32_t> least;  // [1]
    constexpr void arrays(const auto& visit) const {
        visit(sum);
        visit(least);
    }
    template <class Block>
    constexpr void operator()(Block& block) const {
        int own = block.lane();
        for (int round = 0; round <= block.lane() / 4; ++round)
            for (int across = 2; across > 0; across /= 2) own += block.from_neighbour(own, across, 4);
        block.sync();
        sum[block.lane()] = own;
        Block::lower(least[0], own + block.index());
    }
};

// The first lane waits for its neighbours, the others for all.
struct WaitApart {
    constexpr void arrays(const auto&) const {}
    template <class Block>
    constexpr void operator()(Block& block) const {
        if (block.lane() == 0)
            block.sync_group(2);
        else
            block.sync();
    }
};

TEST(PlayedNeighbours, LanesThatWaitInDifferentPlacesAreFound) {
    PlayedDevice device(small_device, 1);
    const Stream stream = device.make_stream();
    const WaitApart kernel{};
    device.launch(stream, {"apart", 1, 4}, {run_block<WaitApart>}, Arguments::of(kernel));
    try {
        device.synchronise(stream);
        FAIL();
    } catch (const base::Defect& defect) {
        EXPECT_STREQ(defect.what(), "'apart', block 0: lanes wait for each other in different places");
    }
}

TEST(PlayedNeighbours, NeighboursHandNumbersOverWhateverOtherGroupsDo) {
    for (unsigned seed = 0; seed < 5; ++seed) {
        PlayedDevice device(small_device, seed);
        const Stream stream = device.make_stream();
        std::vector<int> sum(12);
        std::vector<std::int32_t> least{1000};
        DeviceArray<int> sums(device, "sums", stream, sum);
        DeviceArray<std::int32_t> lowest(device, "least", stream, least);
        const AddUpInGroups kernel{sums.span(), lowest.span()};
        device.launch(stream, {"groups", 3, 12}, {run_block<AddUpInGroups>}, Arguments::of(kernel));
        device.copy_out(stream, sum.data(), sums.span().data(), sums.span().size_bytes());
        device.copy_out(stream, least.data(), lowest.span().data(), sizeof least[0]);
        device.synchronise(stream);
        // 0 + 1 + 2 + 3, (4 + … + 7) · 4, (8 + … + 11) · 4 · 4
        for (int lane = 0; lane < 12; ++lane) EXPECT_EQ(sum[lane], (std::array{6, 88, 608})[lane / 4]);
        EXPECT_EQ(least[0], 6);
    }
}

}  // namespace
}  // namespace groundswell::exec
