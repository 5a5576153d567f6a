// Where a rank wants part of each id's values, exactly those come, the bits of the owner, with any transport;
// what was not wanted stays as it was. Fewer bytes travel, and wrong wishes are refused on all ranks.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/halo_values.hpp"

namespace {

using namespace groundswell;
using namespace halo::test;
using halo::Field;
using halo::Selection;

template <class T>
halo::Channel selecting(const Field<T>& field, std::shared_ptr<const Selection> selection) {
    halo::Channel channel = field.channel();
    channel.selection = std::move(selection);
    return channel;
}

class HaloSelection : public testing::TestWithParam<std::string> {
protected:
    parallel::Environment mpi{};

    template <class T>
    void exchange(const Part& part, std::int32_t rows, std::int32_t row_values, std::size_t padding) {
        const auto plan = make_plan(mpi.comm(), part);
        const auto values = static_cast<std::size_t>(rows) * static_cast<std::size_t>(row_values);
        Field<T> field(*plan, values, values + padding);
        const auto wishes =
            random_selection<T>(part, rows, row_values, 7U + static_cast<unsigned>(mpi.rank()));
        const auto transport = halo::make_transport(GetParam(), plan, selecting(field, wishes));
        for (int round = 0; round < 3; ++round) {
            fill_owned(field, part, round);
            transport->start(field.data());
            transport->poll();
            transport->finish();
            expect_exchanged(field, part, round, "round " + std::to_string(round),
                             transport->selects() ? wishes.get() : nullptr);
        }
    }
};

TEST_P(HaloSelection, BringsWhatIsWantedAndNoMore) {
    for (const Order order : {Order::grouped, Order::shuffled}) {
        for (int idle = 0; idle < 2; ++idle) {
            const Part part = random_part(mpi.rank(), mpi.size(), idle, 150, order, 21);
            exchange<float>(part, 35, 36, 4);
            exchange<float>(part, 3, 36, 0);
            exchange<double>(part, 4, 24, 0);
            exchange<Odd>(part, 5, 7, 1);
            exchange<char>(part, 2, 40, 3);  // runs of any length
            exchange<char>(part, 1, 1000, 0);
        }
    }
}

TEST_P(HaloSelection, ARowOfOneValueAndRanksWithoutIds) {
    const Part part = random_part(mpi.rank(), mpi.size(), 1, 100, Order::grouped, 22);
    exchange<float>(part, 6, 1, 0);
    exchange<float>({}, 6, 4, 0);
}

// A field with a selection travels with one without, and the parts of a message keep their order.
TEST_P(HaloSelection, TravelsWithWholeFields) {
    const Part part = random_part(mpi.rank(), mpi.size(), 0, 200, Order::grouped, 23);
    const auto plan = make_plan(mpi.comm(), part);
    Field<double> a(*plan, 2);
    Field<float> b(*plan, 60, 64);
    Field<Odd> c(*plan, 1);
    const auto wishes = random_selection<float>(part, 5, 12, 8);
    const auto transport =
        halo::make_transport(GetParam(), plan, {a.channel(), selecting(b, wishes), c.channel()});
    fill_owned(a, part, 1);
    fill_owned(b, part, 2);
    fill_owned(c, part, 3);
    const std::vector<void*> bases{a.data(), b.data(), c.data()};
    transport->start(bases);
    transport->finish();
    expect_exchanged(a, part, 1, "a");
    expect_exchanged(b, part, 2, "b", transport->selects() ? wishes.get() : nullptr);
    expect_exchanged(c, part, 3, "c");
}

INSTANTIATE_TEST_SUITE_P(All, HaloSelection, testing::ValuesIn(all_transports()),
                         [](const auto& test) { return identifier(test.param); });

TEST(HaloSelectionOf, OneRankWithoutASelectionGetsWholeBlocks) {
    parallel::Environment mpi;
    const Part part = random_part(mpi.rank(), mpi.size(), 0, 120, Order::grouped, 24);
    const auto plan = make_plan(mpi.comm(), part);
    Field<float> field(*plan, 24);
    const auto wishes = mpi.rank() == 0 ? nullptr : random_selection<float>(part, 2, 12, 5);
    const auto transport = halo::make_transport("posted", plan, selecting(field, wishes));
    fill_owned(field, part, 0);
    transport->start(field.data());
    transport->finish();
    expect_exchanged(field, part, 0, "mixed", wishes.get());
    EXPECT_EQ(transport->selects(), mpi.size() > 1);
}

TEST(HaloSelectionOf, CountsTheBytesWithAndWithout) {
    parallel::Environment mpi;
    const Part part = random_part(mpi.rank(), mpi.size(), 0, 200, Order::grouped, 25);
    const auto plan = make_plan(mpi.comm(), part);
    Field<float> field(*plan, 20);
    const auto needed = static_cast<std::int64_t>(part.needed.size());
    const auto counts = [&](std::int32_t count) {
        const auto wishes = std::make_shared<Selection>(
            Selection{4, 2, 10, std::vector<halo::RowRange>(part.needed.size(), {9, count})});
        const auto transport = halo::make_transport("posted", plan, selecting(field, wishes));
        transport->start(field.data());
        transport->finish();
        EXPECT_EQ(transport->selects(), parallel::sum(mpi.comm(), needed) > 0 && count < 10);
        EXPECT_EQ(parallel::sum(mpi.comm(), transport->traffic().bytes),
                  parallel::sum(mpi.comm(), needed * 2 * count * 4));
        EXPECT_EQ(parallel::sum(mpi.comm(), transport->traffic().whole_bytes),
                  parallel::sum(mpi.comm(), needed * 80));
    };
    for (const std::int32_t count : {0, 1, 6, 10}) counts(count);
}

void expect_refused(const std::shared_ptr<const halo::Plan>& plan, const Selection& selection,
                    const std::string& text) {
    try {
        halo::make_transport("posted", plan,
                             halo::Channel{40, 40, std::make_shared<const Selection>(selection)});
        ADD_FAILURE() << "not refused: " << text;
    } catch (const base::Refusal& error) {
        EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
}

// The last rank alone is wrong; all refuse.
TEST(HaloSelectionOf, WrongWishesAreRefusedOnAllRanks) {
    parallel::Environment mpi;
    const bool wrong = mpi.rank() == mpi.size() - 1;
    const std::int64_t me = mpi.rank();
    const auto plan = make_plan(mpi.comm(), {{me}, {(me + 1) % mpi.size()}});
    const Selection good{4, 2, 5, {{0, 3}}};
    for (const halo::RowRange range : {halo::RowRange{5, 1}, {-1, 1}, {0, 6}, {0, -1}}) {
        Selection bad = good;
        bad.needed[0] = range;
        expect_refused(plan, wrong ? bad : good, "selection of needed id 0");
    }
    expect_refused(plan, wrong ? Selection{4, 2, 5, {}} : good, "one for each of the 1 needed ids");
    expect_refused(plan, wrong ? Selection{4, 3, 5, {{0, 3}}} : good, "the 40 bytes of an id");
    expect_refused(plan, wrong ? Selection{4, 0, 5, {{0, 3}}} : good, "at least one of each");
    if (mpi.size() > 1)
        expect_refused(plan, wrong ? Selection{4, 1, 10, {{0, 3}}} : good, "the same on all ranks");
}

}  // namespace
