// SIGTERM while METIS cuts: METIS would take the signal for itself and could hang, and a run has to hear of it.
#include <gtest/gtest.h>
#include <sys/time.h>

#include <csignal>

#include "groundswell/graph/cut/metis_call.hpp"

namespace {

using namespace groundswell::graph;

volatile std::sig_atomic_t heard = 0;

// A square of cells with four neighbours each.
Graph square(std::int32_t side) {
    Graph graph;
    for (std::int32_t c = 0; c < side * side; ++c) {
        if (c % side > 0) graph.neighbour.push_back(c - 1);
        if (c % side < side - 1) graph.neighbour.push_back(c + 1);
        if (c >= side) graph.neighbour.push_back(c - side);
        if (c < side * (side - 1)) graph.neighbour.push_back(c + side);
        graph.end_row();
    }
    return graph;
}

TEST(Termination, WaitsUntilMetisHasCut) {
    const auto before = std::signal(SIGTERM, [](int) { heard = heard + 1; });
    std::signal(SIGALRM, [](int) { std::raise(SIGTERM); });
    itimerval soon{};
    soon.it_value.tv_usec = 30000;  // METIS takes about ten times as long
    setitimer(ITIMER_REAL, &soon, nullptr);
    const std::vector<double> share(64, 1.0 / 64);
    const auto part = call_metis(square(400), share, {0.03}, Scheme::connected, first_seed);
    const bool rang_in_time = heard == 1;
    itimerval left{};
    getitimer(ITIMER_REAL, &left);
    std::signal(SIGTERM, before);
    ASSERT_EQ(left.it_value.tv_usec, 0) << "METIS was done before the signal came";
    EXPECT_TRUE(rang_in_time);
    EXPECT_EQ(part, call_metis(square(400), share, {0.03}, Scheme::connected, first_seed));
}

}  // namespace
