// What `groundswell halo` makes of its figures.
#include "groundswell/cli/report/halo_report.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace groundswell;
using cli::HaloEntry;

halo::PhaseTime phase(double p10, double mean, double max) {
    return {p10, 1.1 * p10, {0.5 * mean, mean, max}};
}

HaloEntry entry(const std::string& name, double p10, double mean, double max) {
    HaloEntry made;
    made.name = made.whole.name = made.whole.used = name;
    made.whole.verified = true;
    made.whole.whole = phase(p10, mean, max);
    made.whole.bytes = 4000;
    made.whole.messages = 2;
    return made;
}

nlohmann::json result_of(const std::vector<HaloEntry>& entries) {
    return {{"cells", 100},
            {"layers", 1},
            {"bytes_per_cell", 8},
            {"received_bytes", {{"min", 1e3}, {"mean", 2e3}, {"max", 3e3}}},
            {"neighbours", {{"min", 1.0}, {"mean", 1.0}, {"max", 1.0}}},
            {"off_host_share", 0.25},
            {"selected_share", nullptr},
            {"repeats", 7},
            {"memcpy_seconds", {{"p10", 2e-6}, {"median", 3e-6}}},
            {"transports", cli::halo_transports(entries, 2e-6, 1000, 600)},
            {"auto_choice", "shared"},
            {"auto_selects", false},
            {"auto_to_best", 1.25}};
}

const nlohmann::json machine = {{"mpi", "An MPI 1.0"}, {"hosts", 2}, {"ranks", 2}};

TEST(CliHaloReport, SpeedUpsAndRatiosAreThoseOfTheDefinitions) {
    const nlohmann::json transports = cli::halo_transports(
        {entry("posted", 4e-6, 5e-6, 10e-6), entry("point-to-point", 8e-6, 20e-6, 30e-6)}, 2e-6, 1000, 0);
    // Time of the baseline over the transport's: mean over ranks, slowest rank.
    EXPECT_DOUBLE_EQ(transports[0]["speedup"]["mean"].get<double>(), 4.0);
    EXPECT_DOUBLE_EQ(transports[0]["speedup"]["max"].get<double>(), 3.0);
    EXPECT_DOUBLE_EQ(transports[0]["ratio_to_memcpy"].get<double>(), 2.0);
    EXPECT_EQ(transports[0]["off_host_bytes"], 1000);
    EXPECT_FALSE(transports[0].contains("selected"));
}

TEST(CliHaloReport, ATransportThatIsNotThereIsListedWithTheReason) {
    HaloEntry missing;
    missing.name = "carrier-pigeon";
    missing.reason = "An MPI 1.0 has no pigeons; use persistent";
    const nlohmann::json result = result_of({entry("shared", 4e-6, 5e-6, 6e-6), missing});
    EXPECT_EQ(result["transports"][1],
              (nlohmann::json{{"name", missing.name}, {"available", false}, {"reason", missing.reason}}));
    EXPECT_TRUE(result["transports"][0]["speedup"].is_null());  // no baseline
    const std::string table = cli::halo_table(machine, result);
    EXPECT_NE(table.find("not available: " + missing.reason), std::string::npos);
    EXPECT_NE(table.find("2 ranks on 2 hosts, An MPI 1.0"), std::string::npos);
    EXPECT_NE(table.find("auto takes shared, 1.25 times"), std::string::npos);
}

TEST(CliHaloReport, WhatIsWrongOrAnotherTransportIsSaid) {
    HaloEntry broken = entry("shared", 4e-6, 5e-6, 6e-6);
    broken.whole.used = "posted";
    broken.selected = broken.whole;
    broken.selected.verified = false;
    broken.has_selected = true;
    const nlohmann::json result = result_of({broken});
    EXPECT_EQ(result["transports"][0]["selected"]["off_host_bytes"], 600);
    const std::string table = cli::halo_table(machine, result);
    EXPECT_NE(table.find("shared (posted)"), std::string::npos);
    EXPECT_NE(table.find("shared, needed only"), std::string::npos);
    EXPECT_NE(table.find("WRONG VALUES"), std::string::npos);
}

}  // namespace
