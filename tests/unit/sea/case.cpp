#include "groundswell/sea/case.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/dataset.hpp"
#include "groundswell/simulation/case/reference.hpp"
#include "support/sea_case.hpp"

namespace groundswell::sea {
namespace {

const char* const smallest = R"(
[time]
start = 2024-09-03T00:00:00Z
end = 2024-09-04T00:00:00Z
[mesh]
file = "mesh.nc"
)";

class CaseTest : public ::testing::Test {
protected:
    Case read(const std::string& text, const std::vector<std::string>& set = {}) {
        std::ofstream(path_) << text;
        return test::read_sea_case(path_, {set, ""});
    }
    std::string refusal(const std::string& text, const std::vector<std::string>& set = {}) {
        try {
            read(text, set);
        } catch (const base::Refusal& error) {
            return error.what();
        }
        return "";
    }
    void TearDown() override { std::filesystem::remove(path_); }
    std::string path_ = (std::filesystem::temp_directory_path() /
                         ("groundswell_sea_case_" + std::to_string(::getpid()) + ".toml"))
                            .string();
};

TEST_F(CaseTest, TheSmallestCaseHasTheDocumentedDefaults) {
    const Case run = read(smallest);
    EXPECT_EQ(run.spectrum.directions, 36);
    EXPECT_EQ(run.spectrum.frequencies, 35);
    EXPECT_EQ(run.physics.package, "st4");
    EXPECT_EQ(run.propagation.scheme, PropagationScheme::second_order);
    EXPECT_TRUE(run.propagates);
    EXPECT_TRUE(run.output.maps.empty());
    EXPECT_FALSE(run.output.restart_every.has_value());
}

TEST_F(CaseTest, WhatCannotBeIsRefusedByName) {
    const struct {
        const char* set;
        const char* said;
    } wrong[] = {
        {"time.end=2024-09-02T00:00:00Z", "time.end = 2024-09-02"},
        {"spectrum.ratio=1.0", "spectrum.ratio = 1"},
        {"spectrum.directions=2", "spectrum.directions = 2"},
        {"spectrum.direction=36", "'spectrum.directions'"},
        {"propagation.scheme=upwnd", "did you mean \"upwind\""},
        {"halo.transport=carrier-pigeon", "halo.transport = \"carrier-pigeon\""},
        {"halo.transport=neighbour", "did you mean \"neighbor\""},
        {"halo.progress=threads", "did you mean \"thread\""},
        {"halo.directions=need", "did you mean \"needed\""},
        {"run.free_cores=0.5", "run.free_cores = 0.5"},
        {"run.device=tpu", "run.device = \"tpu\": expected "},
        {"run.ranks_of_gpu=0", "run.ranks_of_gpu = 0: expected "},
        {"halo.reorder=yes", "halo.reorder"},
        {"output.mode=server", "did you mean \"servers\"?"},
        {"output.servers=2", "output.servers = 2: expected output.mode = \"servers\" with it"},
        {"output.buffer=64", "a text in quotes"},
        {"output.buffer=64 miles", "a size in kB, MB, GB, KiB, MiB or GiB"},
        {"output.on_error=ignore", "\"stop\" | \"drop\" | \"retry\""},
        {"output.restart.keep=-1", "a whole number"},
        {"physics.tuning=mine", "physics.tuning = \"mine\""},
    };
    for (const auto& [set, said] : wrong)
        EXPECT_NE(refusal(smallest, {set}).find(said), std::string::npos)
            << set << ": " << refusal(smallest, {set});
}

TEST_F(CaseTest, OneWindEntrySaysOneThing) {
    EXPECT_NE(refusal(std::string(smallest) + "[[wind]]\nuniform = [1.0, 2.0]\nfile = \"w.nc\"\n")
                  .find("exactly one"),
              std::string::npos);
    EXPECT_NE(
        refusal(std::string(smallest) + "[[wind]]\nvortex = \"t.csv\"\n[[wind]]\nuniform = [1.0, 2.0]\n")
            .find("the background wind to be the first"),
        std::string::npos);
    EXPECT_EQ(read(std::string(smallest) + "[[wind]]\nuniform = [1.0, 2.0]\n[[wind]]\nvortex = \"t.csv\"\n")
                  .forcing.front()
                  .entries.size(),
              2u);
}

TEST_F(CaseTest, UnitsOfAWindAreUnitsThatAreUnderstood) {
    const std::string file = std::string(smallest) + "[[wind]]\nfile = \"w.nc\"\n";
    EXPECT_NE(refusal(file + "units = \"knot\"\n").find("did you mean \"knots\""), std::string::npos);
    EXPECT_NE(refusal(file + "time_units = \"hours\"\n").find("time_units = \"hours\": expected days, hours"),
              std::string::npos)
        << refusal(file + "time_units = \"hours\"\n");
    EXPECT_EQ(refusal(file + "units = \"m/s\"\ntime_units = \"hours since 1900-01-01\"\n"), "");
}

TEST_F(CaseTest, OutputsNeedDifferentPlainFileNames) {
    const std::string map = "[[output.map]]\nevery = \"1h\"\nfile = ";
    EXPECT_NE(
        refusal(std::string(smallest) + map + "\"a.nc\"\n" + map + "\"a.nc\"\n").find("no other output"),
        std::string::npos);
    EXPECT_NE(refusal(std::string(smallest) + map + "\"../a.nc\"\n").find("without folders"),
              std::string::npos);
    EXPECT_NE(refusal(std::string(smallest) + map + "\"a.nc\"\nfields = [\"hs\", \"tpp\"]\n").find("\"tp\""),
              std::string::npos);
}

TEST_F(CaseTest, NamesThatNoFileCanHoldAreRefused) {
    const auto map = [](const std::string& file) {
        return smallest + fmt::format("[[output.map]]\nevery = \"1h\"\nfile = \"{}\"\n", file);
    };
    EXPECT_EQ(read(map(std::string(200, 'a'))).output.maps.size(), 1u);
    for (const std::size_t length : {201, 240, 255, 300, 100'000})
        EXPECT_NE(refusal(map(std::string(length, 'a'))).find("a name of at most 200 bytes"),
                  std::string::npos)
            << length;
    EXPECT_NE(refusal(map("a\\u0000.nc")).find("zero"), std::string::npos);

    const auto points = [](const std::string& first, const std::string& second) {
        return smallest + fmt::format(
                              "[[output.points]]\nevery = \"1h\"\nfile = \"p.nc\"\nat = [[0.0, 0.0], "
                              "[1.0, 0.0]]\nnames = [\"{}\", \"{}\"]\n",
                              first, second);
    };
    const std::string longest(40, 'b');
    EXPECT_EQ(read(points(longest, "a")).points.front().names.front(), longest);
    EXPECT_NE(refusal(points(longest + "1", longest + "2")).find("1 to 40 bytes"), std::string::npos);
    EXPECT_NE(refusal(points("a", "")).find("1 to 40 bytes"), std::string::npos);
}

TEST_F(CaseTest, ASwellInThePlaceOfNothingIsRefused) {
    const auto swell = [](const std::string& keys) {
        return fmt::format("{}[initial]\nstate = \"swell\"\nhs = 1.0\ntp = 10.0\ndirection = 0.0\n{}",
                           smallest, keys);
    };
    EXPECT_EQ(read(swell("")).initial.radius, 0.0);
    EXPECT_EQ(read(swell("centre = [350.0, -90.0]\nradius = 10.0\n")).initial.lat, -90.0);
    EXPECT_NE(refusal(swell("radius = 10.0\n")).find("initial.centre with it"), std::string::npos);
    EXPECT_NE(refusal(swell("centre = [0.0, 0.0]\n")).find("initial.radius with it"), std::string::npos);
    for (const char* centre : {"[0.0, 95.0]", "[0.0, -90.5]", "[400.0, 0.0]", "[nan, 0.0]"})
        EXPECT_NE(
            refusal(swell(fmt::format("centre = {}\nradius = 10.0\n", centre))).find("initial.centre = ["),
            std::string::npos)
            << centre;
}

// Without PnetCDF only netCDF-4 files are written by all ranks together.
TEST_F(CaseTest, AModeThatTheBuildLacksIsRefusedWithWhatItLacks) {
    const std::vector<std::string> modes = output::output_modes(output::Format::cdf5);
    const std::string said = refusal(smallest, {"output.mode=direct"});
    if (std::find(modes.begin(), modes.end(), "direct") != modes.end())
        EXPECT_EQ(said, "");
    else
        EXPECT_NE(said.find("output.mode = \"direct\": expected one of auto, serial"), std::string::npos)
            << said;
    EXPECT_EQ(said.empty(), said.find("PnetCDF") == std::string::npos) << said;
    EXPECT_EQ(refusal(smallest, {"output.mode=direct", "output.format=netcdf4"}), "");
}

}  // namespace
}  // namespace groundswell::sea
