#include "groundswell/sea/halo_exchange.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>

#include "groundswell/halo/registry.hpp"
#include "support/sea_propagation_case.hpp"

// Steps with an exchange between ranks have the bits of one rank's, whatever travels and whoever pushes it.
namespace groundswell::sea {
namespace {

using namespace test;

constexpr int steps = 3;

// What the progress thread must not do is seen by the thread sanitizer too: build with -fsanitize=thread.
class HaloExchangeTest : public testing::TestWithParam<PropagationScheme> {
protected:
    HaloExchangeTest() {
        options_.layers = Propagator::layers(GetParam());
        whole_ = voronoi::load_mesh(MPI_COMM_SELF, make_mesh, options_).mesh;
        test::Case sea(whole_, grid_, with_scheme(GetParam()));
        dt_ = 0.9 * sea.propagator.longest_step().seconds;
        sea.fill([&](int cell, int f, int d) { return value(whole_.id[cell], f, d); });
        for (int step = 0; step < steps; ++step) sea.step(dt_);
        expected_.resize(sea.old.size());
        for (int cell = 0; cell < whole_.owned; ++cell)
            std::memcpy(&expected_[whole_.id[cell] * grid_.stride()], &sea.old[cell * grid_.stride()],
                        grid_.bins() * sizeof(Real));
    }
    static voronoi::GlobalMesh make_mesh() { return voronoi::icosahedral(6, rough_depth); }
    static double value(std::int64_t id, int f, int d) {
        return 0.1 + noise(static_cast<int>(id) * 113 + f * 37 + d);
    }

    // Cells of this rank that differ from the one rank's.
    int different_cells(const HaloSection& halo) {
        const voronoi::LoadedMesh loaded = voronoi::load_mesh(MPI_COMM_WORLD, make_mesh, options_);
        const voronoi::LocalMesh& mesh = loaded.mesh;
        sea::Case run;
        run.file = "test";
        run.halo = halo;
        Propagator propagator(mesh, grid_, with_scheme(GetParam()));
        const auto plan =
            std::make_shared<const halo::Plan>(loaded.comm.get(), mesh.owned_ids(), mesh.halo_ids());
        halo::Field<Real> first(*plan, grid_.stride(), 0, field_memory(halo));
        halo::Field<Real> second(*plan, grid_.stride(), 0, field_memory(halo));
        const parallel::CpuSet cpus = parallel::cpus_of_computing_threads();
        std::optional<HaloExchange> made(std::in_place, run, plan, grid_, propagator, first);
        HaloExchange& exchange = *made;
        EXPECT_EQ(exchange.traffic().exchanges, 0);
        for (int cell = 0; cell < mesh.owned; ++cell)
            for (int f = 0; f < grid_.frequencies; ++f)
                for (int d = 0; d < grid_.directions; ++d)
                    first[cell][grid_.index(f, d)] = static_cast<Real>(value(mesh.id[cell], f, d));

        parallel::Profile profile;
        Real *old = first.data(), *next = second.data();
        for (int step = 0; step < steps; ++step) {
            exchange.start(old, profile);
            for (int cell = 0; cell < mesh.interior(); cell += 16) {
                propagator.propagate_cells(cell, std::min(cell + 16, mesh.interior()), next, old, dt_);
                if (exchange.wants_polls()) exchange.poll(profile);
            }
            exchange.finish(profile);
            propagator.propagate_cells(mesh.interior(), mesh.owned, next, old, dt_);
            std::swap(old, next);
        }
        int different = 0;
        for (int cell = 0; cell < mesh.owned; ++cell)
            different += std::memcmp(old + cell * grid_.stride(), &expected_[mesh.id[cell] * grid_.stride()],
                                     grid_.bins() * sizeof(Real)) != 0;
        EXPECT_EQ(exchange.traffic().exchanges, steps);
        const std::int64_t bytes = parallel::sum(loaded.comm.get(), exchange.traffic().bytes);
        const std::int64_t whole_bytes = parallel::sum(loaded.comm.get(), exchange.traffic().whole_bytes);
        EXPECT_EQ(exchange.selects(), bytes < whole_bytes);
        if (halo.directions == HaloDirections::needed && loaded.comm.size() > 1) {
            EXPECT_EQ(exchange.selects(), GetParam() == PropagationScheme::upwind);
        }
        made.reset();
        EXPECT_EQ(parallel::cpus_of_computing_threads(), cpus);
        return different;
    }

    const SpectralGrid grid_{3, 18, 0.05, 1.3};  // 54 bins: two values of padding
    voronoi::LoadOptions options_;
    voronoi::LocalMesh whole_;
    double dt_ = 0.0;
    std::vector<Real> expected_;  // [id]
};

TEST_P(HaloExchangeTest, GivesTheBitsOfOneRank) {
    for (const std::string_view transport : halo::transport_names())
        for (const HaloDirections directions :
             {HaloDirections::all, HaloDirections::needed, HaloDirections::automatic})
            for (const Progress progress : {Progress::none, Progress::polling, Progress::thread}) {
                HaloSection halo;
                halo.transport = transport;
                halo.directions = directions;
                halo.progress = progress;
                EXPECT_EQ(different_cells(halo), 0)
                    << transport << ", directions " << static_cast<int>(directions) << ", " << name(progress);
            }
}

INSTANTIATE_TEST_SUITE_P(schemes, HaloExchangeTest,
                         testing::Values(PropagationScheme::upwind, PropagationScheme::second_order));

}  // namespace
}  // namespace groundswell::sea
