// Several exchanges at rates of their own behind one object, whoever pushes their messages along.
#include "groundswell/halo/exchange.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>
#include <tuple>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/parallel/environment.hpp"
#include "support/halo_clusters.hpp"

namespace {

using namespace groundswell;
using halo::Field;
using halo::Progress;
using halo::test::Clusters;
using halo::test::clusters;
using halo::test::Order;

constexpr int last_tick = 16;

/// The exchanges of all pairs of clusters over one field.
std::vector<halo::Wanted> wanted_of(const Clusters& cells, Field<double>& field) {
    std::vector<halo::Wanted> wanted;
    for (std::size_t p = 0; p < cells.plans.size(); ++p)
        wanted.push_back({cells.plans[p], {field.channel()}, {cells.base(field, p)}});
    return wanted;
}

class HaloExchanges : public testing::TestWithParam<std::tuple<std::string, Progress>> {
protected:
    parallel::Environment mpi{};
};

TEST_P(HaloExchanges, EachAtARateOfItsOwnBringWhatACopyWould) {
    const Clusters cells(mpi.comm(), mpi.rank(), mpi.size(), 300, Order::grouped, false);
    halo::ExchangeOptions options;
    std::tie(options.transport, options.progress) = GetParam();
    options.ranks = halo::Ranks::out_of_step;
    Field<double> field(halo::Layout(cells.plans), 10, 0, options.memory());
    parallel::Profile profile;
    halo::Exchanges exchanges(wanted_of(cells, field), options, profile);
    ASSERT_EQ(exchanges.count(), cells.pairs.size());
    EXPECT_EQ(exchanges.traffic().exchanges, 0) << "trials do not count";

    profile.start();
    std::vector<int> copied(cells.pairs.size(), 0);
    std::int64_t started = 0;
    for (int tick = 1; tick <= last_tick; ++tick) {
        for (int c = 0; c < clusters; ++c)
            if (tick % (1 << c) == 0) cells.step(field, c, tick);
        std::vector<std::size_t> due;
        for (std::size_t p = 0; p < cells.pairs.size(); ++p)
            if (tick % cells.pairs[p].ticks() == 0) due.push_back(p);
        for (const std::size_t p : due) exchanges.start(cells.base(field, p), p);
        started += std::ssize(due);

        std::vector<int> computed(25, 0);
        exchanges.compute(25, 4, [&](std::int32_t first, std::int32_t last) {
            EXPECT_LE(last - first, options.progress == Progress::polling ? 4 : 25);
            for (std::int32_t i = first; i < last; ++i) ++computed.at(static_cast<std::size_t>(i));
        });
        EXPECT_EQ(computed, std::vector<int>(25, 1));

        // The last one begun may be there first.
        for (auto p = due.rbegin(); p != due.rend(); ++p) {
            while (!exchanges.poll(*p)) {
            }
            exchanges.finish(*p);
            copied[*p] = tick;
        }
        for (std::size_t p = 0; p < cells.pairs.size(); ++p) {
            if (copied[p] > 0) {
                ASSERT_EQ(cells.wrong(field, p, copied[p]), 0) << "tick " << tick << ", pair " << p;
            }
        }
    }
    profile.stop();

    EXPECT_EQ(exchanges.traffic().exchanges, started);
    EXPECT_FALSE(exchanges.selects());
    const halo::ExchangeReport report = exchanges.report();
    EXPECT_EQ(report.progress, name(options.progress));
    EXPECT_EQ(report.whole_bytes, report.bytes);
    EXPECT_EQ(report.bytes > 0, mpi.size() > 1);
    EXPECT_EQ(report.text().empty(), mpi.size() == 1);
    if (options.progress != Progress::thread) {
        EXPECT_EQ(report.thread.max, 0.0);
    }
}

// Nothing to compute for: no piece, and no poll.
TEST(HaloExchangesOfOneField, NothingIsComputedWhereThereIsNothing) {
    const parallel::Environment mpi;
    const Clusters cells(mpi.comm(), mpi.rank(), mpi.size(), 40, Order::grouped, false);
    Field<double> field(halo::Layout(cells.plans), 1);
    parallel::Profile profile;
    halo::ExchangeOptions options;
    options.progress = Progress::polling;
    halo::Exchanges exchanges(wanted_of(cells, field), options, profile);
    exchanges.compute(0, 4, [](std::int32_t, std::int32_t) { ADD_FAILURE(); });
}

TEST(HaloExchangesOfOneField, ATransportInLockstepIsRefusedByTheUsersKey) {
    const parallel::Environment mpi;
    const Clusters cells(mpi.comm(), mpi.rank(), mpi.size(), 40, Order::grouped, false);
    Field<double> field(halo::Layout(cells.plans), 1);
    parallel::Profile profile;
    halo::ExchangeOptions options;
    options.transport = "neighbor";
    options.ranks = halo::Ranks::out_of_step;
    options.where = "case.toml";
    options.names.transport = "halo.transport";
    try {
        const halo::Exchanges exchanges(wanted_of(cells, field), options, profile);
        FAIL() << "not refused";
    } catch (const base::Refusal& refusal) {
        EXPECT_EQ(
            std::string(refusal.what()).find("case.toml: halo.transport = \"neighbor\": expected another: "),
            0U)
            << refusal.what();
    }
}

INSTANTIATE_TEST_SUITE_P(All, HaloExchanges,
                         testing::Combine(testing::Values("shared", "posted", "persistent", "auto"),
                                          testing::Values(Progress::none, Progress::polling,
                                                          Progress::thread)),
                         [](const auto& test) {
                             return std::get<0>(test.param) + "_" +
                                    std::string(name(std::get<1>(test.param)));
                         });

}  // namespace
