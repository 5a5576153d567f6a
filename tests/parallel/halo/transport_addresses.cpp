// A transport serves any fields of its channels: what it keeps for an address, or for the distance between
// two fields, must not be used for another. Fields are exchanged in turns, more of them than any transport
// remembers.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/environment.hpp"
#include "support/halo_values.hpp"

namespace {

using namespace groundswell;
using namespace halo::test;
using halo::Field;

class HaloAddresses : public testing::TestWithParam<std::string> {
protected:
    parallel::Environment mpi{};
};

constexpr std::array order_of_use = {0, 1, 0, 1, 2, 3, 4, 5, 6, 0, 6, 1, 1, 5};

TEST_P(HaloAddresses, FieldsTakeTurns) {
    for (const halo::Memory memory : {halo::Memory::own, halo::Memory::shared}) {
        const Part part = random_part(mpi.rank(), mpi.size(), 1, 120, Order::grouped, 31);
        const auto plan = make_plan(mpi.comm(), part);
        std::vector<Field<float>> fields;
        for (int i = 0; i < 7; ++i) fields.emplace_back(*plan, 9, 0, memory);
        const auto transport = halo::make_transport(GetParam(), plan, fields[0].channel());
        int round = 0;
        for (const int i : order_of_use) {
            fill_owned(fields[static_cast<std::size_t>(i)], part, ++round);
            // A transport that exchanges another field than it was given leaves this one without its halo.
            transport->start(fields[static_cast<std::size_t>(i)].data());
            transport->finish();
            expect_exchanged(fields[static_cast<std::size_t>(i)], part, round, "field " + std::to_string(i));
        }
    }
}

// Ranks whose messages land in place, and ranks whose do not, take turns with the same fields.
TEST_P(HaloAddresses, RanksMayReceiveInDifferentWays) {
    const Part part = random_part(mpi.rank(), mpi.size(), 0, 120,
                                  mpi.rank() % 2 == 0 ? Order::grouped : Order::shuffled, 32);
    const auto plan = make_plan(mpi.comm(), part);
    Field<double> first(*plan, 4), second(*plan, 4);
    const auto transport = halo::make_transport(GetParam(), plan, first.channel());
    for (int round = 0; round < 4; ++round) {
        Field<double>& field = round % 2 == 0 ? first : second;
        fill_owned(field, part, round);
        transport->start(field.data());
        transport->finish();
        expect_exchanged(field, part, round, "round " + std::to_string(round));
    }
}

TEST_P(HaloAddresses, SeveralFieldsTakeTurns) {
    const Part part = random_part(mpi.rank(), mpi.size(), 0, 90, Order::grouped, 33);
    const auto plan = make_plan(mpi.comm(), part);
    std::vector<Field<float>> first;
    std::vector<Field<double>> second;
    for (int i = 0; i < 7; ++i) {
        first.emplace_back(*plan, 24, 28);
        second.emplace_back(*plan, 3);
    }
    const auto wishes = random_selection<float>(part, 2, 12, 34);
    halo::Channel selecting = first[0].channel();
    selecting.selection = wishes;
    const auto transport = halo::make_transport(GetParam(), plan, {selecting, second[0].channel()});
    int round = 0;
    for (const int i : order_of_use) {
        Field<float>& a = first[static_cast<std::size_t>(i)];
        Field<double>& b = second[static_cast<std::size_t>((3 * i + round) % 7)];
        fill_owned(a, part, ++round);
        fill_owned(b, part, round + 50);
        const std::vector<void*> bases{a.data(), b.data()};
        transport->start(bases);
        transport->poll();
        transport->finish();
        expect_exchanged(a, part, round, "a", transport->selects() ? wishes.get() : nullptr);
        expect_exchanged(b, part, round + 50, "b");
    }
}

INSTANTIATE_TEST_SUITE_P(All, HaloAddresses, testing::ValuesIn(all_transports()),
                         [](const auto& test) { return identifier(test.param); });

}  // namespace
