#include "groundswell/sea/halo_exchange.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <string>

#include "groundswell/halo/registry.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
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
    int different_cells(const halo::ExchangeOptions& options) {
        const voronoi::LoadedMesh loaded = voronoi::load_mesh(MPI_COMM_WORLD, make_mesh, options_);
        const voronoi::LocalMesh& mesh = loaded.mesh;
        sea::Case run;
        run.file = "test";
        run.halo = {options};
        Propagator propagator(mesh, grid_, with_scheme(GetParam()));
        const auto plan =
            std::make_shared<const halo::Plan>(loaded.comm.get(), mesh.owned_ids(), mesh.halo_ids());
        halo::Field<Real> first(*plan, grid_.stride(), 0, options.memory());
        halo::Field<Real> second(*plan, grid_.stride(), 0, options.memory());
        const parallel::CpuSet cpus = parallel::cpus_of_computing_threads();
        parallel::Profile profile;
        std::optional<halo::Exchanges> made =
            make_exchange(run, plan, grid_, propagator, first.data(), profile);
        halo::Exchanges& exchange = *made;
        EXPECT_EQ(exchange.traffic().exchanges, 0);
        for (int cell = 0; cell < mesh.owned; ++cell)
            for (int f = 0; f < grid_.frequencies; ++f)
                for (int d = 0; d < grid_.directions; ++d)
                    first[cell][grid_.index(f, d)] = static_cast<Real>(value(mesh.id[cell], f, d));

        Real *old = first.data(), *next = second.data();
        for (int step = 0; step < steps; ++step) {
            exchange.start(old);
            exchange.compute(mesh.interior(), 16, [&](std::int32_t begin, std::int32_t end) {
                propagator.propagate_cells(begin, end, next, old, dt_);
            });
            exchange.finish();
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
        if (options.values == halo::Values::selected && loaded.comm.size() > 1) {
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
        for (const halo::Values values : {halo::Values::all, halo::Values::selected, halo::Values::automatic})
            for (const halo::Progress progress :
                 {halo::Progress::none, halo::Progress::polling, halo::Progress::thread}) {
                halo::ExchangeOptions options;
                options.transport = transport;
                options.values = values;
                options.progress = progress;
                EXPECT_EQ(different_cells(options), 0)
                    << transport << ", values " << static_cast<int>(values) << ", " << name(progress);
            }
}

INSTANTIATE_TEST_SUITE_P(schemes, HaloExchangeTest,
                         testing::Values(PropagationScheme::upwind, PropagationScheme::second_order));

}  // namespace
}  // namespace groundswell::sea
