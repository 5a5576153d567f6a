#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <string>

#include "groundswell/mesh/voronoi/load.hpp"
#include "support/sea/schemes.hpp"
#include "support/sea_propagation_case.hpp"

namespace groundswell::sea {
namespace {

using namespace test;

class PropagationOnAGenuineMesh : public testing::TestWithParam<PropagationOptions> {};

TEST_P(PropagationOnAGenuineMesh, ActionIsConservedAndPositiveOnAGenuineMpasMesh) {
    const char* const data = std::getenv("GROUNDSWELL_TEST_DATA");
    if (!data) GTEST_SKIP() << "GROUNDSWELL_TEST_DATA is not set";
    voronoi::LoadOptions options;
    options.layers = 2;
    options.read.uniform_depth = 4000.0;
    Case sea(
        voronoi::load_mesh(MPI_COMM_SELF, std::string(data) + "/mesh/mpas_QU_1920km_151026.nc", options).mesh,
        SpectralGrid(3, 36, 0.06, 1.3), GetParam());
    sea.fill([](int cell, int f, int d) { return noise(cell * 113 + f * 37 + d) > 0.8 ? 1.0 : 0.0; });
    const double before = sea.action(0), dt = 0.999 * sea.propagator.longest_step().seconds;
    const int steps = 30;
    for (int i = 0; i < steps; ++i) {
        sea.step(dt);
        ASSERT_GE(sea.smallest(), Real(0));
    }
    EXPECT_NEAR(sea.action(0) / before, 1.0, 2 * steps * rounding);
}

INSTANTIATE_TEST_SUITE_P(schemes, PropagationOnAGenuineMesh, all_schemes, name_of_scheme);

}  // namespace
}  // namespace groundswell::sea
