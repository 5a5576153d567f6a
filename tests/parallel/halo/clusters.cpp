// Clusters of cells at rates 1, 2, 4 and 8 over one array, one plan for each pair of neighbouring clusters: what
// arrives is what a plain copy would bring, by every transport, and nothing else of the array is touched.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/environment.hpp"
#include "support/halo_clusters.hpp"

namespace {

using namespace groundswell;
using namespace halo::test;
using halo::Field;
using halo::Layout;
using halo::Memory;

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
        const Order order = own_part ? Order::shuffled : Order::grouped;
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

INSTANTIATE_TEST_SUITE_P(All, HaloClusters, testing::ValuesIn(all_transports()),
                         [](const auto& test) { return identifier(test.param); });

std::vector<std::string> transports_out_of_step() {
    std::vector<std::string> names = all_transports();
    std::erase_if(names, [](const std::string& name) {
        return name.starts_with("neighbor") || name == "datatypes" || name == "point-to-point";
    });
    return names;
}

class HaloClustersOutOfStep : public testing::TestWithParam<std::string> {
protected:
    parallel::Environment mpi{};

    halo::Transports make(const Clusters& cells, Field<double>& field) {
        std::vector<halo::Wanted> wanted;
        for (const auto& plan : cells.plans) wanted.push_back({plan, {field.channel()}, {}});
        return halo::make_transports(GetParam(), wanted, halo::Ranks::out_of_step);
    }
};

// Each rank takes the next step of any cluster, or begins or ends any exchange, that its own values allow: which of
// them it takes is drawn by lot. Nothing waits.
TEST_P(HaloClustersOutOfStep, ARankGoesOnWithWhatItHas) {
    const Clusters cells(mpi.comm(), mpi.rank(), mpi.size(), 300, Order::grouped, false);
    Field<double> field(Layout(cells.plans), 40, 0, Memory::shared);
    const halo::Transports transports = make(cells, field);
    const std::size_t pairs = cells.pairs.size();
    std::vector<int> time(clusters, 0), brought(pairs, 0);
    std::vector<bool> under_way(pairs, false);
    std::mt19937 random(static_cast<unsigned>(77 + mpi.rank()));
    const auto due = [&](std::size_t p, int tick) {
        return tick / cells.pairs[p].ticks() * cells.pairs[p].ticks();
    };
    int left = static_cast<int>(pairs);
    std::int64_t wrong = 0;
    while (left > 0) {
        const std::size_t p = random() % pairs;
        const auto [from, to] = cells.pairs[p];
        int& now = time[static_cast<std::size_t>(from)];
        if (under_way[p]) {
            if (!transports[p]->poll()) {
                std::this_thread::yield();  // ranks may be more than cores
                continue;
            }
            transports[p]->finish();
            under_way[p] = false;
            brought[p] += cells.pairs[p].ticks();
            wrong += cells.wrong(field, p, brought[p]);
            left -= brought[p] == last_tick ? 1 : 0;
        } else if (brought[p] < due(p, std::min(now, time[static_cast<std::size_t>(to)]))) {
            // Both clusters have come so far: what was brought before is used up.
            transports[p]->start(cells.base(field, p));
            under_way[p] = true;
        } else if (now < last_tick) {
            // A step changes what neighbours may still want, and wants what they have.
            bool ready = true;
            for (std::size_t other = 0; other < pairs; ++other) {
                const auto& [source, target] = cells.pairs[other];
                if (source == from || target == from) ready = ready && brought[other] >= due(other, now);
            }
            if (!ready) continue;
            now += 1 << from;
            cells.step(field, from, now);
        }
    }
    EXPECT_EQ(wrong, 0);
}

// All are started and then finished in an order of each rank's own: whoever waits in one exchange lets its
// neighbours go on in the others.
TEST_P(HaloClustersOutOfStep, FinishesMayCrossEachOther) {
    const Clusters cells(mpi.comm(), mpi.rank(), mpi.size(), 300, Order::grouped, false);
    // 10 kB an id: messages that are not sent before the receiver is ready.
    for (const Memory memory : {Memory::own, Memory::shared}) {
        Field<double> field(Layout(cells.plans), 1250, 0, memory);
        const halo::Transports transports = make(cells, field);
        std::vector<std::size_t> order(transports.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::mt19937 random(static_cast<unsigned>(5 + mpi.rank()));
        for (int round = 1; round <= 3; ++round) {
            for (int c = 0; c < clusters; ++c) cells.step(field, c, round);
            std::shuffle(order.begin(), order.end(), random);
            for (const std::size_t p : order) transports[p]->start(cells.base(field, p));
            std::shuffle(order.begin(), order.end(), random);
            for (const std::size_t p : order) {
                transports[p]->finish();
                EXPECT_EQ(cells.wrong(field, p, round), 0);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, HaloClustersOutOfStep, testing::ValuesIn(transports_out_of_step()),
                         [](const auto& test) { return identifier(test.param); });

TEST(HaloRegistry, TransportsInLockstepServeNoRanksOutOfStep) {
    parallel::Environment mpi;
    const Clusters cells(mpi.comm(), mpi.rank(), mpi.size(), 200, Order::grouped, false);
    Field<double> field(Layout(cells.plans), 3);
    std::vector<halo::Wanted> wanted;
    for (const auto& plan : cells.plans) wanted.push_back({plan, {field.channel()}, {field.data()}});
    const std::vector<std::string> free = transports_out_of_step();
    for (const std::string& name : all_transports()) {
        const bool serves = std::ranges::find(free, name) != free.end();
        EXPECT_EQ(halo::availability(name, *cells.plans[0], halo::Ranks::out_of_step).available, serves)
            << name;
        if (serves) continue;
        try {
            halo::make_transports(name, wanted, halo::Ranks::out_of_step);
            ADD_FAILURE() << "not refused: " << name;
        } catch (const base::Refusal& refusal) {
            EXPECT_NE(std::string(refusal.what()).find("out of step: use shared, posted or persistent"),
                      std::string::npos)
                << refusal.what();
        }
    }
    // One choice for all plans, in the time of one.
    const halo::Choice choice = halo::choose_transports(wanted, halo::Ranks::out_of_step);
    ASSERT_EQ(choice.transports.size(), wanted.size());
    for (const auto& transport : choice.transports) {
        EXPECT_EQ(transport->name(), choice.transports[0]->name());
        EXPECT_EQ(transport->traffic().exchanges, 0);
    }
    for (const halo::Trial& trial : choice.trials)
        EXPECT_NE(std::ranges::find(free, trial.name), free.end()) << trial.name;
}

}  // namespace
