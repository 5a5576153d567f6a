// What `proxy` and `doctor` say of made-up rows of kernels.
#include "groundswell/cli/proxy/findings.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace groundswell::cli {
namespace {

using nlohmann::json;

json row(const char* name, int cells, double gflops, double gigabytes_per_second) {
    return {{"name", name},      {"cells", cells},        {"threads", 1},
            {"order", 4},        {"precision", "double"}, {"lanes_filled", 1.0},
            {"core_share", 1.0}, {"gflops", gflops},      {"gigabytes_per_second", gigabytes_per_second}};
}

simulation::KernelCircumstances usual() {
    simulation::KernelCircumstances at;
    at.isa = at.best_isa = "v3";
    return at;
}

json find_in(const std::vector<json>& rows, const simulation::KernelCircumstances& at = usual()) {
    return find_slow_kernels(
        json(rows),
        [](int threads) {
            return exec::MachineLimits{20.0, 50.0 * threads};
        },
        at);
}

TEST(ProxyFindings, SharesAreOfTheBoundThatIsReachedFirst) {
    json one = row("local", 100, 25.0, 2.0);
    add_shares(one, {20.0, 50.0});
    EXPECT_EQ(one["share_of_peak"], 0.5);
    EXPECT_EQ(one["share_of_stream"], 0.1);
    EXPECT_EQ(one["share_of_bound"], 0.5);
    json uncounted = row("fault", 100, 0.0, 0.0);
    uncounted["gflops"] = uncounted["gigabytes_per_second"] = nullptr;
    add_shares(uncounted, {20.0, 50.0});
    EXPECT_TRUE(uncounted["share_of_bound"].is_null());
    EXPECT_TRUE(find_in({uncounted}).empty());
}

TEST(ProxyFindings, AKernelIsNamedOnceWhereItIsSlowest) {
    const std::vector<json> rows = {row("local", 100, 25.0, 2.0), row("neighbour", 100, 5.0, 0.5),
                                    row("neighbour", 200, 4.0, 0.5), row("neighbour", 400, 6.0, 0.5),
                                    row("neighbour", 800, 11.0, 0.5)};
    const json found = find_in(rows);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0]["kernel"], "neighbour");
    EXPECT_EQ(found[0]["cells"], 200);
    EXPECT_EQ(found[0]["rows"], 3);
    EXPECT_EQ(found[0]["whole_phase"], false);
    EXPECT_EQ(found[0]["code"], "other-instructions");
    EXPECT_NEAR(found[0]["share"].get<double>(), 0.08, 1e-12);
    const std::string text = findings_text(found);
    EXPECT_NE(text.find("neighbour (4, double, 200 cells, 1 thread) reaches 8 % of what arithmetic allows"),
              std::string::npos)
        << text;
    EXPECT_EQ(findings_text(json::array()), "");
}

TEST(ProxyFindings, LimitsAreThoseOfAsManyThreads) {
    json two = row("local", 100, 15.0, 0.5);
    EXPECT_TRUE(find_in({two}).empty());
    two["threads"] = 2;
    EXPECT_EQ(find_in({two}).size(), 1u) << "15 of 100";
}

TEST(ProxyFindings, CoresThatWereNotHadAreTheCause) {
    json disturbed = row("local", 100, 5.0, 0.5);
    disturbed["core_share"] = 0.4;
    EXPECT_EQ(find_in({disturbed})[0]["code"], "disturbed-cores");
}

TEST(ProxyFindings, NarrowRegistersAreNamedEvenWhereAllKernelsAreFast) {
    simulation::KernelCircumstances at = usual();
    at.best_isa = "v4";
    const json found = find_in({row("local", 100, 25.0, 2.0)}, at);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0]["code"], "narrow-registers");
}

}  // namespace
}  // namespace groundswell::cli
