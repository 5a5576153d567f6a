// Clusters of cells at rates 1, 2, 4 and 8 over one array, one plan for each pair of neighbouring clusters: what
// arrives is what a plain copy would bring, by every transport, and nothing else of the array is touched.
#include <gtest/gtest.h>
#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/environment.hpp"
#include "support/halo_clusters.hpp"

namespace {

using namespace groundswell;
using halo::Field;
using halo::Layout;
using halo::Memory;
using halo::test::all_transports;
using halo::test::Clusters;
using halo::test::clusters;
using halo::test::identifier;
using halo::test::Order;

constexpr int last_tick = 16;

class HaloClusters : public testing::TestWithParam<std::string> {
protected:
    parallel::Environment mpi{};
};

// With plans that own all cells the layout is made of the plans; else of the numbers that are known before.
Layout layout_of(const Clusters& sea, bool own_part, const parallel::Environment& mpi) {
    if (!own_part) return Layout(sea.plans);
    std::size_t needed = 0;
    for (const auto& ids : sea.needed) needed += ids.size();
    std::vector<int> others;
    for (int rank = 0; rank < mpi.size(); ++rank)
        if (rank != mpi.rank()) others.push_back(rank);
    return {mpi.comm(), static_cast<std::int32_t>(sea.owned.size()), static_cast<std::int32_t>(needed),
            others};
}

TEST_P(HaloClusters, EachPairOfClustersAtARateOfItsOwn) {
    for (const bool own_part : {false, true}) {
        for (const Order order : {Order::grouped, Order::shuffled}) {
            const Clusters cells(mpi.comm(), mpi.rank(), mpi.size(), 300, order, own_part);
            Field<double> field(layout_of(cells, own_part, mpi), 10, 0, Memory::shared);
            std::vector<std::unique_ptr<halo::Transport>> transports;
            for (const auto& plan : cells.plans)
                transports.push_back(halo::make_transport(GetParam(), plan, field.channel()));

            // What a plain copy would have brought to each pair: that of this tick.
            std::vector<int> copied(cells.pairs.size(), 0);
            for (int tick = 1; tick <= last_tick; ++tick) {
                std::vector<std::size_t> due;
                for (int c = 0; c < clusters; ++c)
                    if (tick % (1 << c) == 0) cells.step(field, c, tick);
                for (std::size_t p = 0; p < cells.pairs.size(); ++p)
                    if (tick % cells.pairs[p].ticks() == 0) due.push_back(p);
                for (const std::size_t p : due) transports[p]->start(cells.base(field, p));
                for (const std::size_t p : due) {
                    transports[p]->finish();
                    copied[p] = tick;
                }
                for (std::size_t p = 0; p < cells.pairs.size(); ++p) {
                    if (copied[p] > 0) {
                        ASSERT_EQ(cells.wrong(field, p, copied[p]), 0) << "tick " << tick << ", pair " << p;
                    }
                }
            }
            if (GetParam() == "shared" && field.memory() == Memory::shared) {
                for (const auto& transport : transports)
                    EXPECT_EQ(transport->clock().pack, 0.0) << "read where it lies";
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, HaloClusters, testing::ValuesIn(all_transports()),
                         [](const auto& test) { return identifier(test.param); });

}  // namespace
