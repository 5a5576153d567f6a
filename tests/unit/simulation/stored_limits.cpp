// What doctor measured of this machine, from a file that may be missing, broken, of another machine or old: a run then measures
// for itself, and nobody is told of an error.
#include "groundswell/simulation/limits/run_limits.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace groundswell::simulation {
namespace {

constexpr std::int64_t now = 1'764'000'000;

StoredLimits of_laptop(int threads) {
    return {"laptop", "Some CPU, model 1", "v3", threads, 17.0, 100.0 * threads, 50.0 * threads, now - 86400};
}

std::string empty_folder(const char* name) {
    const std::string folder = testing::TempDir() + "/stored_limits_" + name;
    std::filesystem::remove_all(folder);
    return folder;
}

std::string path_of(std::map<std::string, std::string> variables) {
    return limits_path([&](const char* name) { return variables[name]; });
}

TEST(StoredLimits, LieInTheUsersCache) {
    EXPECT_EQ(path_of({{"HOME", "/home/a"}}), "/home/a/.cache/groundswell/limits.json");
    EXPECT_EQ(path_of({{"HOME", "/home/a"}, {"XDG_CACHE_HOME", "/cache"}}), "/cache/groundswell/limits.json");
    EXPECT_EQ(path_of({{"HOME", "/home/a"}, {"XDG_CACHE_HOME", "relative"}}),
              "/home/a/.cache/groundswell/limits.json");
    EXPECT_EQ(path_of({{"HOME", "/home/a"}, {"GROUNDSWELL_LIMITS", "mine.json"}}), "mine.json");
    EXPECT_EQ(path_of({}), "");
}

TEST(StoredLimits, AreFoundAgainByAllThatTheyAreOf) {
    const std::string path = empty_folder("found") + "/groundswell/limits.json";
    ASSERT_EQ(store_limits(path, {of_laptop(1), of_laptop(2)}), "");
    const auto stored = read_limits(path);
    ASSERT_EQ(stored.size(), 2u);
    const auto found = find_limits(stored, of_laptop(2), now);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->peak_gflops_float, 200.0);
    EXPECT_EQ(found->peak_gflops_double, 100.0);
    EXPECT_EQ(found->stream_gigabytes_per_second, 17.0);
    for (const auto& change :
         {+[](StoredLimits& l) { l.host = "desk"; },
          +[](StoredLimits& l) { l.processor = "Some CPU, model 2"; }, +[](StoredLimits& l) { l.isa = "v2"; },
          +[](StoredLimits& l) { l.threads = 3; }}) {
        StoredLimits other = of_laptop(2);
        change(other);
        EXPECT_FALSE(find_limits(stored, other, now));
    }
    // Nothing else is left in the folder.
    EXPECT_EQ(
        std::distance(std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()), {}), 1);
}

TEST(StoredLimits, GrowStale) {
    const std::vector<StoredLimits> stored{of_laptop(1)};
    const std::int64_t measured = stored[0].measured;
    EXPECT_TRUE(find_limits(stored, of_laptop(1), measured + longest_age_of_limits));
    EXPECT_FALSE(find_limits(stored, of_laptop(1), measured + longest_age_of_limits + 1));
    EXPECT_FALSE(find_limits(stored, of_laptop(1), measured - 2 * 86400)) << "from the future";
}

TEST(StoredLimits, SucceedThoseOfTheSameAndOfAnotherProcessor) {
    const std::string path = empty_folder("succeed") + "/limits.json";
    StoredLimits desk = of_laptop(1);
    desk.host = "desk";
    ASSERT_EQ(store_limits(path, {of_laptop(1), of_laptop(2), desk}), "");
    StoredLimits again = of_laptop(2);
    again.peak_gflops_float = 222.0;
    ASSERT_EQ(store_limits(path, {again}), "");
    EXPECT_EQ(read_limits(path).size(), 3u);
    EXPECT_EQ(find_limits(read_limits(path), again, now)->peak_gflops_float, 222.0);
    StoredLimits moved = of_laptop(2);
    moved.processor = "Another CPU";
    ASSERT_EQ(store_limits(path, {moved}), "");
    const auto stored = read_limits(path);
    EXPECT_EQ(stored.size(), 2u) << "of the laptop's former processor nothing is left";
    EXPECT_TRUE(find_limits(stored, desk, now));
}

TEST(StoredLimits, OfAFileThatIsNoneOfOursAreNone) {
    const std::string good = text_of({of_laptop(1)});
    const auto with = [&](const std::string& what, const std::string& other) {
        std::string text = good;
        const std::size_t at = text.find(what);
        EXPECT_NE(at, std::string::npos) << what;
        return text.replace(at, what.size(), other);
    };
    EXPECT_EQ(limits_in(good).size(), 1u);
    for (const std::string& text :
         {std::string(), std::string("{"), std::string("[]"), std::string("{\"schema\":1}"),
          std::string("{\"schema\":1,\"limits\":7}"), std::string("{\"schema\":1,\"limits\":[7]}"),
          good.substr(0, good.size() / 2), with("\"schema\": 1", "\"schema\": 2"),
          with("\"host\"", "\"boast\""), with("17.0", "-17.0"), with("17.0", "\"fast\""),
          with("17.0", "null")})
        EXPECT_TRUE(limits_in(text).empty()) << text;
    EXPECT_TRUE(read_limits("/no/such/file").empty());
    EXPECT_TRUE(read_limits("/").empty());
}

TEST(StoredLimits, ThatCannotBeWrittenSayWhy) {
    EXPECT_NE(store_limits("", {of_laptop(1)}), "");
    const std::string folder = empty_folder("blocked");
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/groundswell") << "a file where the folder should be";
    EXPECT_NE(store_limits(folder + "/groundswell/limits.json", {of_laptop(1)}), "");
}

TEST(StoredLimits, TakeThePlaceOfABrokenFile) {
    const std::string folder = empty_folder("broken"), path = folder + "/limits.json";
    std::filesystem::create_directories(folder);
    std::ofstream(path) << "{\"schema\":1,\"limits\":[{";
    ASSERT_EQ(store_limits(path, {of_laptop(1)}), "");
    EXPECT_EQ(read_limits(path).size(), 1u);
}

}  // namespace
}  // namespace groundswell::simulation
