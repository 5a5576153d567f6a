// After an exchange every needed id holds the bits of its owner, with any transport, type, number of values
// and number of fields; owned values and padding are untouched.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/halo/host/host_neighbours.hpp"
#include "groundswell/halo/messages/neighbor_graph.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/halo_values.hpp"

namespace {

using namespace groundswell;
using namespace halo::test;
using halo::Field;

class HaloTransport : public testing::TestWithParam<std::string> {
protected:
    parallel::Environment mpi{};

    template <class T>
    void exchange_one(const Part& part, std::size_t values, std::size_t stride) {
        const auto plan = make_plan(mpi.comm(), part);
        Field<T> field(*plan, values, stride);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(field.data()) % 64, 0U);
        const auto transport = halo::make_transport(GetParam(), plan, field.channel());
        for (int round = 0; round < 3; ++round) {
            fill_owned(field, part, round);
            transport->poll();
            transport->start(field.data());
            for (int i = 0; i < round; ++i) transport->poll();
            transport->finish();
            expect_exchanged(field, part, round, "round " + std::to_string(round));
        }
    }
};

TEST_P(HaloTransport, BringsTheBitsOfTheOwner) {
    for (const Order order : {Order::grouped, Order::shuffled}) {
        for (const int idle : {0, 2}) {
            const Part part = random_part(mpi.rank(), mpi.size(), idle, 200, order, 11);
            exchange_one<float>(part, 20, 0);
            exchange_one<double>(part, 1, 0);
            exchange_one<float>(part, 5, 8);  // padded
            exchange_one<Odd>(part, 3, 0);
            exchange_one<char>(part, 1, 0);
        }
    }
}

// 40 kB a message and more: not sent before the receiver is ready.
TEST_P(HaloTransport, LongMessages) {
    exchange_one<float>(random_part(mpi.rank(), mpi.size(), 0, 1000, Order::grouped, 5), 1260, 0);
}

TEST_P(HaloTransport, RanksWithoutIdsOrNeighboursTakePart) {
    exchange_one<float>({}, 3, 0);
    exchange_one<float>({{mpi.rank()}, {}}, 3, 0);
    // Only rank 0 needs anything, and only from the last.
    exchange_one<float>(
        {{mpi.rank()},
         mpi.rank() == 0 ? std::vector<std::int64_t>{mpi.size() - 1} : std::vector<std::int64_t>{}},
        3, 0);
}

TEST_P(HaloTransport, AnIdOfItsOwnAndAnIdTwice) {
    exchange_one<double>({{mpi.rank()}, {mpi.rank(), (mpi.rank() + 1) % mpi.size(), mpi.rank()}}, 2, 0);
}

TEST_P(HaloTransport, SeveralFieldsTravelInOneMessage) {
    for (const Order order : {Order::grouped, Order::shuffled}) {
        const Part part = random_part(mpi.rank(), mpi.size(), 0, 300, order, 3);
        const auto plan = make_plan(mpi.comm(), part);
        Field<float> a(*plan, 7);
        Field<double> b(*plan, 1, 2);
        Field<Odd> c(*plan, 2);
        const auto transport =
            halo::make_transport(GetParam(), plan, std::vector{a.channel(), b.channel(), c.channel()});
        for (int round = 0; round < 3; ++round) {
            fill_owned(a, part, round);
            fill_owned(b, part, round + 1);
            fill_owned(c, part, round + 2);
            const std::vector<void*> bases{a.data(), b.data(), c.data()};
            transport->start(bases);
            transport->finish();
            expect_exchanged(a, part, round, "a");
            expect_exchanged(b, part, round + 1, "b");
            expect_exchanged(c, part, round + 2, "c");
        }
        // What neighbours on the host read for themselves is no message.
        const auto neighbours = halo::find_host_neighbours(*plan).destinations;
        const bool reads = transport->name() == "shared";
        const auto messages = std::count_if(neighbours.begin(), neighbours.end(),
                                            [&](const auto& one) { return !reads || !one.on_host; });
        EXPECT_EQ(transport->traffic().messages, 3 * messages);
    }
}

// Two transports under way at once must not take each other's messages, nor need the same order of finishing.
TEST_P(HaloTransport, TwoExchangesAtOnce) {
    const Part part = random_part(mpi.rank(), mpi.size(), 0, 300, Order::grouped, 9);
    const auto plan = make_plan(mpi.comm(), part);
    Field<float> a(*plan, 4), b(*plan, 4);
    const auto first = halo::make_transport(GetParam(), plan, a.channel());
    const auto second = halo::make_transport("posted", plan, b.channel());
    fill_owned(a, part, 1);
    fill_owned(b, part, 2);
    if (mpi.rank() % 2 == 0) first->start(a.data());
    second->start(b.data());
    if (mpi.rank() % 2 == 1) first->start(a.data());
    second->finish();
    first->finish();
    expect_exchanged(a, part, 1, "a");
    expect_exchanged(b, part, 2, "b");
}

TEST_P(HaloTransport, CountsWhatItSendsAndTimesIt) {
    const Part part = random_part(mpi.rank(), mpi.size(), 0, 400, Order::shuffled, 2);
    const auto plan = make_plan(mpi.comm(), part);
    Field<float> field(*plan, 6, 8);
    const auto transport = halo::make_transport(GetParam(), plan, field.channel());
    for (int i = 0; i < 2; ++i) {
        transport->start(field.data());
        transport->finish();
    }
    EXPECT_EQ(transport->traffic().exchanges, 2);
    const std::int64_t received = 2 * 6 * static_cast<std::int64_t>(sizeof(float) * part.needed.size());
    EXPECT_EQ(parallel::sum(mpi.comm(), transport->traffic().bytes), parallel::sum(mpi.comm(), received));
    EXPECT_GT(transport->clock().wait, 0.0);
    if (mpi.size() > 1 && GetParam() != "datatypes") {
        EXPECT_GT(transport->clock().pack, 0.0);
        EXPECT_GT(transport->clock().unpack, 0.0);
    }
}

TEST_P(HaloTransport, MisuseIsADefect) {
    const auto plan = make_plan(mpi.comm(), {});
    Field<float> field(*plan, 1);
    const auto transport = halo::make_transport(GetParam(), plan, field.channel());
    EXPECT_THROW(transport->finish(), base::Defect);
    transport->start(field.data());
    EXPECT_THROW(transport->start(field.data()), base::Defect);
    transport->finish();
}

INSTANTIATE_TEST_SUITE_P(All, HaloTransport, testing::ValuesIn(all_transports()),
                         [](const auto& test) { return identifier(test.param); });

halo::Choice choose(const std::shared_ptr<const halo::Plan>& plan, const halo::Channel& channel) {
    const halo::Wanted wanted{plan, {channel}, {}};
    return halo::choose_transports(std::span(&wanted, 1));
}

TEST(HaloRegistry, AutoChoosesTheSameOnAllRanks) {
    parallel::Environment mpi;
    const Part part = random_part(mpi.rank(), mpi.size(), 0, 500, Order::grouped, 4);
    const auto plan = make_plan(mpi.comm(), part);
    const halo::Choice choice = choose(plan, halo::channel_of<float>(100));
    const auto names = halo::transport_names();
    if (mpi.size() == 1) {
        EXPECT_TRUE(choice.trials.empty()) << "nothing to exchange";
        return;
    }
    std::int64_t chosen = -1;
    for (std::size_t i = 0; i < choice.trials.size(); ++i) {
        const halo::Trial& trial = choice.trials[i];
        EXPECT_GT(trial.seconds, 0.0);
        EXPECT_EQ(parallel::min(mpi.comm(), trial.seconds), parallel::max(mpi.comm(), trial.seconds));
        if (choice.transports.front()->name() == trial.name) chosen = static_cast<std::int64_t>(i);
    }
    ASSERT_GE(chosen, 0);
    EXPECT_EQ(parallel::min(mpi.comm(), chosen), parallel::max(mpi.comm(), chosen));
    for (const halo::Trial& trial : choice.trials)
        EXPECT_LE(choice.trials[static_cast<std::size_t>(chosen)].seconds, 1.04 * trial.seconds)
            << trial.name;
}

// The trials leave counts at zero, owned values and what is not wanted as they were.
TEST(HaloRegistry, AutoServesSeveralFieldsAndSelections) {
    parallel::Environment mpi;
    const Part part = random_part(mpi.rank(), mpi.size(), 1, 150, Order::grouped, 8);
    const auto plan = make_plan(mpi.comm(), part);
    Field<float> a(*plan, 24, 28);
    Field<double> b(*plan, 3);
    const auto wishes = random_selection<float>(part, 2, 12, 9);
    const std::vector<void*> bases{a.data(), b.data()};
    halo::Channel selecting = a.channel();
    selecting.selection = wishes;
    fill_owned(a, part, 1);
    fill_owned(b, part, 2);
    const auto transport = halo::make_transport("auto", plan, {selecting, b.channel()}, bases);
    EXPECT_EQ(transport->traffic().exchanges, 0);
    EXPECT_EQ(transport->traffic().bytes, 0);
    EXPECT_EQ(transport->clock().wait, 0.0);
    expect_owned(a, part, 1, "trials leave what is owned");
    expect_owned(b, part, 2, "trials leave what is owned");
    for (int round = 3; round < 5; ++round) {
        fill_owned(a, part, round);
        fill_owned(b, part, round + 1);
        transport->start(bases);
        transport->poll();
        transport->finish();
        expect_exchanged(a, part, round, "a", transport->selects() ? wishes.get() : nullptr);
        expect_exchanged(b, part, round + 1, "b");
    }
    // Without fields of the caller the trials use memory of their own.
    EXPECT_EQ(halo::make_transport("auto", plan, b.channel())->channels().size(), 1U);
}

TEST(HaloRegistry, AMessageOfTwoGibibytesIsRefused) {
    parallel::Environment mpi;
    // 2000 ids of 1.2 MB from the next rank; only the sizes matter, no field is made.
    Part part;
    for (std::int64_t i = 0; i < 2000; ++i) {
        part.owned.push_back(2000 * mpi.rank() + i);
        part.needed.push_back(2000 * ((mpi.rank() + 1) % mpi.size()) + i);
    }
    const auto plan = make_plan(mpi.comm(), part);
    for (const auto* name : {"posted", "neighbor"}) {
        try {
            halo::make_transport(name, plan, halo::Channel{1200000, 1200000});
            FAIL() << "not refused";
        } catch (const base::Refusal& error) {
            EXPECT_NE(std::string(error.what()).find("2 GiB"), std::string::npos) << error.what();
        }
    }
}

// Displacements beyond 2 GiB, in units that an int can count: as many bytes as divide all messages.
TEST(HaloNeighborMessages, ReachFurtherThanAnIntOfBytes) {
    parallel::Environment mpi;
    const std::vector<halo::Stretch> messages{
        {0, 2'000'000'000}, {2'000'000'000, 1'500'000'000}, {3'500'000'000, 500'000'000}, {4'000'000'000, 0}};
    const halo::NeighborMessages found = halo::in_units(messages);
    int unit = 0;
    MPI_Type_size(found.unit.get(), &unit);
    EXPECT_EQ(unit, 500'000'000);
    EXPECT_EQ(found.counts, (std::vector{4, 3, 1, 0, 0}));
    EXPECT_EQ(found.displacements, (std::vector{0, 4, 7, 8, 0}));
    const std::vector<halo::Stretch> odd{
        {0, 2'000'000'000}, {2'000'000'000, 2'000'000'001}, {4'000'000'001, 1}};
    EXPECT_THROW(halo::in_units(odd), base::Refusal);
}

TEST(HaloRegistry, UnknownNameIsRefusedWithTheKnownOnes) {
    parallel::Environment mpi;
    const auto plan = make_plan(mpi.comm(), {});
    EXPECT_TRUE(halo::availability("auto", *plan).available);
    EXPECT_THROW(halo::availability("pigeon", *plan), base::Refusal);
    try {
        halo::make_transport("psted", plan, halo::channel_of<float>(1));
        FAIL() << "not refused";
    } catch (const base::Refusal& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("transport = psted"), std::string::npos) << message;
        EXPECT_NE(message.find("shared, posted, "), std::string::npos) << message;
        EXPECT_NE(message.find("did you mean posted?"), std::string::npos) << message;
    }
}

}  // namespace
