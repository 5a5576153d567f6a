// Many more ranks than cores read a mesh, a wind and a restart together. What a rank sends, reads and holds
// at start follows from its cells, not from the number of ranks: with as many cells to a rank it is the same
// among 64 ranks as among 16, and of one mesh 64 ranks read, send and hold less each than 4 do.
#include <gtest/gtest.h>
#include <mpi.h>
#include <netcdf.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/mesh/voronoi/load.hpp"
#include "groundswell/mesh/voronoi/mesh_file.hpp"
#include "groundswell/mesh/voronoi/ordering.hpp"
#include "groundswell/mesh/voronoi/synthetic.hpp"
#include "groundswell/output/distributed_read.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/many_ranks.hpp"
#include "support/mesh/write_mesh.hpp"
#include "support/wind_files.hpp"
#include "support/wind_forcing.hpp"

namespace {

using namespace groundswell;
using namespace groundswell::test;

voronoi::GlobalMesh globe(int k) {
    return voronoi::order_along_curve(voronoi::icosahedral(k, 4000.0));
}

class ManyReaders : public StartAmongRanks {
protected:
    void TearDown() override {
        on_rank_0([&] { std::filesystem::remove(parts()); });
        StartAmongRanks::TearDown();
    }
    std::string parts() const { return path + ".part"; }
    Costs load(MPI_Comm comm, graph::PartitionMethod method = graph::PartitionMethod::two_level) const {
        voronoi::LoadOptions options;
        if (method == graph::PartitionMethod::file) options.part_file = parts();
        options.layers = 2;
        options.method = method;
        parallel::ReadCost cost;
        const std::int64_t held = peak_of([&] {
            voronoi::LoadCost all = voronoi::load_mesh(comm, path, options).cost;
            all.bytes_read -= all.outline_bytes;
            cost = all;
        });
        return worst_costs(comm, cost, held);
    }
};

TEST_F(ManyReaders, AMeshOfAsManyCellsToARankCostsEachAsMuch) {
    // 160 cells to a rank among 4, 16 and 64.
    const auto of = among(
        "mesh, 160 cells a rank",
        [&](int ranks) {
            voronoi::write_mesh(globe(static_cast<int>(std::lround(4.0 * std::sqrt(ranks)))), path);
        },
        [&](MPI_Comm comm) { return load(comm); });
    for (const Costs& costs : of) {
        if (costs.ranks != 64) continue;
        const Costs& sixteen = of[2];
        expect_no_growth(costs.messages.others, sixteen.messages.others, "messages", 64);
        expect_no_growth(costs.messages.first, sixteen.messages.others, "messages of rank 0", 64);
        expect_no_growth(costs.sent.others, sixteen.sent.others, "bytes sent", 64);
        expect_no_growth(costs.read.others, sixteen.read.others, "bytes read", 64);
        expect_no_growth(costs.read.first, sixteen.read.others, "bytes read by rank 0, but the outline", 64);
        expect_no_growth(costs.held.others, sixteen.held.others, "bytes held", 64);
        // What rank 0 holds more is what cutting needs: it grows with the mesh.
        const std::int64_t cells = 10 * 32 * 32 + 2;
        EXPECT_LT(costs.held.first - costs.held.others, 250 * cells);
    }
}

// The rank that has read the first cell of a sea answers every other rank once.
constexpr bool one_answers_all = true;

TEST_F(ManyReaders, AMeshCutAlongTheCurveCostsRank0NoMoreThanOthers) {
    expect_as_much_of_all(among(
                              "curve, 160 cells a rank",
                              [&](int ranks) {
                                  voronoi::write_mesh(
                                      globe(static_cast<int>(std::lround(4.0 * std::sqrt(ranks)))), path);
                              },
                              [&](MPI_Comm comm) { return load(comm, graph::PartitionMethod::curve); }),
                          one_answers_all);
}

TEST_F(ManyReaders, AMeshCutBeforehandCostsRank0NoMoreThanOthers) {
    expect_as_much_of_all(among(
                              "file, 160 cells a rank",
                              [&](int ranks) {
                                  const voronoi::GlobalMesh mesh =
                                      globe(static_cast<int>(std::lround(4.0 * std::sqrt(ranks))));
                                  voronoi::write_mesh(mesh, path);
                                  std::ofstream file(parts());
                                  for (const int part : graph::partition(voronoi::graph_of(mesh), ranks).part)
                                      file << part << '\n';
                              },
                              [&](MPI_Comm comm) { return load(comm, graph::PartitionMethod::file); }),
                          one_answers_all);
}

TEST_F(ManyReaders, OfOneMeshManyRanksReadSendAndHoldLessEach) {
    const auto of = among(
        "mesh, 10 242 cells",
        [&](int ranks) {
            if (ranks == 4) voronoi::write_mesh(globe(32), path);
        },
        [&](MPI_Comm comm) { return load(comm); });
    for (std::size_t i = 1; i < of.size(); ++i) {
        EXPECT_LT(of[i].read.others, of[i - 1].read.others);
        EXPECT_LT(of[i].sent.others, of[i - 1].sent.others);
        EXPECT_LT(of[i].held.others, of[i - 1].held.others);
    }
}

TEST_F(ManyReaders, WindIsSharedByNoMoreThanEightRanks) {
    const auto file = path;
    const auto of = among(
        "wind, 181 x 360",
        [&](int ranks) {
            if (ranks != 4) return;
            test::WindFileMaker maker;
            maker.longitude.clear();
            maker.latitude.clear();
            for (int i = 0; i < 360; ++i) maker.longitude.push_back(i);
            for (int i = -90; i <= 90; ++i) maker.latitude.push_back(i);
            maker.eastward = [](double, double y, double x) { return 1.0 + 0.1 * y + 0.01 * x; };
            maker.northward = [](double t, double y, double) { return 2.0 + 0.1 * t - 0.05 * y; };
            maker.write(file);
        },
        [&](MPI_Comm comm) {
            const voronoi::LocalMesh mesh = voronoi::load_mesh(comm, [] { return globe(32); }).mesh;
            const auto owned = static_cast<std::size_t>(mesh.owned);
            const std::span<const double> lon(mesh.lon.data(), owned), lat(mesh.lat.data(), owned);
            const base::Instant start = *base::parse_instant("2024-01-01"),
                                end = *base::parse_instant("2024-01-02");
            const sea::ForcingEntries entries = {test::entry_of(sea::FileOptions{{file}, {}})};
            parallel::ReadCost cost;
            std::vector<sea::Real> u(owned), v(owned), u_alone(owned), v_alone(owned);
            const std::int64_t held = peak_of([&] {
                test::WindForcing wind(comm, "case.toml", entries, lon, lat, start, end);
                wind.wind_at(end, u, v);
                cost = wind.cost();
            });
            test::WindForcing alone(MPI_COMM_SELF, "case.toml", entries, lon, lat, start, end);
            alone.wind_at(end, u_alone, v_alone);
            EXPECT_EQ(u, u_alone);
            EXPECT_EQ(v, v_alone);
            return worst_costs(comm, cost, held);
        });
    for (std::size_t i = 1; i < of.size(); ++i) {
        // Groups of eight from eight ranks on; of more ranks each needs a smaller piece.
        if (of[i].ranks > 8) {
            EXPECT_LE(of[i].messages.others, of[1].messages.others + of[1].messages.others / 4);
        }
        EXPECT_LT(of[i].read.others, of[i - 1].read.others);
        EXPECT_LT(of[i].held.others, of[i - 1].held.others);
    }
}

TEST_F(ManyReaders, ARestartIsReadInContiguousPieces) {
    constexpr int k = 32, width = 72;
    constexpr std::size_t cells = 10 * k * k + 2;
    const auto value = [](std::int64_t row, int i) { return static_cast<float>(row) + 0.001f * i; };
    const auto of = among(
        "restart, 10 242 x 72",
        [&](int ranks) {
            if (ranks != 4) return;
            int file = 0, dimensions[2] = {}, variable = 0;
            ASSERT_EQ(nc_create(path.c_str(), NC_CLOBBER | NC_64BIT_DATA, &file), NC_NOERR);
            nc_def_dim(file, "nFace", cells, &dimensions[0]);
            nc_def_dim(file, "direction", width, &dimensions[1]);
            nc_def_var(file, "action", NC_FLOAT, 2, dimensions, &variable);
            nc_enddef(file);
            std::vector<float> values;
            for (std::int64_t row = 0; row < static_cast<std::int64_t>(cells); ++row)
                for (int i = 0; i < width; ++i) values.push_back(value(row, i));
            ASSERT_EQ(nc_put_var_float(file, variable, values.data()), NC_NOERR);
            ASSERT_EQ(nc_close(file), NC_NOERR);
        },
        [&](MPI_Comm comm) {
            const voronoi::LocalMesh mesh = voronoi::load_mesh(comm, [] { return globe(k); }).mesh;
            const auto owned = static_cast<std::size_t>(mesh.owned);
            std::vector<float> values(owned * (width + 4));
            parallel::ReadCost cost;
            const std::int64_t held = peak_of([&] {
                const output::Decomposition faces(comm, mesh.global_cells, {mesh.face.data(), owned});
                output::Rearranger rearranger;
                const output::Reader file(path);
                cost = output::read_distributed<float>(file, "action", faces, rearranger, values, width + 4);
            });
            for (std::size_t c = 0; c < owned; ++c)
                for (int i = 0; i < width; ++i)
                    EXPECT_EQ(values[c * (width + 4) + static_cast<std::size_t>(i)], value(mesh.face[c], i));
            EXPECT_EQ(parallel::sum(comm, cost.bytes_read), std::int64_t{cells * width * 4});
            return worst_costs(comm, cost, held);
        });
    for (std::size_t i = 1; i < of.size(); ++i) {
        EXPECT_LT(of[i].read.others, of[i - 1].read.others);
        EXPECT_LT(of[i].sent.others, of[i - 1].sent.others);
        EXPECT_LT(of[i].held.others, of[i - 1].held.others);
        EXPECT_LE(of[i].messages.others, 16);
    }
}

}  // namespace
