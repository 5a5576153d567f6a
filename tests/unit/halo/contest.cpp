#include "groundswell/halo/choose/contest.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

// The rules of a choice between transports, with exchanges of made-up lengths.
namespace groundswell::halo {
namespace {

// What exchange number `i` of a contestant takes.
struct Made {
    double seconds = 0.0;
    bool disturbed = false;
};
using Exchanges = std::function<Made(std::size_t who, int i)>;

struct Played {
    Contest contest;
    int taken = 0;  // exchanges, connections not counted
};

// Plays by the rules as choose_fastest() does; making a contestant and its first exchange take `set_up`.
Played play(std::size_t contestants, const Exchanges& exchanges, double set_up = 0.0) {
    Played played{Contest(contestants)};
    Contest& contest = played.contest;
    double time = 0.0;
    std::vector<int> number(contestants, 0);
    const auto exchange = [&](std::size_t who) {
        const Made made = exchanges(who, number[who]++);
        time += made.seconds;
        contest.add(who, {made.seconds, time, made.disturbed});
        ++played.taken;
    };
    for (std::size_t who = 0; who < contestants && contest.admits_another(); ++who) {
        contest.pass(time += set_up);
        while (contest.wants(who)) exchange(who);
    }
    const auto finalists = contest.finalists();
    while (contest.goes_on(finalists))
        for (const std::size_t who : finalists) exchange(who);
    return played;
}

std::vector<std::string> names(std::size_t contestants) {
    std::vector<std::string> all;
    for (std::size_t who = 0; who < contestants; ++who) all.push_back(fmt::format("t{}", who));
    return all;
}

TEST(HaloContest, IsWonByTheFastestWithoutDoubt) {
    const Played played = play(8, [](std::size_t who, int) { return Made{who == 5 ? 1e-4 : 3e-4, false}; });
    EXPECT_EQ(played.contest.winner(), 5U);
    EXPECT_EQ(played.contest.doubt(names(8)), "");
    EXPECT_LT(played.contest.elapsed(), Contest::bound);
}

// Whatever exchanges take, all of them together take no longer than the bound and one round of the last.
TEST(HaloContest, KeepsItsTime) {
    for (const double seconds : {1e-5, 1e-3, 0.01, 0.04, 0.2, 1.0})
        for (const double set_up : {0.0, 0.002, 0.03}) {
            const Played played = play(
                16,
                [&](std::size_t who, int) {
                    return Made{seconds * (1.0 + 0.01 * static_cast<double>(who)), true};
                },
                set_up);
            EXPECT_LE(played.contest.elapsed(), Contest::bound + 3.6 * seconds + set_up) << seconds;
            EXPECT_TRUE(played.contest.was_tried(played.contest.winner()));
        }
}

TEST(HaloContest, NeverChoosesWhatItsOwnFiguresShowAsSlower) {
    // Noise of a loaded machine, the same every time.
    unsigned state = 1;
    for (int game = 0; game < 200; ++game) {
        const Played played = play(8, [&](std::size_t, int) {
            state = state * 1664525u + 1013904223u;
            return Made{1e-4 * (1.0 + 20.0 * static_cast<double>(state >> 28)), (state >> 20) % 3 == 0};
        });
        const Contest& contest = played.contest;
        for (std::size_t who = 0; who < 8; ++who) {
            if (!contest.was_tried(who)) continue;
            EXPECT_LE(contest.seconds(contest.winner()), contest.seconds(who));
        }
    }
}

// The first exchanges of the faster one meet another program, and seem the longer ones: they are taken again.
TEST(HaloContest, TakesAgainWhatWasDisturbed) {
    const Played played = play(2, [](std::size_t who, int i) {
        if (who == 0) return Made{2e-4, false};
        return i < 3 ? Made{4e-3, true} : Made{1e-4, false};
    });
    EXPECT_EQ(played.contest.winner(), 1U);
    EXPECT_DOUBLE_EQ(played.contest.seconds(1), 1e-4);
}

TEST(HaloContest, TellsItsDoubt) {
    const Played close = play(2, [](std::size_t who, int i) {
        return Made{1e-4 * (1.0 + 0.1 * (i % 3)) + 1e-7 * static_cast<double>(who), false};
    });
    EXPECT_EQ(close.contest.doubt(names(2)), "t1 is as fast within the noise");
    const Played disturbed = play(2, [](std::size_t who, int) { return Made{who == 0 ? 1e-3 : 2e-3, true}; });
    EXPECT_NE(disturbed.contest.doubt(names(2)).find("lost their cores in"), std::string::npos);
    const Played slow = play(8, [](std::size_t who, int) {
        return Made{0.02 * static_cast<double>(who + 1), false};
    });
    EXPECT_EQ(slow.contest.winner(), 0U);
    EXPECT_NE(slow.contest.doubt(names(8)).find("had no time to be tried"), std::string::npos);
}

TEST(HaloContest, ForgetsWhoTurnedOutToBeNone) {
    Contest contest(2);
    contest.withdraw(0);
    EXPECT_TRUE(contest.admits_another());
    contest.add(1, {1.0, 1.0, false});
    EXPECT_EQ(contest.winner(), 1U);
    EXPECT_FALSE(contest.was_tried(0));
}

}  // namespace
}  // namespace groundswell::halo
