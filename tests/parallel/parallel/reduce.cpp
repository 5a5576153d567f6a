// Reductions give all ranks one result whose bits do not depend on how the values are spread.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace {

using namespace groundswell;

class Reduce : public testing::Test {
protected:
    parallel::Environment mpi{};

    /// Values of widely different size, the same on every rank.
    static std::vector<double> values() {
        std::mt19937_64 random(1);
        std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
        std::vector<double> all(5000);
        for (double& value : all)
            value = std::ldexp(mantissa(random), static_cast<int>(random() % 200) - 100);
        return all;
    }
};

TEST_F(Reduce, SumHasTheBitsOfTheSerialSumInAnyDistribution) {
    std::vector<double> all = values();
    parallel::ExactSum serial;
    serial.add(all);
    std::mt19937_64 random(2);
    for (int trial = 0; trial < 4; ++trial) {
        std::shuffle(all.begin(), all.end(), random);
        std::vector<double> mine;
        for (std::size_t i = 0; i < all.size(); ++i) {
            // Blocks, cyclic, all on the last rank, and at random.
            const auto n = static_cast<std::size_t>(mpi.size());
            const std::size_t owner = trial == 0   ? i * n / all.size()
                                      : trial == 1 ? i % n
                                      : trial == 2 ? n - 1
                                                   : random() % n;
            if (owner == static_cast<std::size_t>(mpi.rank())) mine.push_back(all[i]);
        }
        EXPECT_EQ(std::bit_cast<std::uint64_t>(parallel::sum(mpi.comm(), mine)),
                  std::bit_cast<std::uint64_t>(serial.value()));
    }
}

TEST_F(Reduce, TiesGoToTheLowestId) {
    // Every rank has the same value; ids fall with the rank.
    const std::int64_t id = 100 - mpi.rank();
    EXPECT_EQ(parallel::min_located(mpi.comm(), {1.5, id}).id, 101 - mpi.size());
    EXPECT_EQ(parallel::max_located(mpi.comm(), {1.5, id}).id, 101 - mpi.size());
    EXPECT_EQ(parallel::max_located(mpi.comm(), {static_cast<double>(mpi.rank()), id}).id, 101 - mpi.size());
    EXPECT_EQ(parallel::min_located(mpi.comm(), {static_cast<double>(mpi.rank()), id}).id, 100);
}

TEST_F(Reduce, RanksWithoutAValueDoNotCount) {
    const bool last = mpi.rank() == mpi.size() - 1;
    const parallel::Located mine = last ? parallel::Located{4.0, 8} : parallel::Located{};
    EXPECT_EQ(parallel::min_located(mpi.comm(), mine).value, 4.0);
    EXPECT_EQ(parallel::max_located(mpi.comm(), {}).id, parallel::Located::no_id);
}

TEST_F(Reduce, StatisticOverRanks) {
    const parallel::Statistic s = parallel::statistic(mpi.comm(), mpi.rank() + 1.0);
    EXPECT_EQ(s.min, 1.0);
    EXPECT_EQ(s.mean, (mpi.size() + 1) / 2.0);
    EXPECT_EQ(s.max, mpi.size());
}

TEST_F(Reduce, ProfileAddsUpPhases) {
    parallel::Profile profile;
    const parallel::Phase work = profile.add_phase("work", parallel::PhaseKind::computing);
    profile.add(work, 1.0);
    profile.add(work, 1.0 + mpi.rank());
    profile.start();
    { const parallel::PhaseTimer timer(profile, parallel::Phase::output); }
    profile.stop();
    const std::vector<parallel::Statistic> phases = profile.over_ranks(mpi.comm());
    ASSERT_EQ(phases.size(), static_cast<std::size_t>(profile.phases()));
    const auto source = phases[static_cast<std::size_t>(work)];
    EXPECT_EQ(source.min, 2.0);
    EXPECT_EQ(source.max, mpi.size() + 1.0);
    EXPECT_GT(phases[static_cast<std::size_t>(parallel::Phase::output)].min, 0.0);
    EXPECT_EQ(phases[static_cast<std::size_t>(parallel::Phase::setup)].max, 0.0);
    EXPECT_EQ(profile.name(parallel::Phase::exchange_unpack), "exchange_unpack");
    EXPECT_EQ(profile.name(work), "work");
    EXPECT_EQ(profile.computing().seconds, 2.0 + mpi.rank());
    EXPECT_THROW(profile.add_phase("output", parallel::PhaseKind::service), base::Defect);
}

void spin(double seconds) {
    for (const double begin = parallel::now(); parallel::now() - begin < seconds;) continue;
}

// Whatever is nested in what, and whoever claims nothing: the phases are the wall clock.
TEST_F(Reduce, PhasesAddUpToTheWallClock) {
    using parallel::Phase;
    parallel::Profile profile;
    const Phase forcing = profile.add_phase("forcing", parallel::PhaseKind::service);
    const Phase source = profile.add_phase("source", parallel::PhaseKind::computing);
    {
        const parallel::PhaseTimer before(profile, forcing);
        spin(0.01);
    }
    EXPECT_EQ(profile.seconds(forcing), 0.0) << "not started yet";
    const double begin = parallel::now();
    profile.start();
    spin(0.02);
    {
        const parallel::PhaseTimer computing(profile, source);
        spin(0.03);
        {
            const parallel::PhaseTimer reading(profile, forcing);
            spin(0.01);
        }
        profile.move(source, Phase::exchange_pack, 0.005);
    }
    profile.stop();
    const double wall = parallel::now() - begin;
    spin(0.01);
    double sum = 0.0;
    for (int phase = 0; phase < profile.phases(); ++phase) sum += profile.seconds(static_cast<Phase>(phase));
    EXPECT_NEAR(sum, wall, 1e-4);
    EXPECT_GE(profile.seconds(source), 0.025);
    EXPECT_GE(profile.seconds(forcing), 0.01);
    EXPECT_GE(profile.seconds(Phase::other), 0.02);
    EXPECT_EQ(profile.seconds(Phase::exchange_pack), 0.005);
    const parallel::Profile::Computing computing = profile.computing();
    EXPECT_GT(computing.processor_seconds, 0.0);
    EXPECT_LE(computing.processor_seconds, profile.seconds(source) + 0.005 + 1e-4)
        << "of what computes alone";
    EXPECT_EQ(computing.even_processor_seconds, 0.0);
}

TEST_F(Reduce, PeakMemoryGrowsWithWhatIsTouched) {
    const std::int64_t before = parallel::peak_memory_bytes();
    constexpr std::int64_t more = 64 << 20;
    std::vector<char> touched(static_cast<std::size_t>(before + more), 1);
    EXPECT_GE(parallel::peak_memory_bytes(), before + more);
    EXPECT_EQ(touched.back(), 1);
}

}  // namespace
