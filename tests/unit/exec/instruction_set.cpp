// Which kernels a run uses: the highest level of instructions that was compiled, that the processor has and that GROUNDSWELL_ISA
// allows.
#include "groundswell/exec/instruction_set.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "groundswell/base/errors.hpp"
#include "groundswell/exec/build_features.hpp"

namespace groundswell::exec {
namespace {

using Set = InstructionSet;
const std::vector<Set> all{Set::v2, Set::v3, Set::v4};

std::string refusal(const std::vector<Set>& compiled, Set has, const std::string& limit) {
    try {
        choose_instruction_set(compiled, has, limit);
    } catch (const base::Refusal& refused) {
        return refused.what();
    }
    return "none";
}

TEST(InstructionSet, IsTheHighestThatProcessorAndProgramHave) {
    EXPECT_EQ(choose_instruction_set(all, Set::v4, ""), Set::v4);
    EXPECT_EQ(choose_instruction_set(all, Set::v3, ""), Set::v3);
    EXPECT_EQ(choose_instruction_set({Set::v2, Set::v3}, Set::v4, ""), Set::v3);
    EXPECT_EQ(choose_instruction_set({Set::generic}, Set::generic, ""), Set::generic);
}

TEST(InstructionSet, IsHeldToLess) {
    EXPECT_EQ(choose_instruction_set(all, Set::v4, "v3"), Set::v3);
    EXPECT_EQ(choose_instruction_set(all, Set::v4, "v2"), Set::v2);
    EXPECT_EQ(choose_instruction_set(all, Set::v3, "v3"), Set::v3);
    EXPECT_EQ(choose_instruction_set({Set::v2}, Set::v4, "v4"), Set::v2);
}

TEST(InstructionSet, RefusesWhatIsNotThereAndNamesWhatIs) {
    EXPECT_EQ(refusal(all, Set::v3, "v4").substr(0, 64),
              "environment: GROUNDSWELL_ISA = v4: expected v2 or v3, which this");
    EXPECT_NE(refusal(all, Set::v4, "avx2").find("expected v2, v3 or v4"), std::string::npos);
    EXPECT_NE(refusal({Set::v4}, Set::v4, "v3").find("expected v4"), std::string::npos);
    EXPECT_NE(refusal({Set::v4}, Set::v3, "").find("this one has v3"), std::string::npos);
}

TEST(InstructionSet, FeaturesThatAProcessorLacksAreNamed) {
    EXPECT_EQ(lacking_feature(build_features()), nullptr) << "this program runs here";
    EXPECT_EQ(lacking_feature(" no-such-feature "), nullptr) << "what is not known counts as there";
    if (processor_instruction_set() == Set::v3) {
        EXPECT_STREQ(lacking_feature(" avx2 avx512f "), "avx512f");
    }
}

}  // namespace
}  // namespace groundswell::exec
