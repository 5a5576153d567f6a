// What stands at needed ids is added to their owners' values: with an order, the bits of one rank's sum on any
// number of ranks; without, the same bits by every transport and whenever messages come.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/environment.hpp"
#include "support/halo_values.hpp"

namespace {

using namespace groundswell;
using halo::Field;
using halo::Memory;
using halo::test::identifier;

std::vector<std::string> adding_transports() {
    std::vector<std::string> names = halo::test::all_transports();
    std::erase(names, "datatypes");
    return names;
}

// A mesh of triangles: nodes of a square grid, two cells a square. Cells and nodes are dealt out by lot.
constexpr int side = 12;
constexpr std::int64_t cells = std::int64_t{2} * side * side, nodes = std::int64_t{side + 1} * (side + 1);
constexpr std::size_t values = 3;

std::array<std::int64_t, 3> corners(std::int64_t cell) {
    const std::int64_t x = cell / 2 % side, y = cell / 2 / side, low = y * (side + 1) + x;
    const std::int64_t high = low + side + 2;
    return cell % 2 == 0 ? std::array{low, low + 1, high} : std::array{low, high, low + side + 1};
}

// Sums of these depend on their order.
template <class T>
T contribution(std::int64_t cell, std::int64_t node, std::size_t v, int round) {
    const double x = std::sin(static_cast<double>(1 + 7 * cell + 3 * node) + static_cast<double>(v)) *
                     std::pow(10.0, static_cast<double>((cell * 5 + node + round) % 7));
    return static_cast<T>(std::is_floating_point_v<T> ? x : 1e3 * x);
}

template <class T>
T start_value(std::int64_t node) {
    return static_cast<T>(0.1 * static_cast<double>(node));
}

int owner_of_cell(std::int64_t cell, int ranks) {
    return static_cast<int>(cell * 31 % 17 % ranks);
}
int owner_of_node(std::int64_t node, int ranks) {
    return static_cast<int>(node * 13 % 11 % ranks);
}

/// This rank's nodes, and what its cells contribute to any.
struct Share {
    std::vector<std::int64_t> owned, needed, cell;  // needed: a node for each contribution, cell: whose it is

    Share(int rank, int ranks) {
        for (std::int64_t node = 0; node < nodes; ++node)
            if (owner_of_node(node, ranks) == rank) owned.push_back(node);
        for (std::int64_t one = cells - 1; one >= 0; --one) {
            if (owner_of_cell(one, ranks) != rank) continue;
            for (const std::int64_t node : corners(one)) {
                needed.push_back(node);
                cell.push_back(one);
            }
        }
    }
};

class HaloAddition : public testing::TestWithParam<std::string> {
protected:
    parallel::Environment mpi{};

    template <class T>
    std::vector<T> sums_of_one_rank(int round) {
        std::vector<T> sums;
        for (std::int64_t node = 0; node < nodes; ++node)
            sums.insert(sums.end(), values, start_value<T>(node));
        for (std::int64_t cell = 0; cell < cells; ++cell)
            for (const std::int64_t node : corners(cell))
                for (std::size_t v = 0; v < values; ++v)
                    sums[static_cast<std::size_t>(node) * values + v] +=
                        contribution<T>(cell, node, v, round);
        return sums;
    }

    template <class T>
    void fill(Field<T>& field, const Share& share, int round) {
        for (std::size_t i = 0; i < share.owned.size(); ++i)
            for (std::size_t v = 0; v < values; ++v)
                field[static_cast<std::int32_t>(i)][v] = start_value<T>(share.owned[i]);
        for (std::size_t q = 0; q < share.needed.size(); ++q)
            for (std::size_t v = 0; v < values; ++v)
                field[static_cast<std::int32_t>(share.owned.size() + q)][v] =
                    contribution<T>(share.cell[q], share.needed[q], v, round);
    }

    template <class T>
    std::int64_t differing(const Field<T>& field, const Share& share, const std::vector<T>& sums) {
        std::int64_t wrong = 0;
        for (std::size_t i = 0; i < share.owned.size(); ++i)
            wrong += std::memcmp(field[static_cast<std::int32_t>(i)].data(),
                                 &sums[static_cast<std::size_t>(share.owned[i]) * values],
                                 values * sizeof(T)) != 0;
        return wrong;
    }

    template <class T>
    void add_up(Memory memory) {
        const Share share(mpi.rank(), mpi.size());
        const auto plan = std::make_shared<const halo::Plan>(mpi.comm(), share.owned, share.needed);
        Field<T> field(*plan, values, values + 1, memory);
        halo::Channel channel = field.channel();
        channel.addition = halo::addition_of<T>(share.cell);
        const auto transport = halo::make_transport(GetParam(), plan, channel);
        std::mt19937 random(static_cast<unsigned>(mpi.rank()));
        for (int round = 0; round < 4; ++round) {
            fill(field, share, round);
            if (random() % 2 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 1000));
            transport->start(field.data());
            if (round == 1)
                while (!transport->poll()) std::this_thread::yield();
            transport->finish();
            EXPECT_EQ(differing(field, share, sums_of_one_rank<T>(round)), 0) << "round " << round;
            for (std::size_t q = 0; q < share.needed.size(); ++q)
                ASSERT_EQ(field[static_cast<std::int32_t>(share.owned.size() + q)][0],
                          contribution<T>(share.cell[q], share.needed[q], 0, round))
                    << "contributions stay";
        }
    }
};

TEST_P(HaloAddition, SumsOverCellsHaveTheBitsOfOneRank) {
    for (const Memory memory : {Memory::own, Memory::shared}) {
        add_up<float>(memory);
        add_up<double>(memory);
        add_up<std::int32_t>(memory);
        add_up<std::int64_t>(memory);
    }
}

// Two hosts, so that some contributions come by message and some are read.
TEST_P(HaloAddition, AcrossHostsToo) {
    if (mpi.size() == 1) GTEST_SKIP() << "one rank is on one host";
    setenv("GROUNDSWELL_TEST_HOSTS", "2", 1);
    add_up<double>(Memory::own);
    unsetenv("GROUNDSWELL_TEST_HOSTS");
}

// Each rank adds up its own first; then what the owners get is what `posted` gives them, always.
TEST_P(HaloAddition, WithoutAnOrderItIsThatOfTheRanks) {
    const Share share(mpi.rank(), mpi.size());
    std::vector<std::int64_t> touched = share.needed;
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    const auto plan = std::make_shared<const halo::Plan>(mpi.comm(), share.owned, touched);
    std::vector<Field<double>> fields;
    for (const std::string& name : {std::string("posted"), GetParam()}) {
        Field<double>& field = fields.emplace_back(*plan, values);
        const halo::Channel ordinary = field.channel();
        halo::Channel adding = ordinary;
        adding.addition = halo::addition_of<double>();
        const auto transport = halo::make_transport(name, plan, {adding, adding});
        Field<double> second(*plan, values);
        for (Field<double>* one : {&field, &second}) {
            for (std::size_t i = 0; i < share.owned.size(); ++i)
                (*one)[static_cast<std::int32_t>(i)][0] = 0.1;
            for (std::size_t q = 0; q < share.needed.size(); ++q) {
                const auto at =
                    std::lower_bound(touched.begin(), touched.end(), share.needed[q]) - touched.begin();
                for (std::size_t v = 0; v < values; ++v)
                    (*one)[plan->owned() + static_cast<std::int32_t>(at)][v] +=
                        contribution<double>(share.cell[q], share.needed[q], v, 0);
            }
        }
        const std::vector<void*> bases{field.data(), second.data()};
        transport->start(bases);
        transport->finish();
        EXPECT_EQ(std::memcmp(field.data(), second.data(),
                              static_cast<std::size_t>(field.ids()) * values * sizeof(double)),
                  0);
    }
    EXPECT_EQ(std::memcmp(fields[0].data(), fields[1].data(),
                          static_cast<std::size_t>(fields[0].ids()) * values * sizeof(double)),
              0);
}

INSTANTIATE_TEST_SUITE_P(All, HaloAddition, testing::ValuesIn(adding_transports()),
                         [](const auto& test) { return identifier(test.param); });

TEST(HaloAdditionOf, WrongOnesAreRefusedOnAllRanks) {
    parallel::Environment mpi;
    const Share share(mpi.rank(), mpi.size());
    const auto plan = std::make_shared<const halo::Plan>(mpi.comm(), share.owned, share.needed);
    const auto refusal = [&](const std::string& name, std::size_t bytes,
                             const std::shared_ptr<const halo::Addition>& addition) -> std::string {
        halo::Channel channel{bytes, 32};
        channel.addition = addition;
        try {
            halo::make_transport(name, plan, channel);
        } catch (const base::Refusal& error) {
            return error.what();
        }
        return "";
    };
    const auto expect = [&](const std::string& message, const std::string& words) {
        EXPECT_NE(message.find(words), std::string::npos) << message;
    };
    std::vector<std::int64_t> some = share.cell;
    if (mpi.rank() == mpi.size() - 1) some.pop_back();
    expect(refusal("posted", 24, halo::addition_of<double>(some)), "order of addition = ");
    expect(refusal("posted", 12, halo::addition_of<double>()),
           "bytes added to an id = 12: expected a multiple of the 8");
    expect(refusal("datatypes", 24, halo::addition_of<double>()),
           "so nothing is added: use shared, posted, ");
    if (mpi.size() > 1) {
        std::vector<std::int64_t> none;
        expect(refusal("posted", 24, halo::addition_of<double>(mpi.rank() == 0 ? none : share.cell)),
               "order of addition = 0 numbers");
    }
    Field<double> field(*plan, values);
    halo::Channel channel = field.channel();
    channel.addition = halo::addition_of<double>();
    EXPECT_NE(halo::make_transport("auto", plan, channel, field.data())->name(), "datatypes");
}

}  // namespace
