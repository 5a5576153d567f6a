#include "groundswell/simulation/case_file.hpp"
#include "groundswell/base/words.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"

namespace groundswell::simulation {
namespace {

class CaseFile : public ::testing::Test {
protected:
    CaseReader read(const std::string& text, const std::vector<std::string>& overrides = {}) {
        std::ofstream(path_) << text;
        return CaseReader(path_, overrides);
    }
    // The message that a question raises; empty when it raises none.
    static std::string refusal(const std::function<void()>& question) {
        try {
            question();
        } catch (const base::Refusal& error) {
            return error.what();
        }
        return "";
    }
    void TearDown() override { std::filesystem::remove(path_); }

    std::string path_ = (std::filesystem::temp_directory_path() /
                         ("groundswell_case_" + std::to_string(::getpid()) + ".toml"))
                            .string();
};

TEST_F(CaseFile, ValuesAndDefaultsAreRead) {
    const CaseReader reader =
        read("[spectrum]\ndirections = 24\nratio = 1.1\n[time]\nstart = 2024-09-03T06:00:00Z\n");
    const Section spectrum = reader.root().section("spectrum");
    EXPECT_EQ(spectrum.integer("directions", {}, {4, 720}, {"directions"}), 24);
    EXPECT_EQ(spectrum.number("ratio", {}, {1.0, 2.0}, {"ratio"}), 1.1);
    EXPECT_EQ(spectrum.number("other", 7.5, {}, {"other"}), 7.5);
    EXPECT_EQ(format_instant(reader.root().section("time").instant("start", {"start"})),
              "2024-09-03T06:00:00Z");
    EXPECT_NO_THROW(reader.refuse_unknown_keys());
}

TEST_F(CaseFile, RefusalsNameFileLineKeyValueAndWhatWasExpected) {
    const CaseReader reader = read("title = \"x\"\n[spectrum]\nratio = 0.9\n");
    const Section spectrum = reader.root().section("spectrum");
    EXPECT_EQ(refusal([&] {
                  spectrum.number("ratio", {}, {1.001, 2.0}, {"ratio"});
              }),
              path_ + ":3: spectrum.ratio = 0.9: expected a number 1.001 … 2");
    EXPECT_NE(
        refusal([&] { spectrum.integer("directions", {}, {}, {"n"}); }).find("spectrum.directions: expected"),
        std::string::npos);
}

TEST_F(CaseFile, RefusalsOfValuesFromTheCommandLineNameNoLineOfTheFile) {
    const CaseReader reader = read("title = \"x\"\n[spectrum]\nratio = 1.1\n", {"spectrum.ratio=0.9"});
    const Section spectrum = reader.root().section("spectrum");
    EXPECT_EQ(refusal([&] {
                  spectrum.number("ratio", {}, {1.001, 2.0}, {"ratio"});
              }),
              path_ + " (--set): spectrum.ratio = 0.9: expected a number 1.001 … 2");
}

TEST_F(CaseFile, TablesThatAreNotThereCannotBeSetFromTheCommandLine) {
    EXPECT_EQ(
        refusal([&] { read("title = \"x\"\n", {"wave_maker.0.hs=2"}); }),
        "--set: wave_maker.0.hs=2: expected a table [[wave_maker]] to set it in; " + path_ + " has none");
}

TEST_F(CaseFile, OneTableInPlaceOfSeveralIsToldHowTheyAreWritten) {
    const CaseReader reader = read("[output.map]\nevery = \"1h\"\n");
    const Section output = reader.root().section("output");
    CaseReader asked = CaseReader::describe();
    asked.root().section("output").sections("map");
    EXPECT_NE(refusal([&] {
                  reader.refuse_unknown_keys(asked);
              }).find("output.map: expected tables [[output.map]]"),
              std::string::npos);
}

TEST_F(CaseFile, MistypedKeysAreRefusedWithTheNearestKnownOne) {
    const CaseReader reader = read("[spectrum]\ndirctions = 24\n");
    reader.root().section("spectrum").integer("directions", 36, {}, {"n"});
    const std::string message = refusal([&] { reader.refuse_unknown_keys(); });
    EXPECT_NE(message.find(":2: spectrum.dirctions = 24"), std::string::npos) << message;
    EXPECT_NE(message.find("'spectrum.directions'"), std::string::npos) << message;
}

TEST_F(CaseFile, UnknownKeysInsideArraysOfTablesAreFound) {
    const CaseReader reader = read("[[wind]]\nuniform = [1.0, 2.0]\nspeed = 3\n");
    for (const Section& wind : reader.root().sections("wind")) wind.numbers("uniform", 2, {"wind"});
    EXPECT_NE(refusal([&] { reader.refuse_unknown_keys(); }).find("wind[].speed = 3"), std::string::npos);
}

TEST_F(CaseFile, OverridesReplaceAddAndReachIntoArrays) {
    const CaseReader reader = read("[run]\nthreads = 1\n[[output.map]]\nevery = \"1h\"\n",
                                   {"run.threads=2", "output.mode=serial", "output.map.0.every=\"30min\""});
    EXPECT_EQ(reader.root().section("run").integer("threads", 1, {}, {"n"}), 2);
    const Section output = reader.root().section("output");
    EXPECT_EQ(output.choice("mode", "auto", {"auto", "serial"}, {"mode"}), "serial");
    EXPECT_EQ(output.sections("map").front().duration_or("every", "", {}, {"every"}), base::seconds(1800));
    EXPECT_THROW(read("", {"nonsense"}), base::Refusal);
    EXPECT_THROW(read("[[output.map]]\nevery = \"1h\"\n", {"output.map.3.every=1h"}), base::Refusal);
}

// In quotes a key may look like a path of known keys; on the command line parts of one may be missing.
TEST_F(CaseFile, KeysThatOnlyLookKnownAreRefused) {
    for (const char* line : {"\"time.start\" = 5", "\"\" = 1", "\"wind[]\" = 1", "[time]\n\"\" = 1"}) {
        const CaseReader reader = read(line);
        const Section time = reader.root().section("time");
        time.number("start", 0.0, {}, {"start"});
        reader.root().sections("wind");
        EXPECT_NE(refusal([&] { reader.refuse_unknown_keys(); }).find("within quotes"), std::string::npos)
            << line;
    }
    for (const char* set : {".=1", ".a=1", "a.=1", "a..b=1", "=1"})
        EXPECT_NE(refusal([&] { read("", {set}); }).find("KEY=VALUE"), std::string::npos) << set;
}

TEST_F(CaseFile, NumbersOfTablesThatNoArrayHasAreRefused) {
    for (const char* number : {"99999999999999999999999", "1", "-1", "0x0", "first"})
        EXPECT_NE(refusal([&] {
                      read("[[map]]\na = 1\n", {fmt::format("map.{}.a=2", number)});
                  }).find("the number of a table, 0 to 0"),
                  std::string::npos)
            << number;
    const std::string many = fmt::format("a{}=1", fmt::format("{:.>{}}", "a", 100'000));
    EXPECT_LT(refusal([&] { read("", {many}); }).size(), 1000u);
}

TEST_F(CaseFile, TextsThatTheSystemCannotTakeAreRefused) {
    EXPECT_NE(refusal([&] { read("[a]\nfile = [\"b\\u0000c\"]\n"); }).find(":2"), std::string::npos);
    EXPECT_NE(refusal([&] { read("\"a\\u0000\" = 1\n"); }).find("zero"), std::string::npos);
    EXPECT_NE(refusal([&] { read("[[a]]\n[[a]]\nb = { file = \"c\\u0000d\" }\n"); }).find("a[].b.file = c"),
              std::string::npos);
    EXPECT_NE(refusal([&] { read("", {"title=a\xFF"}); }).find("UTF-8"), std::string::npos);
    EXPECT_EQ(read("", {"title=plain word's"}).root().text("title", "", {"title"}), "plain word's");
}

TEST_F(CaseFile, KeysOfVeryManyPartsAreRefused) {
    std::string key;
    for (int i = 0; i < 500'000; ++i) key += "a.";
    for (const std::string& text : {key + "b = 1", "[" + key + "b]", "x = {" + key + "b = 1}"})
        EXPECT_NE(refusal([&] { read("# a\n" + text); }).find(path_ + ":2: expected keys"),
                  std::string::npos);
    EXPECT_NE(refusal([&] { read("", {key.substr(0, 100'000) + "b=1"}); }).find("KEY=VALUE"),
              std::string::npos);
    std::string list = "at = [\n";
    for (int i = 0; i < 1000; ++i) list += "[1.5, 2.5], ";
    EXPECT_EQ(read(list + "]").root().positions("at", {"places"}).size(), 1000u);
}

TEST_F(CaseFile, APipeIsRefusedInsteadOfWaitedFor) {
    ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    EXPECT_NE(refusal([&] { CaseReader(path_, {}); }).find("a file, not a pipe"), std::string::npos);
    EXPECT_NE(refusal([&] { CaseReader("/tmp", {}); }).find("a file, not a folder"), std::string::npos);
}

// Whatever stands in a value, the message is one line that a person can read.
TEST(Messages, OfLongAndOddValuesAreShortAndOneLine) {
    const std::string message = base::describe("f", "key", std::string(100'000, 'x'), "less");
    EXPECT_LT(message.size(), 400u);
    EXPECT_NE(message.find("xxx… (100000 bytes): expected less"), std::string::npos) << message;
    // A character of several bytes stands whole or not at all.
    for (const std::string before : {"", "x", "xx", "xxx"}) {
        std::string value = before;
        while (value.size() < 300) value += "€";
        EXPECT_NE(base::describe("", "k", value, "").find("€… ("), std::string::npos) << before;
    }
    EXPECT_EQ(base::describe("", "k", "a\xFF\xE2\x82", ""), "k = a\\xff\\xe2\\x82");
    EXPECT_EQ(base::describe("", "k", std::string_view("a\0é", 4), ""), "k = a\\x00é");
    testing::internal::CaptureStderr();
    base::write_error("a\nb\x1B[31mc\td");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "groundswell: error: a\\nb\\x1b[31mc\\x09d\n");
}

TEST_F(CaseFile, PathsAreRelativeToTheCaseFile) {
    const CaseReader reader = read("file = \"mesh/a.nc\"\n");
    const std::string folder = std::filesystem::path(path_).parent_path().string();
    EXPECT_EQ(reader.root().path("file", {}, {"mesh"}), folder + "/mesh/a.nc");
}

TEST_F(CaseFile, AFreeTableTakesAnyKeysAndNoTables) {
    const CaseReader reader =
        read("[hints]\nstriping_factor = 8\nromio_cb_write = \"enable\"\nno = true\n[bad]\nx = [1]\n");
    const std::map<std::string, std::string> hints = reader.root().free_table("hints", {"for MPI-IO"});
    EXPECT_EQ(hints, (std::map<std::string, std::string>{
                         {"no", "true"}, {"romio_cb_write", "enable"}, {"striping_factor", "8"}}));
    EXPECT_EQ(refusal([&] { reader.root().free_table("bad", {"lists"}); }),
              path_ + ":6: bad.x = [1]: expected a text in quotes, a number, true or false");
    EXPECT_EQ(reader.keys().front().value, "no = true, romio_cb_write = enable, striping_factor = 8");
    EXPECT_EQ(refusal([&] { reader.refuse_unknown_keys(); }).find("hints"), std::string::npos);
}

TEST_F(CaseFile, ANumberOrATextIsTakenAsItStands) {
    const CaseReader reader = read("a = 2\nb = 0.1\nc = \"10%\"\nd = true\n");
    const auto value = [&](const char* key) { return reader.root().text_or_number(key, "1", {"servers"}); };
    EXPECT_EQ(value("a"), "2");
    EXPECT_EQ(value("b"), "0.1");
    EXPECT_EQ(value("c"), "10%");
    EXPECT_EQ(value("e"), "1");
    EXPECT_EQ(refusal([&] { value("d"); }), path_ + ":4: d = true: expected a number, or a text in quotes");
}

TEST_F(CaseFile, BrokenTomlNamesTheLine) {
    EXPECT_NE(refusal([&] { read("[time\n"); }).find(path_ + ":1"), std::string::npos);
    EXPECT_THROW(CaseReader("/no/such/case.toml", {}), base::Refusal);
}

TEST_F(CaseFile, DescribingAnswersEveryQuestionAndRecordsIt) {
    const CaseReader reader = CaseReader::describe();
    reader.root().section("spectrum").number("ratio", {}, {1.0, 2.0}, {"ratio of frequencies", "", "source"});
    for (const Section& map : reader.root().section("output").sections("map")) map.path("file", {}, {"file"});
    ASSERT_EQ(reader.keys().size(), 2u);
    EXPECT_EQ(reader.keys()[0].key, "spectrum.ratio");
    EXPECT_EQ(reader.keys()[0].default_text, "required");
    EXPECT_EQ(reader.keys()[1].key, "output.map[].file");
}

TEST_F(CaseFile, NearestWordDoesNotGuessWildly) {
    EXPECT_EQ(base::nearest_word("upwnd", {"upwind", "second-order"}), "upwind");
    EXPECT_EQ(base::nearest_word("zzz", {"upwind", "second-order"}), "");
}

}  // namespace
}  // namespace groundswell::simulation
