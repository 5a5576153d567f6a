// What becomes of a run that continues another one with one key changed: a table of every key of the manual.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/cli/command.hpp"
#include "groundswell/simulation/run/read_case.hpp"
#include "groundswell/simulation/run/remembered_inputs.hpp"

namespace groundswell::simulation {
namespace {

using enum Effect;

// Keys and sections; of two that a key lies in the longer one counts. A key that lies in none has no place here: decide.
const std::map<std::string, std::map<std::string, Effect>> expected{{"sea",
                                                                     {{"model", refused},
                                                                      {"title", harmless},
                                                                      {"run", harmless},
                                                                      {"time.start", refused},
                                                                      {"time.end", harmless},
                                                                      {"time.step", told},
                                                                      {"time.source_step", told},
                                                                      {"mesh", refused},
                                                                      {"mesh.partition", harmless},
                                                                      {"mesh.part_file", harmless},
                                                                      {"mesh.mapping", harmless},
                                                                      {"mesh.imbalance", harmless},
                                                                      {"spectrum", refused},
                                                                      {"wind", told},
                                                                      {"current", told},
                                                                      {"water_level", told},
                                                                      {"ice", told},
                                                                      {"ice_thickness", told},
                                                                      {"initial", told},
                                                                      {"wave_maker", told},
                                                                      {"boundary", told},
                                                                      {"physics", told},
                                                                      {"propagation", told},
                                                                      {"halo", harmless},
                                                                      {"output", harmless}}},
                                                                    {"quake",
                                                                     {{"model", refused},
                                                                      {"title", harmless},
                                                                      {"run", harmless},
                                                                      {"time.end", harmless},
                                                                      {"time.step", told},
                                                                      {"mesh", refused},
                                                                      {"projection", told},
                                                                      {"solver", told},
                                                                      {"solver.order", refused},
                                                                      {"solver.precision", refused},
                                                                      {"material", refused},
                                                                      {"attenuation", refused},
                                                                      {"plasticity", refused},
                                                                      {"absorbing_layer", refused},
                                                                      {"initial", told},
                                                                      {"source", told},
                                                                      {"fault", refused},
                                                                      {"halo", harmless},
                                                                      {"output", harmless}}}};

bool lies_in(const std::string& key, const std::string& section) {
    return key == section || key.starts_with(section + ".") || key.starts_with(section + "[");
}

class RestartInputs : public testing::TestWithParam<std::string> {
protected:
    const ModelKind& kind() const {
        for (const ModelKind& each : cli::models())
            if (each.name == GetParam()) return each;
        throw std::logic_error("no such model");
    }
    std::string remembered(const std::vector<Setting>& settings) const {
        return remember_inputs(settings, kind().of_state);
    }
    // What comes of a run that has one of these where the run before had the other.
    Effect found(const std::vector<Setting>& here, const std::vector<Setting>& there) const {
        try {
            const auto told_of = compare_inputs(remembered(here), remembered(there), kind().of_state,
                                                "case.toml", "restart.nc");
            return told_of.empty() ? harmless : told;
        } catch (const base::Refusal&) {
            return refused;
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Models, RestartInputs, testing::Values("sea", "quake"),
                         [](const auto& model) { return model.param; });

TEST_P(RestartInputs, EveryKeyIsRefusedToldOrHarmlessAsTheTableHasIt) {
    const auto& table = expected.at(GetParam());
    for (const KeyRecord& record : describe_case(cli::models(), kind())) {
        const std::pair<const std::string, Effect>* row = nullptr;
        for (const auto& each : table)
            if (lies_in(record.key, each.first) && (!row || each.first.size() > row->first.size()))
                row = &each;
        ASSERT_NE(row, nullptr) << record.key << " stands in no row of the table";
        // In the second table of an array, say.
        std::string key = record.key;
        for (auto at = key.find("[]"); at != std::string::npos; at = key.find("[]"))
            key.replace(at, 2, "[1]");
        EXPECT_EQ(found({{key, "1", {}}}, {{key, "2", {}}}), row->second) << key << " has another value";
        EXPECT_EQ(found({{key, "1", {}}}, {}), row->second) << key << " is given only here";
        EXPECT_EQ(found({}, {{key, "1", {}}}), row->second) << key << " is not given any more";
        EXPECT_EQ(found({{key, "1", {}}}, {{key, "1", {}}}), harmless) << key << " is the same";
    }
}

TEST_P(RestartInputs, AFileIsKnownByItsBytesWhateverItsName) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("inputs-" + GetParam());
    std::filesystem::create_directories(folder);
    const auto file = [&](const std::string& name, std::size_t bytes, std::size_t changed) {
        std::string text(bytes, 'a');
        if (changed < bytes) text[changed] = 'b';
        std::ofstream(folder / name, std::ios::binary) << text;
        return Setting{"mesh.file", "\"" + name + "\"", {(folder / name).string()}};
    };
    constexpr std::size_t none = ~std::size_t{0};
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{100000}, (std::size_t{64} << 20) + 12345}) {
        const Setting whole = file("whole", bytes, none);
        EXPECT_EQ(found({whole}, {file("copy", bytes, none)}), harmless) << bytes;
        EXPECT_EQ(found({whole}, {file("first", bytes, 0)}), refused) << bytes;
        EXPECT_EQ(found({whole}, {file("last", bytes, bytes - 1)}), refused) << bytes;
        EXPECT_EQ(found({whole}, {file("longer", bytes + 1, none)}), refused) << bytes;
    }
    std::filesystem::remove_all(folder);
}

TEST_P(RestartInputs, ARefusalNamesTheKeyAndBothValues) {
    const std::string long_list(5000, '7');
    const auto message = [&](const std::string& here, const std::string& there) -> std::string {
        try {
            compare_inputs(remembered({{"mesh.file", here, {}}}), remembered({{"mesh.file", there, {}}}),
                           kind().of_state, "case.toml", "restart.nc");
        } catch (const base::Refusal& refusal) {
            return refusal.what();
        }
        return "";
    };
    EXPECT_EQ(
        message("3", "4"),
        "case.toml: mesh.file = 3: expected 4, as in the run that wrote restart.nc: the state in it depends "
        "on this");
    EXPECT_LT(message(long_list, long_list + "1").size(), 300U);
    EXPECT_EQ(message(long_list, long_list), "");
    EXPECT_EQ(message("a\nb", "a\nb"), "");
    EXPECT_NE(message("a\nb", "a\tb"), "");
}

}  // namespace
}  // namespace groundswell::simulation
