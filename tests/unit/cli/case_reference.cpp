// The pages of the manual that tell the keys of case files.
#include "groundswell/simulation/case/reference.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "groundswell/cli/command.hpp"
#include "groundswell/simulation/run/read_case.hpp"

namespace groundswell::cli {
namespace {

std::string page(const std::string& name) {
    std::ifstream file(GROUNDSWELL_SOURCE_DIR "/docs/reference/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(CaseReference, TheManualHoldsExactlyTheReadersTables) {
    for (const simulation::ModelKind& kind : models()) {
        const std::string model = &kind == &models().front() ? "" : kind.name;
        const std::string name = model.empty() ? "case-file.md" : "case-file-" + model + ".md";
        EXPECT_EQ(page(name), simulation::case_reference(simulation::describe_case(models(), kind), model))
            << "make the page again: groundswell run --reference --set model=" << kind.name
            << " > docs/reference/" << name;
    }
}

TEST(CaseReference, EveryKeyHasAMeaning) {
    for (const simulation::ModelKind& kind : models()) {
        for (const simulation::KeyRecord& key : simulation::describe_case(models(), kind))
            EXPECT_FALSE(key.meaning.empty()) << key.key;
    }
}

}  // namespace
}  // namespace groundswell::cli
