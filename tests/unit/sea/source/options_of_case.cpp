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
    EXPECT_EQ(read_case("").terms, sea::PhysicsOptions{}.terms);
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

// What the refusal of these lines says.
std::string refusal(const std::string& lines) {
    try {
        read_case(lines);
    } catch (const base::Refusal& refused) {
        return refused.what();
    }
    return "";
}

TEST(SeaSourceOptionsOfCase, EachPackageHasItsOwnCoefficientsAndNamesTheNearestForThoseOfOthers) {
    EXPECT_EQ(read_case("[physics]\npackage = \"wam3\"\n").value("four_wave"), 3e7);
    EXPECT_EQ(read_case("[physics]\npackage = \"wam4\"\n").value("steepness_whitecapping"), 2.1);
    const sea::PhysicsOptions cycle4 = read_case("[physics]\npackage = \"wam4\"\ntuning = \"cycle4\"\n");
    EXPECT_EQ(cycle4.value("steepness_whitecapping"), 4.5);
    EXPECT_EQ(read_case("[physics]\npackage = \"st6\"\ndonelan_speed = 30\n").value("donelan_speed"), 30.0);
    const auto says = [](const std::string& lines, const std::string& word) {
        EXPECT_NE(refusal("[physics]\n" + lines).find(word), std::string::npos)
            << refusal("[physics]\n" + lines);
    };
    says("package = \"wam3\"\nwind_growth = 1.3\n",
         "wind_input has this one; the nearest is 'snyder_growth'");
    says("package = \"st6\"\nwhitecapping_isotropy = 0.1\n", "the nearest is 'threshold_breaking'");
    says("package = \"st6\"\nswell_turbulent = 0.1\n", "the nearest is 'swell_turbulence'");
    says("triads = 0.1\n", "triads has this one");
    says("package = \"wam4\"\ntuning = \"ww3\"\n", "one of bidlot, cycle4 for the package wam4");
    says("package = \"wam3\"\nsnyder_growth = 11\n", "Komen et al. 1984");
    says("terms = [\"wind_input\", \"wind_donelan\"]\n",
         "wind_donelan or wind_input: both stand for the same process");
    says("terms = [\"breaking\", \"breaking_thornton\"]\n", "both stand for the same process");
    EXPECT_EQ(read_case("[physics]\nterms = [\"four_wave\", \"four_wave\"]\n").terms.size(), 1u);
    says("package = \"none\"\nterms = [\"four_wave\"]\n", "package none is propagation alone");
    EXPECT_NO_THROW(read_case("[physics]\nterms = [\"four_wave\", \"triads\"]\ntriads = 0.1\n"));
}

}  // namespace
}  // namespace groundswell
