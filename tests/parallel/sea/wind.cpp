// Wind that ranks read together: the bits that each would read alone, however the grid lies and is stored;
// what one rank meets, all hear of.
#include <gtest/gtest.h>
#include <mpi.h>
#include <netcdf.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "groundswell/base/constants.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/reduce.hpp"
#include "support/wind_files.hpp"
#include "support/wind_forcing.hpp"

namespace groundswell::sea {

using namespace test;
namespace {

base::Instant at(const std::string& text) {
    return *base::parse_instant(text);
}
const base::Instant day_one = at("2024-01-01"), day_two = at("2024-01-02");

class SeaWind : public testing::Test {
protected:
    SeaWind() {
        // One folder for all ranks.
        char name[256] = {};
        if (parallel::rank_of(MPI_COMM_WORLD) == 0)
            std::snprintf(name, sizeof(name), "%s", folder.file("wind.nc").c_str());
        MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, MPI_COMM_WORLD);
        path = name;
    }
    void TearDown() override { MPI_Barrier(MPI_COMM_WORLD); }

    void write(const WindFileMaker& maker) const {
        MPI_Barrier(MPI_COMM_WORLD);  // nobody has it open any more
        if (parallel::rank_of(MPI_COMM_WORLD) == 0) maker.write(path);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    static WindFileMaker globe() {
        WindFileMaker maker;
        maker.longitude.clear();
        maker.latitude.clear();
        for (int i = 0; i < 72; ++i) maker.longitude.push_back(5.0 * i);
        for (int i = 36; i >= -36; --i) maker.latitude.push_back(2.5 * i);
        maker.eastward = [](double t, double y, double x) { return 0.3 * t + 0.1 * y + std::sin(x); };
        maker.northward = [](double t, double y, double x) { return 5.0 - 0.1 * t + 0.001 * x * y; };
        return maker;
    }
    /// Cells of this rank: rings around a place of its own; the last of several ranks has none.
    void place_cells() {
        const bool none = parallel::size_of(MPI_COMM_WORLD) > 1 &&
                          parallel::rank_of(MPI_COMM_WORLD) == parallel::size_of(MPI_COMM_WORLD) - 1;
        for (int i = 0; !none && i < 60; ++i) {
            // Rank 0 lies across the longitude where the grid begins.
            longitude.push_back((70.0 * parallel::rank_of(MPI_COMM_WORLD) + 20.0 * std::cos(0.3 * i)) *
                                base::degree);
            latitude.push_back((15.0 * parallel::rank_of(MPI_COMM_WORLD) - 30.0 + 8.0 * std::sin(0.7 * i)) *
                               base::degree);
        }
    }
    WindForcing open(MPI_Comm comm, double check_mebibytes = 1024.0) const {
        return open(comm, path, check_mebibytes);
    }
    WindForcing open(MPI_Comm comm, const std::string& file, double check_mebibytes) const {
        FileOptions options{{file}, {}, false, check_mebibytes};
        return WindForcing(comm, "case.toml", {entry_of(options)}, longitude, latitude, day_one, day_two);
    }
    void expect_same_as_alone() const {
        WindForcing together = open(MPI_COMM_WORLD), alone = open(MPI_COMM_SELF);
        const std::size_t cells = longitude.size();
        std::vector<Real> u(cells), v(cells), own_u(cells), own_v(cells);
        for (const double hour : {0.0, 2.5, 6.0, 17.0, 24.0, 3.0}) {
            const base::Instant time = day_one + base::milliseconds(std::llround(hour * 3600e3));
            together.wind_at(time, u, v);
            alone.wind_at(time, own_u, own_v);
            EXPECT_EQ(u, own_u) << hour;
            EXPECT_EQ(v, own_v) << hour;
        }
    }

    TemporaryFolder folder;
    std::string path;
    std::vector<double> longitude, latitude;
};

TEST_F(SeaWind, IsThatWhichEachRankWouldReadAlone) {
    place_cells();
    for (const bool packed : {false, true}) {
        WindFileMaker maker = globe();
        maker.packed = packed;
        write(maker);
        expect_same_as_alone();
    }
    setenv("GROUNDSWELL_TEST_HOSTS", parallel::size_of(MPI_COMM_WORLD) > 1 ? "2,round-robin" : "1", 1);
    expect_same_as_alone();
    unsetenv("GROUNDSWELL_TEST_HOSTS");
}

TEST_F(SeaWind, PiecesThatAFileStoresAsOneAreReadByOneRank) {
    place_cells();
    write(globe());
    // The same file with all rows of a time in one compressed piece.
    const std::string chunked = path + "4";
    if (parallel::rank_of(MPI_COMM_WORLD) == 0) {
        int in = 0, out = 0, dimensions[3] = {}, variables = 0;
        char name[NC_MAX_NAME + 1] = {};
        ASSERT_EQ(nc_open(path.c_str(), NC_NOWRITE, &in), NC_NOERR);
        ASSERT_EQ(nc_create(chunked.c_str(), NC_NETCDF4, &out), NC_NOERR);
        for (int d = 0; d < 3; ++d) {
            std::size_t length = 0;
            ASSERT_EQ(nc_inq_dim(in, d, name, &length), NC_NOERR);
            ASSERT_EQ(nc_def_dim(out, name, length, &dimensions[d]), NC_NOERR);
        }
        nc_inq_nvars(in, &variables);
        for (int v = 0; v < variables; ++v) {
            int rank = 0, attributes = 0, id = 0, of[3] = {};
            nc_type type = NC_NAT;
            ASSERT_EQ(nc_inq_var(in, v, name, &type, &rank, of, &attributes), NC_NOERR);
            ASSERT_EQ(nc_def_var(out, name, type, rank, of, &id), NC_NOERR);
            if (rank == 3) {
                const std::size_t pieces[3] = {1, 73, 72};
                ASSERT_EQ(nc_def_var_chunking(out, id, NC_CHUNKED, pieces), NC_NOERR);
                ASSERT_EQ(nc_def_var_deflate(out, id, 1, 1, 1), NC_NOERR);
            }
            for (int a = 0; a < attributes; ++a) {
                char attribute[NC_MAX_NAME + 1] = {};
                nc_inq_attname(in, v, a, attribute);
                ASSERT_EQ(nc_copy_att(in, v, attribute, out, id), NC_NOERR);
            }
            std::vector<double> values(5 * 73 * 72);
            ASSERT_EQ(nc_get_var_double(in, v, values.data()), NC_NOERR);
            ASSERT_EQ(nc_put_var_double(out, id, values.data()), NC_NOERR);
        }
        ASSERT_EQ(nc_close(in), NC_NOERR);
        ASSERT_EQ(nc_close(out), NC_NOERR);
    }
    path = chunked;
    MPI_Barrier(MPI_COMM_WORLD);
    expect_same_as_alone();
    const std::int64_t readers =
        parallel::sum(MPI_COMM_WORLD, std::int64_t{open(MPI_COMM_WORLD).cost().bytes_read > 0});
    EXPECT_EQ(readers, 1);
}

TEST_F(SeaWind, BandsDoNotOverlap) {
    // All ranks need the same rows: each reads its share of them, and no more.
    for (int i = 0; i < 20; ++i) {
        longitude.push_back((100.0 + i) * base::degree);
        latitude.push_back((2.0 * i - 20.0) * base::degree);
    }
    write(globe());
    const std::int64_t alone = open(MPI_COMM_SELF).cost().bytes_read;
    const std::int64_t mine = open(MPI_COMM_WORLD).cost().bytes_read;
    EXPECT_EQ(parallel::sum(MPI_COMM_WORLD, mine), alone);
    EXPECT_LE(mine, alone / parallel::size_of(MPI_COMM_WORLD) + alone / 16);
    EXPECT_LE(open(MPI_COMM_WORLD).cost().messages, 16 * (parallel::size_of(MPI_COMM_WORLD) - 1));
}

TEST_F(SeaWind, ABadValueInOneRanksWindowIsRefusedByAll) {
    place_cells();
    WindFileMaker maker = globe();
    // In rank 0's ring, late in the run.
    maker.northward = [](double t, double y, double x) {
        return t == 18.0 && x == 15.0 && y == -30.0 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    };
    write(maker);
    EXPECT_TRUE(says(refusal_of([&] { open(MPI_COMM_WORLD); }), {"wind.nc", "v10", "15", "-30"}));
    // Unchecked at the start, it ends the run on all ranks when its time comes.
    WindForcing forcing = open(MPI_COMM_WORLD, 0.0);
    std::vector<Real> u(longitude.size()), v(longitude.size());
    forcing.wind_at(day_one + base::seconds(3600), u, v);
    EXPECT_THROW(forcing.wind_at(day_one + base::seconds(17 * 3600), u, v), base::RunFailure);
}

TEST_F(SeaWind, ARankThatCannotOpenTheFileEndsAll) {
    place_cells();
    write(globe());
    const bool lost = parallel::rank_of(MPI_COMM_WORLD) == parallel::size_of(MPI_COMM_WORLD) - 1;
    const std::string mine = lost ? "/nowhere/wind.nc" : path;
    EXPECT_TRUE(says(refusal_of([&] { open(MPI_COMM_WORLD, mine, 1024.0); }), {"/nowhere/wind.nc"}));
}

}  // namespace
}  // namespace groundswell::sea
