#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "groundswell/mesh/voronoi/load.hpp"
#include "support/sea/schemes.hpp"
#include "support/sea_propagation_case.hpp"

// The bits of a step do not depend on how the mesh is cut, and interior cells do not wait for the halo.
namespace groundswell::sea {
namespace {

using namespace test;

voronoi::GlobalMesh make_mesh() {
    return voronoi::icosahedral(9, [](double lon, double lat) {
        return std::cos(lon) * std::cos(lat) > 0.8 ? -1.0 : rough_depth(lon, lat);
    });
}

class PropagationInParts : public testing::TestWithParam<PropagationOptions> {};

TEST_P(PropagationInParts, HasTheBitsOfOneRank) {
    const SpectralGrid grid(4, 24, 0.05, 1.3);
    voronoi::LoadOptions load;
    load.layers = Propagator::layers(GetParam().scheme);
    Case part(voronoi::load_mesh(MPI_COMM_WORLD, make_mesh, load).mesh, grid, GetParam());
    Case whole(voronoi::load_mesh(MPI_COMM_SELF, make_mesh, load).mesh, grid, GetParam());

    double dt = 0.9 * part.propagator.longest_step().seconds;
    MPI_Allreduce(MPI_IN_PLACE, &dt, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    EXPECT_EQ(dt, 0.9 * whole.propagator.longest_step().seconds);

    const auto fill = [](Case& sea) {
        sea.fill([&](int cell, int f, int d) {
            return noise(static_cast<int>(sea.mesh.id[cell]) * 113 + f * 37 + d);
        });
    };
    fill(whole);
    whole.propagator.propagate_cells(0, whole.mesh.owned, whole.next.data(), whole.old.data(), dt);

    fill(part);
    std::fill(part.old.begin() + part.mesh.owned * grid.stride(), part.old.end(),
              std::numeric_limits<Real>::quiet_NaN());
    part.propagator.propagate_cells(0, part.mesh.interior(), part.next.data(), part.old.data(), dt);
    fill(part);
    part.propagator.propagate_cells(part.mesh.interior(), part.mesh.owned, part.next.data(), part.old.data(),
                                    dt);

    std::vector<int> place(whole.mesh.global_cells);
    for (int cell = 0; cell < whole.mesh.owned; ++cell) place[whole.mesh.id[cell]] = cell;
    int different = 0;
    for (int cell = 0; cell < part.mesh.owned; ++cell)
        different += std::memcmp(&part.next[cell * grid.stride()],
                                 &whole.next[place[part.mesh.id[cell]] * grid.stride()],
                                 grid.bins() * sizeof(Real)) != 0;
    EXPECT_EQ(different, 0);
}

INSTANTIATE_TEST_SUITE_P(schemes, PropagationInParts,
                         testing::Values(PropagationScheme::upwind, PropagationScheme::second_order));

}  // namespace
}  // namespace groundswell::sea
