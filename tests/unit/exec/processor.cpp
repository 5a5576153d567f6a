// Which processor this is, from what Linux tells; and limits that are numbers at all.

#include <gtest/gtest.h>

#include "groundswell/exec/instruction_set.hpp"
#include "groundswell/exec/launch.hpp"
#include "groundswell/exec/limit_kernels.hpp"
#include "groundswell/exec/machine_limits.hpp"

namespace groundswell::exec {
namespace {

TEST(Processor, IsToldByMoreThanItsName) {
    const std::string first =
        "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\n"
        "model name\t: AMD EPYC\nstepping\t: 1\n\n";
    const std::string identity = processor_identity(first + "processor\t: 1\nmodel name\t: other\n");
    EXPECT_EQ(identity, "AMD EPYC, cpu family 26, model 2, stepping 1");
    std::string newer = first;
    newer.replace(newer.find("26"), 2, "27");
    EXPECT_NE(processor_identity(newer), identity) << "the same name";
    EXPECT_EQ(processor_identity("processor\t: 0\nCPU implementer\t: 0x41\nCPU variant\t: 0x1\nCPU part\t: "
                                 "0xd40\nCPU revision\t: 1\n"),
              "CPU implementer 0x41, CPU variant 0x1, CPU part 0xd40, CPU revision 1");
    EXPECT_EQ(processor_identity(""), "");
}

TEST(Processor, HasALastCache) {
    EXPECT_GT(last_cache().bytes, 0);
    EXPECT_GT(last_cache().cpus, 0);
}

// In the end every chain stands at addend/(1 - factor): all operations were done, on all numbers.
template <class Real>
void expect_all_done(const MultiplyAdds<Real>& loop, int register_bytes) {
    const auto numbers = static_cast<double>(loop.operations_in_round / 2);
    EXPECT_EQ(loop.operations_in_round % (2 * register_bytes / static_cast<int>(sizeof(Real))), 0);
    EXPECT_NEAR(loop.run(100000, Real(0.5), Real(1)), 2.0 * numbers, 1e-3);
    // After one round the chain that starts at i·addend stands at i·addend·factor + addend.
    const double chains = numbers * static_cast<double>(sizeof(Real)) / register_bytes,
                 lanes = numbers / chains;
    EXPECT_NEAR(loop.run(1, Real(0.5), Real(1)), lanes * (0.25 * chains * (chains - 1.0) + chains), 1e-3);
}

TEST(Limits, OfArithmeticCountWhatIsDone) {
    const LimitKernels& kernels = limit_kernels();
    expect_all_done(kernels.of_float, register_bytes(instruction_set()));
    expect_all_done(kernels.of_double, register_bytes(instruction_set()));
}

TEST(Limits, AreMeasured) {
    set_threads(2);
    EXPECT_GT(measure_stream(Care::quick), 0.0);
    EXPECT_GT(measure_peak<float>(Care::quick), 0.0);
    EXPECT_GT(measure_peak<double>(Care::quick), 0.0);
    set_threads(1);
    EXPECT_GE(stream_bytes(Care::quick), 3 * last_cache().bytes) << "more than the last cache holds";
    EXPECT_LE(stream_bytes(Care::quick, 1000), stream_bytes(Care::quick));
}

}  // namespace
}  // namespace groundswell::exec
