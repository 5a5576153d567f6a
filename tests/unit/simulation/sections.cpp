#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/simulation/case.hpp"

// The sections that the case of any model has: what they take, and what they refuse by name.
namespace groundswell::simulation {
namespace {

class Sections : public testing::Test {
protected:
    /// [time] and [output] of a case, as a model reads them that knows the fields a and b.
    Case read(const std::string& text, bool has_date = true) {
        std::ofstream(path_) << text;
        const CaseReader reader(path_, {});
        Case run;
        read_common(reader, run);
        run.time = read_time(reader.root().section("time"), {"step"}, has_date);
        run.output = read_output(reader.root().section("output"), reader, "", {{"a", "b"}, {"a"}});
        reader.refuse_unknown_keys();
        return run;
    }
    std::string refusal(const std::string& text, bool has_date = true) {
        try {
            read(text, has_date);
        } catch (const base::Refusal& refusal) {
            return std::string(refusal.what()).substr(path_.size());
        }
        return "";
    }
    void TearDown() override { std::filesystem::remove(path_); }

    std::string path_ = (std::filesystem::temp_directory_path() /
                         ("groundswell_sections_" + std::to_string(::getpid()) + ".toml"))
                            .string();
};

constexpr const char* a_day = "[time]\nstart = 2024-09-03T00:00:00Z\nend = 2024-09-04T00:00:00Z\n";
constexpr const char* ten_seconds = "[time]\nend = \"10s\"\n";

TEST_F(Sections, EverythingThatMustFallOnAStepIsListedByItsKey) {
    const Case run = read(std::string(ten_seconds) +
                              "[[output.map]]\nfile = \"m.nc\"\nevery = \"2s\"\n"
                              "[output.restart]\nevery = \"5s\"\n",
                          false);
    EXPECT_FALSE(run.time.has_date);
    EXPECT_EQ(run.output.maps.at(0).fields, std::vector<std::string>{"a"});
    std::vector<std::string> keys;
    for (const Interval& each : run.intervals()) keys.push_back(each.key);
    EXPECT_EQ(keys, (std::vector<std::string>{"time.end", "output.map[].every", "output.restart.every"}));
    EXPECT_EQ(run.intervals().at(0).length, base::seconds(10));
    EXPECT_EQ(run.intervals().at(1).file, "m.nc");
}

TEST_F(Sections, ATimeThatEndsBeforeItStartsIsRefused) {
    EXPECT_EQ(refusal(a_day), "");
    EXPECT_EQ(refusal("[time]\nstart = 2024-09-04T00:00:00Z\nend = 2024-09-04T00:00:00Z\n"),
              ":3: time.end = 2024-09-04T00:00:00Z: expected a time after time.start = 2024-09-04T00:00:00Z");
    // Without dates there is no start, and the end is a duration.
    EXPECT_NE(refusal("[time]\nstart = 2024-09-04T00:00:00Z\nend = \"1s\"\n", false).find("time.start"),
              std::string::npos);
    EXPECT_NE(refusal("[time]\nend = \"0s\"\n", false).find("time.end = \"0s\""), std::string::npos);
    EXPECT_NE(refusal("[time]\n", false).find("time.end: expected"), std::string::npos);
}

TEST_F(Sections, NamesThatTheRunUsesItselfAreRefused) {
    const auto map = [](const std::string& file) {
        return std::string(a_day) + "[[output.map]]\nfile = \"" + file + "\"\nevery = \"1h\"\n";
    };
    EXPECT_EQ(refusal(map("m.nc")), "");
    for (const char* name : {"run.json", "restart_1.nc", ".m.nc", "m.nc.part", "", "a/m.nc"})
        EXPECT_NE(refusal(map(name)).find(std::string("file = \"") + name), std::string::npos)
            << refusal(map(name));
    EXPECT_NE(
        refusal(map("m.nc") + "[[output.map]]\nfile = \"m.nc\"\nevery = \"1h\"\n").find("no other output"),
        std::string::npos);
}

TEST_F(Sections, KeysThatNeedEachOtherAreRefusedAlone) {
    const auto output = [](const std::string& lines) { return std::string(a_day) + "[output]\n" + lines; };
    EXPECT_NE(refusal(output("compression = 4\n")).find("output.compression = 4"), std::string::npos);
    EXPECT_EQ(refusal(output("compression = 4\nformat = \"netcdf4\"\n")), "");
    EXPECT_NE(refusal(output("servers = 2\n")).find("output.mode = \"servers\""), std::string::npos);
    EXPECT_EQ(refusal(output("servers = 2\nmode = \"servers\"\n")), "");
    for (const char* size : {"64", "64 MB/s", "-1 MB", "0 kB", "many"})
        EXPECT_NE(refusal(output(std::string("buffer = \"") + size + "\"\n")).find("output.buffer"),
                  std::string::npos)
            << size;
}

}  // namespace
}  // namespace groundswell::simulation
