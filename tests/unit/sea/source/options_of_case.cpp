#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "groundswell/base/errors.hpp"
#include "groundswell/sea/source/physics_options.hpp"
#include "groundswell/sea/source/source_package.hpp"
#include "groundswell/simulation/case_file.hpp"

namespace groundswell {
namespace {

// The options of a case file that holds these lines.
sea::PhysicsOptions read_case(const std::string& lines) {
    const std::string file = testing::TempDir() + "sea_source_options.toml";
    std::ofstream(file) << lines;
    const simulation::CaseReader reader(file, {});
    const sea::PhysicsOptions options = sea::read_physics_options(reader.root().section("physics"));
    reader.refuse_unknown_keys();
    return options;
}

TEST(SeaSourceOptionsOfCase, ATuningMayBeOverriddenKeyByKey) {
    EXPECT_EQ(read_case("").value("wind_growth"), 1.20);
    EXPECT_EQ(read_case("").terms, sea::source_term_names());
    const sea::PhysicsOptions options = read_case("[physics]\ntuning = \"ww3\"\nsheltering = 0.5\n");
    EXPECT_EQ(options.value("wind_growth"), 1.43);
    EXPECT_EQ(options.value("sheltering"), 0.5);
}

TEST(SeaSourceOptionsOfCase, WhatCannotBeIsRefused) {
    EXPECT_THROW(read_case("[physics]\nbottom_friction = -1.0\n"), base::Refusal);
    EXPECT_THROW(read_case("[physics]\ntuning = \"swan\"\n"), base::Refusal);
    EXPECT_THROW(read_case("[physics]\nterms = [\"wind_inputs\"]\n"), base::Refusal);
    EXPECT_THROW(read_case("[physics]\npackage = \"st9\"\n"), base::Refusal);
    EXPECT_NO_THROW(read_case("[physics]\nterms = [\"four_wave\", \"breaking\"]\n"));
    EXPECT_NO_THROW(read_case("[physics]\nterms = [\"four_wave\", \"wind_input\"]\n"));
    EXPECT_TRUE(read_case("[physics]\npackage = \"none\"\ntuning = \"ww3\"\n").terms.empty());
}

}  // namespace
}  // namespace groundswell
