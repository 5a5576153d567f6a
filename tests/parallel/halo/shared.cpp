// The transport `shared`: the bits of the owner, whether they are read where they lie or through a buffer, on
// one host or several; owners write again the moment finish returns; too little room is told and mended; and
// nothing stays behind in /dev/shm.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/measure.hpp"
#include "groundswell/halo/field.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/halo_values.hpp"

namespace {

using namespace groundswell;
using namespace halo::test;
using halo::Field;
using halo::Memory;

/// An environment variable for the time of a scope.
class Variable {
public:
    Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
    ~Variable() { unsetenv(name_); }

private:
    const char* name_;
};

class HaloShared : public testing::Test {
protected:
    parallel::Environment mpi{};

    Part part(int ids, Order order = Order::grouped, int idle = 0, unsigned seed = 31) {
        return random_part(mpi.rank(), mpi.size(), idle, ids, order, seed);
    }

    template <class T>
    void exchange(const Part& part, std::size_t values, std::size_t stride) {
        const auto plan = make_plan(mpi.comm(), part);
        Field<T> field(*plan, values, stride, Memory::shared);
        const auto transport = halo::make_transport("shared", plan, field.channel());
        ASSERT_EQ(transport->name(), "shared");
        for (int round = 0; round < 3; ++round) {
            fill_owned(field, part, round);
            transport->poll();
            transport->start(field.data());
            for (int i = 0; i < round; ++i) transport->poll();
            transport->finish();
            expect_exchanged(field, part, round, "round " + std::to_string(round));
        }
        if (field.memory() == Memory::shared) {
            EXPECT_EQ(transport->clock().pack, 0.0) << "read where it lies";
        }
    }

    /// What rank 0 writes on standard error while all ranks do this.
    template <class Work>
    std::string standard_error_of(const Work& work) {
        testing::internal::CaptureStderr();
        work();
        return testing::internal::GetCapturedStderr();
    }
};

TEST_F(HaloShared, FieldsAreSharedWhereNeighboursShareAHost) {
    const auto plan = make_plan(mpi.comm(), part(100));
    Field<float> own(*plan, 7, 8);
    Field<float> shared(*plan, 7, 8, Memory::shared);
    EXPECT_EQ(own.memory(), Memory::own);
    EXPECT_EQ(shared.memory(), mpi.size() > 1 ? Memory::shared : Memory::own);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(shared.data()) % 64, 0U);
    const auto values = static_cast<std::size_t>(shared.ids()) * shared.stride();
    EXPECT_EQ(std::count(shared.data(), shared.data() + values, 0.0f), static_cast<std::ptrdiff_t>(values));
    Field<float> moved = std::move(shared);
    EXPECT_EQ(moved.memory(), mpi.size() > 1 ? Memory::shared : Memory::own);

    const Variable hosts("GROUNDSWELL_TEST_HOSTS", std::to_string(mpi.size()));
    EXPECT_EQ(Field<float>(*plan, 1, 0, Memory::shared).memory(), Memory::own) << "nobody could read it";
}

TEST_F(HaloShared, ReadsTheBitsOfTheOwnerWhereTheyLie) {
    for (const Order order : {Order::grouped, Order::shuffled}) {
        for (int idle = 0; idle < 3; ++idle) {
            exchange<float>(part(200, order, idle), 20, 0);
            exchange<double>(part(200, order, idle), 1, 0);
            exchange<float>(part(200, order, idle), 5, 8);  // padded
            exchange<Odd>(part(200, order, idle), 3, 0);
            exchange<char>(part(200, order, idle), 1, 0);
        }
    }
    exchange<float>(part(1000), 1260, 0);
}

TEST_F(HaloShared, RanksWithoutIdsOrNeighboursTakePart) {
    exchange<float>({}, 3, 0);
    exchange<float>({{mpi.rank()}, {}}, 3, 0);
    // Only rank 0 needs anything, and only from the last.
    const bool first = mpi.rank() == 0;
    exchange<float>(
        {{mpi.rank()}, first ? std::vector<std::int64_t>{mpi.size() - 1} : std::vector<std::int64_t>{}}, 3,
        0);
}

TEST_F(HaloShared, AnIdOfItsOwnAndAnIdTwice) {
    exchange<double>({{mpi.rank()}, {mpi.rank(), (mpi.rank() + 1) % mpi.size(), mpi.rank()}}, 2, 0);
}

TEST_F(HaloShared, ReadsTheWantedValuesAlone) {
    for (const Order order : {Order::grouped, Order::shuffled}) {
        const Part mine = part(150, order);
        const auto plan = make_plan(mpi.comm(), mine);
        Field<float> a(*plan, 35 * 36, 35 * 36 + 4, Memory::shared);
        Field<double> b(*plan, 3, 0, Memory::shared);
        const auto wishes = random_selection<float>(mine, 35, 36, 5U + static_cast<unsigned>(mpi.rank()));
        halo::Channel selecting = a.channel();
        selecting.selection = wishes;
        const auto transport = halo::make_transport("shared", plan, std::vector{selecting, b.channel()});
        for (int round = 0; round < 3; ++round) {
            fill_owned(a, mine, round);
            fill_owned(b, mine, round);
            const std::vector<void*> bases{a.data(), b.data()};
            transport->start(bases);
            transport->finish();
            expect_exchanged(a, mine, round, "a", transport->selects() ? wishes.get() : nullptr);
            expect_exchanged(b, mine, round, "b");
        }
        if (mpi.size() > 1) {
            EXPECT_EQ(transport->clock().pack, 0.0);
        }
    }
}

// A model has two states that take turns, and writes the old one the moment its exchange is finished. Ranks
// are late by random times.
TEST_F(HaloShared, OwnersMayWriteOnceFinished) {
    const Part mine = part(300);
    const auto plan = make_plan(mpi.comm(), mine);
    Field<float> first(*plan, 800, 0, Memory::shared), second(*plan, 800, 0, Memory::shared);
    const auto transport = halo::make_transport("shared", plan, first.channel());
    std::mt19937 random(static_cast<unsigned>(mpi.rank()));
    const auto be_late = [&] {
        if (random() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000));
    };
    for (int round = 0; round < 100; ++round) {
        Field<float>& field = round % 3 == 0 ? first : second;
        fill_owned(field, mine, round);
        be_late();
        transport->start(field.data());
        if (round % 2 == 0) transport->poll();
        be_late();
        transport->finish();
        for (std::size_t i = 0; i < mine.owned.size(); ++i)
            std::fill_n(field[static_cast<std::int32_t>(i)].data(), field.values(), -1.0f);
        be_late();
        std::int64_t wrong = 0;
        for (std::size_t q = 0; q < mine.needed.size(); ++q) {
            const auto values = field[plan->owned() + static_cast<std::int32_t>(q)];
            for (std::size_t v = 0; v < values.size(); ++v)
                wrong += !halo::test::same(values[v], halo::test::truth<float>(mine.needed[q], v, round));
        }
        ASSERT_EQ(wrong, 0) << "round " << round;
    }
}

// Memory of the caller's own, fields of another plan, and what differs from rank to rank go through the
// buffer.
TEST_F(HaloShared, AnyMemoryWillDo) {
    const Part mine = part(200);
    const auto plan = make_plan(mpi.comm(), mine);
    // As many ids, but all of them its own: only rank 0 has a neighbour, for one id.
    Part among_itself = mine;
    for (std::size_t q = mpi.rank() == 0 ? 1 : 0; q < mine.needed.size(); ++q)
        among_itself.needed[q] = mine.owned.front();
    const auto other_plan = make_plan(mpi.comm(), among_itself);
    Field<float> shared(*plan, 6, 0, Memory::shared);
    Field<float> others(*other_plan, 6, 0, Memory::shared);
    Field<float> own(*plan, 6);
    const auto transport = halo::make_transport("shared", plan, own.channel());
    const std::vector<Field<float>*> fields{&own, &shared, &others};
    for (int round = 0; round < 12; ++round) {
        Field<float>& field = round < 6 ? *fields[static_cast<std::size_t>(round % 3)]
                                        : *fields[static_cast<std::size_t>((round + mpi.rank()) % 3)];
        fill_owned(field, mine, round);
        transport->start(field.data());
        transport->finish();
        expect_exchanged(field, mine, round, "round " + std::to_string(round));
    }
    const auto two = halo::make_transport("shared", plan, std::vector{shared.channel(), own.channel()});
    fill_owned(shared, mine, 1);
    fill_owned(own, mine, 2);
    const std::vector<void*> bases{shared.data(), own.data()};
    two->start(bases);
    two->finish();
    expect_exchanged(shared, mine, 1, "shared beside own");
    expect_exchanged(own, mine, 2, "own beside shared");
}

// Part of each block, from the middle on: the base of the exchange is not the field's beginning.
TEST_F(HaloShared, PartOfABlock) {
    const Part mine = part(200);
    const auto plan = make_plan(mpi.comm(), mine);
    Field<float> field(*plan, 10, 0, Memory::shared);
    const auto transport =
        halo::make_transport("shared", plan, halo::Channel{4 * sizeof(float), 10 * sizeof(float)});
    fill_owned(field, mine, 3);
    transport->start(field.data() + 5);
    transport->finish();
    std::int64_t wrong = 0;
    for (std::size_t q = 0; q < mine.needed.size(); ++q) {
        const auto values = field[plan->owned() + static_cast<std::int32_t>(q)];
        float untouched = 0.0f;
        std::memset(&untouched, halo::test::untouched, sizeof untouched);
        for (std::size_t v = 0; v < 10; ++v) {
            const bool brought = v >= 5 && v < 9;
            wrong += !halo::test::same(values[v],
                                       brought ? halo::test::truth<float>(mine.needed[q], v, 3) : untouched);
        }
    }
    EXPECT_EQ(wrong, 0);
    if (mpi.size() > 1) {
        EXPECT_EQ(transport->clock().pack, 0.0);
    }
}

TEST_F(HaloShared, FieldsEndInAnyOrder) {
    const Part mine = part(200);
    const auto plan = make_plan(mpi.comm(), mine);
    std::vector<std::unique_ptr<Field<float>>> fields;
    const auto add = [&] { fields.push_back(std::make_unique<Field<float>>(*plan, 5, 0, Memory::shared)); };
    for (int i = 0; i < 4; ++i) add();
    const auto transport = halo::make_transport("shared", plan, fields[0]->channel());
    for (int round = 0; round < 6; ++round) {
        for (const auto& field : fields) {
            fill_owned(*field, mine, round);
            transport->start(field->data());
            transport->finish();
            expect_exchanged(*field, mine, round, "round " + std::to_string(round));
        }
        // Each rank drops the same two in an order of its own; new ones may come to lie where they were.
        const int odd = (mpi.rank() + round) % 2;
        fields[static_cast<std::size_t>(odd)].reset();
        fields[static_cast<std::size_t>(1 - odd)].reset();
        fields.erase(fields.begin(), fields.begin() + 2);
        add();
        add();
    }
}

TEST_F(HaloShared, HostsMixReadingAndMessages) {
    for (int hosts = 1; hosts <= mpi.size(); ++hosts) {
        for (const char* order : {"", ",round-robin"}) {
            const Variable pretended("GROUNDSWELL_TEST_HOSTS", std::to_string(hosts) + order);
            for (const Order ids : {Order::grouped, Order::shuffled}) {
                const Part mine = part(200, ids);
                const auto plan = make_plan(mpi.comm(), mine);
                for (const Memory memory : {Memory::own, Memory::shared}) {
                    Field<float> field(*plan, 12, 0, memory);
                    const auto transport = halo::make_transport("shared", plan, field.channel());
                    EXPECT_EQ(transport->name(), "shared");
                    for (int round = 0; round < 3; ++round) {
                        fill_owned(field, mine, round);
                        transport->start(field.data());
                        if (round == 1) transport->poll();
                        transport->finish();
                        expect_exchanged(field, mine, round, std::to_string(hosts) + " hosts");
                    }
                }
            }
        }
    }
}

// A process warns once, so this stands before the other tests with little room.
TEST_F(HaloShared, ManyIdsInLittleRoomUseMessages) {
    const Part mine = part(2000);
    const auto plan = make_plan(mpi.comm(), mine);
    const Variable room("GROUNDSWELL_TEST_SHM", "3kB");
    std::unique_ptr<halo::Transport> transport;
    std::optional<Field<float>> field;
    const std::string said = standard_error_of([&] {
        transport = halo::make_transport("shared", plan, halo::channel_of<float>(100));
        halo::make_transport("shared", plan, halo::channel_of<float>(200));
        field.emplace(*plan, 100, 0, Memory::shared);
        Field<float> another(*plan, 100, 0, Memory::shared);
    });
    EXPECT_EQ(transport->name(), "posted");
    EXPECT_EQ(field->memory(), Memory::own);
    fill_owned(*field, mine, 1);
    transport->start(field->data());
    transport->finish();
    expect_exchanged(*field, mine, 1, "after falling back");
    if (mpi.rank() != 0) {
        EXPECT_EQ(said, "");
        return;
    }
    const auto page = static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
    EXPECT_NE(said.find("warning: halo transport shared: "), std::string::npos) << said;
    EXPECT_NE(said.find("posted is used instead"), std::string::npos) << said;
    EXPECT_EQ(said.find("posted is used instead"), said.rfind("posted is used instead")) << "said once";
    EXPECT_NE(said.find(": 2.93 KiB can be had in /dev/shm"), std::string::npos) << said;
    if (mpi.size() == 1) {
        EXPECT_NE(said.find(base::size_text(page) + " of shared memory are wanted on host"),
                  std::string::npos)
            << said;
        return;
    }
    const std::string own_memory = "fields are kept in each rank's own memory";
    EXPECT_NE(said.find(own_memory), std::string::npos) << said;
    EXPECT_EQ(said.find(own_memory), said.rfind(own_memory)) << "said once: " << said;
}

// Room is what all ranks of a host want together, and what was let go of can be had again.
TEST_F(HaloShared, RoomIsCountedOverAHost) {
    if (mpi.size() == 1) GTEST_SKIP() << "fields of one rank are not shared";
    const auto plan = make_plan(mpi.comm(), part(100));
    const std::size_t values = 100000 / static_cast<std::size_t>(std::max(plan->owned() + plan->needed(), 1));
    // About 400 kB a rank.
    const auto make = [&] { return Field<float>(*plan, values, 0, Memory::shared); };
    const Variable room("GROUNDSWELL_TEST_SHM", std::to_string(600 * mpi.size()) + "kB");
    for (int i = 0; i < 3; ++i) {
        const Field<float> first = make();
        EXPECT_EQ(first.memory(), Memory::shared);
        const Field<float> second = make();
        EXPECT_EQ(second.memory(), Memory::own) << "the first holds more than half";
    }
}

TEST_F(HaloShared, PretendedRoomMustBeASize) {
    const auto plan = make_plan(mpi.comm(), part(100));
    for (const char* wrong : {"64", "MB", "-1MB", "64 mb", "64MiB"}) {
        const Variable room("GROUNDSWELL_TEST_SHM", wrong);
        try {
            halo::make_transport("shared", plan, halo::channel_of<float>(1));
            ADD_FAILURE() << "not refused: " << wrong;
        } catch (const base::Refusal& error) {
            EXPECT_NE(std::string(error.what()).find("GROUNDSWELL_TEST_SHM = " + std::string(wrong)),
                      std::string::npos)
                << error.what();
        }
    }
}

TEST_F(HaloShared, LeavesNoNameBehind) {
    const Part mine = part(100);
    const auto plan = make_plan(mpi.comm(), mine);
    Field<float> field(*plan, 5, 0, Memory::shared);
    const auto transport = halo::make_transport("shared", plan, field.channel());
    // Names begin with the process that drew them: look for those of any rank here, while all is in use.
    const std::string begin = "groundswell-" + std::to_string(getpid()) + "-";
    int names = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
        names += entry.path().filename().string().starts_with(begin);
    EXPECT_EQ(names, 0);
}

}  // namespace
