// The least work of each kernel is what the manual says.
#include "groundswell/sea/kernels/kernel_work.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "groundswell/sea/real.hpp"

namespace groundswell::sea {
namespace {

// The number of operations in the table's row that begins so.
double told(const std::string& row) {
    std::ifstream file(GROUNDSWELL_SOURCE_DIR "/docs/evaluation/performance.md");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const std::size_t at = text.find("| " + row);
    EXPECT_NE(at, std::string::npos) << row;
    return std::stod(text.substr(text.find('|', at + 2) + 1));
}

TEST(KernelWork, IsWhatTheManualSays) {
    PropagationOptions options;
    EXPECT_EQ(propagation_work(options).flop, told("upwind propagation"));
    options.scheme = PropagationScheme::second_order;
    EXPECT_EQ(propagation_work(options).flop, told("second order with its limiter"));
    options.swell_age = 43200.0;
    EXPECT_EQ(propagation_work(options).flop, told("the same with bins that spread"));
    EXPECT_EQ(propagation_work(options).bytes, 3.0 * sizeof(Real));
    const PhysicsOptions physics;
    EXPECT_EQ(source_work(physics, 36).flop, told("source terms with 36 directions"));
    EXPECT_EQ(term_work("four_wave", physics, 36).flop, told("of these the four-wave interaction"));
    EXPECT_EQ(term_work("wind_input", physics, 36).flop, told("wind input, in half"));
    EXPECT_EQ(term_work("whitecapping", physics, 36).flop, told("whitecapping"));
}

TEST(KernelWork, IsThatOfTheTermsThatAreUsed) {
    PhysicsOptions physics;
    const double all = source_work(physics, 36).flop;
    std::erase(physics.terms, "four_wave");
    EXPECT_EQ(source_work(physics, 36).flop, all - term_work("four_wave", physics, 36).flop);
    PropagationOptions options;
    options.scheme = PropagationScheme::second_order;
    const double limited = propagation_work(options).flop;
    options.limiter = false;
    EXPECT_LT(propagation_work(options).flop, limited);
    EXPECT_GT(term_work("whitecapping", physics, 72).flop, term_work("whitecapping", physics, 36).flop)
        << "as many more directions in the same angle";
}

TEST(KernelWork, LanesThatFewDirectionsLeaveIdle) {
    EXPECT_EQ(lanes_filled(16), 1.0);
    EXPECT_EQ(lanes_filled(32), 1.0);
    EXPECT_LE(lanes_filled(36), 1.0);
    EXPECT_GE(lanes_filled(36), 0.75);
}

}  // namespace
}  // namespace groundswell::sea
