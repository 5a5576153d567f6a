#include "groundswell/output/file.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <limits>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/distributed_read.hpp"
#include "support/output_dataset.hpp"

// What every mode and number of ranks must hold: the values come back, the bytes do not depend on who wrote
// them.
namespace {

using namespace groundswell;
using namespace dataset;

class OutputFile : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Modes, OutputFile, testing::ValuesIn(available_modes()),
                         [](const auto& each) { return each.param; });

TEST_P(OutputFile, GivesScatteredRowsBackExactly) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    write(MPI_COMM_WORLD, path, GetParam(), 3);
    EXPECT_EQ(wrong_values(path, 3), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(OutputFile, HoldsWhatTheSchemaSays) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    write(MPI_COMM_WORLD, path, GetParam(), 1);
    const auto difference = first_difference(Reader(path).schema(), schema());
    EXPECT_FALSE(difference.has_value()) << difference->key << ": " << difference->found;
    EXPECT_EQ(Reader(path).text_attribute("title"), "a dataset for tests");
    EXPECT_EQ(Reader(path).number_attribute("scales"), 1.0);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(OutputFile, HasTheSameBytesForAnyNumberOfRanks) {
    const Folder folder;
    write(MPI_COMM_WORLD, folder / "many.nc", GetParam(), 3);
    if (world_rank() == 0) {
        write(MPI_COMM_SELF, folder / "one.nc", GetParam(), 3);
        EXPECT_TRUE(bytes_of(folder / "many.nc") == bytes_of(folder / "one.nc"));
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(OutputFile, ContinuesAfterARestartAsIfThereHadBeenNone) {
    const Folder folder;
    const Part part(MPI_COMM_WORLD);
    write(MPI_COMM_WORLD, folder / "whole.nc", GetParam(), 5);
    write(MPI_COMM_WORLD, folder / "cut.nc", GetParam(), 4);
    File file =
        File::reopen(MPI_COMM_WORLD, folder / "cut.nc", schema(), time_of(2), {GetParam(), false, {}});
    EXPECT_EQ(file.records(), 3);
    EXPECT_EQ(wrong_values(folder / "cut.nc", 3), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    part.append(file, 3);
    part.append(file, 4);
    file.close();
    EXPECT_TRUE(bytes_of(folder / "cut.nc") == bytes_of(folder / "whole.nc"));
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(OutputFile, CanBeContinuedBeforeItsFirstRecord) {
    const Folder folder;
    const Part part(MPI_COMM_WORLD);
    write(MPI_COMM_WORLD, folder / "file.nc", GetParam(), 2);
    File file = File::reopen(MPI_COMM_WORLD, folder / "file.nc", schema(), -1.0, {GetParam(), false, {}});
    EXPECT_EQ(file.records(), 0);
    part.append(file, 0);
    file.close();
    EXPECT_EQ(wrong_values(folder / "file.nc", 1), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

// Of a killed run's file that had no header yet nothing but another name is left.
TEST_P(OutputFile, HasItsNameOnlyWithAHeader) {
    const Folder folder;
    if (world_rank() == 0) {
        std::ofstream(folder / "file.nc.part") << "what a killed run left";
        std::filesystem::create_directories(folder / "never.nc.part/full");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    write(MPI_COMM_WORLD, folder / "file.nc", GetParam(), 1);
    EXPECT_EQ(wrong_values(folder / "file.nc", 1), 0);
    EXPECT_FALSE(std::filesystem::exists(folder / "file.nc.part"));
    EXPECT_THROW(File::create(MPI_COMM_WORLD, folder / "never.nc", schema(), {GetParam(), false, {}}),
                 base::Refusal);
    EXPECT_FALSE(std::filesystem::exists(folder / "never.nc"));
    MPI_Barrier(MPI_COMM_WORLD);
}

// In CDF-5 the first record may begin behind the end of what is before it.
TEST_P(OutputFile, MayEndWithoutAnyRecord) {
    const Folder folder;
    Schema records;
    records.dimensions = {{"time", 0, true}, {"nFace", dataset::faces}};
    records.variables = {{"time", Type::float64, {"time"}, {}}, {"hs", Type::float32, {"time", "nFace"}, {}}};
    const std::string path = folder / "file.nc";
    File::create(MPI_COMM_WORLD, path, records, {GetParam(), false, {}}).close();
    File file = File::reopen(MPI_COMM_WORLD, path, records, 0.0, {GetParam(), false, {}});
    EXPECT_EQ(file.records(), 0);
    file.close();
    EXPECT_EQ(Reader(path).records(), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(OutputFile, IsNotContinuedWithAnotherSchema) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    write(MPI_COMM_WORLD, path, GetParam(), 2);
    Schema longer = schema();
    longer.dimensions[1].length = faces + 1;
    Schema renamed = schema();
    renamed.variables[4].attributes[0] = {"units", "cm"};
    Schema younger = schema();
    younger.attributes[1] = {"history", "made later"};
    const auto reopen = [&](const Schema& other) {
        try {
            File::reopen(MPI_COMM_WORLD, path, other, 1e9, {GetParam(), false, {}}).close();
            return std::string();
        } catch (const base::Refusal& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(reopen(longer),
              path + ": dimension nFace = 101: expected 102, to be continued after a restart");
    EXPECT_EQ(reopen(renamed), path + ": hs:units = \"m\": expected \"cm\", to be continued after a restart");
    EXPECT_EQ(reopen(younger), "");
    EXPECT_EQ(wrong_values(path, 2), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(OutputFile, ShowsEachRecordAsSoonAsItIsAppended) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    const Part part(MPI_COMM_WORLD);
    File file = File::create(MPI_COMM_WORLD, path, schema(), {GetParam(), false, {}});
    part.write_fixed(file);
    for (std::int64_t record = 0; record < 3; ++record) {
        EXPECT_EQ(wrong_values(path, record), 0);
        MPI_Barrier(MPI_COMM_WORLD);
        part.append(file, record);
    }
    EXPECT_EQ(wrong_values(path, 3), 0);
    EXPECT_EQ(file.bytes_written(), faces * (corners * 4 + 8) + 4 + 3 * (8 + faces * (4 + bins * 4)));
    MPI_Barrier(MPI_COMM_WORLD);
    // No close: what a run leaves behind that ended at this point.
}

TEST_P(OutputFile, AsksForEveryRecordVariableOnce) {
    const Folder folder;
    const Part part(MPI_COMM_WORLD);
    File file = File::create(MPI_COMM_WORLD, folder / "file.nc", schema(), {GetParam(), false, {}});
    const std::vector<float> heights(part.owned.size(), 1.0f);
    const std::vector<Values> lacking{distributed<float>("hs", part.decomposition, heights)};
    EXPECT_THROW(file.append_record(0.0, lacking), base::Defect);
    EXPECT_THROW(file.write_fixed(distributed<float>("hs", part.decomposition, heights)), base::Defect);
    EXPECT_THROW(file.write_fixed(distributed<float>("mesh_cell", part.decomposition, heights)),
                 base::Defect);
    EXPECT_THROW(file.close(), base::Defect);  // the variables without time are not there yet
    part.write_fixed(file);
    file.close();
    EXPECT_THROW(part.append(file, 0), base::Defect);
}

TEST_P(OutputFile, RefusesAFileThatExists) {
    const Folder folder;
    const std::string path = folder / "file.nc";
    write(MPI_COMM_WORLD, path, GetParam(), 2);
    try {
        write(MPI_COMM_WORLD, path, GetParam(), 1);
        FAIL() << "not refused";
    } catch (const base::Refusal& error) {
        EXPECT_EQ(std::string(error.what()),
                  path + ": expected a file that does not exist yet (or --overwrite)");
    }
    EXPECT_EQ(wrong_values(path, 2), 0);
    MPI_Barrier(MPI_COMM_WORLD);
    const Part part(MPI_COMM_WORLD);
    File file = File::create(MPI_COMM_WORLD, path, schema(), {GetParam(), true, {}});
    part.write_fixed(file);
    part.append(file, 0);
    file.close();
    EXPECT_EQ(wrong_values(path, 1), 0);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(OutputModes, GiveTheSameContent) {
    const Folder folder;
    if (available_modes().size() < 2) GTEST_SKIP() << "this build has one mode";
    write(MPI_COMM_WORLD, folder / "direct.nc", "direct", 2);
    write(MPI_COMM_WORLD, folder / "serial.nc", "serial", 2);
    const Reader direct(folder / "direct.nc"), serial(folder / "serial.nc");
    EXPECT_FALSE(first_difference(direct.schema(), serial.schema()).has_value());
    for (const Variable& variable : schema().variables) {
        for (std::int64_t record = 0; record < 2; ++record) {
            EXPECT_EQ(direct.read_all<double>(variable.name, record),
                      serial.read_all<double>(variable.name, record));
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(OutputReader, GivesEachRankItsOwnRowsOutOfPieces) {
    const Folder folder;
    write(MPI_COMM_WORLD, folder / "file.nc", "auto", 2);
    const Reader reader(folder / "file.nc");
    const Part part(MPI_COMM_WORLD);
    const std::vector<std::int64_t>& owned = part.owned;
    // Two rows to a piece, and room between the rows that nothing may be written to.
    Rearranger rearranger(2 * bins * static_cast<std::int64_t>(sizeof(float)));
    constexpr std::int64_t stride = bins + 3;
    std::vector<float> energies(owned.size() * stride, -1.0f);
    read_distributed<float>(reader, "energy", part.decomposition, rearranger, energies, stride, 1);
    for (std::size_t i = 0; i < owned.size(); ++i) {
        for (std::int64_t bin = 0; bin < stride; ++bin) {
            ASSERT_EQ(energies[i * stride + static_cast<std::size_t>(bin)],
                      bin < bins ? energy(1, owned[i], bin) : -1.0f);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

// Rows are cut into pieces so small that each holds two of them: all of them must come out, once, in order.
TEST(Rearranger, CutsBlocksIntoPieces) {
    const Part part(MPI_COMM_WORLD);
    std::vector<std::int64_t> values;
    for (const std::int64_t face : part.owned) values.insert(values.end(), {face, -face, 17});
    Rearranger rearranger(2 * 16);
    const Block block = part.decomposition.block(world_rank());
    std::int64_t next = block.begin;
    for (std::int64_t number = 0; number < rearranger.pieces(part.decomposition, {16}); ++number) {
        const auto piece = rearranger.gather(
            part.decomposition, reinterpret_cast<const std::byte*>(values.data()), {16, 24}, number);
        ASSERT_LE(piece.rows, 2);
        ASSERT_EQ(piece.first_row, next);
        const auto* rows = reinterpret_cast<const std::int64_t*>(piece.bytes.data());
        for (std::int64_t i = 0; i < piece.rows; ++i, ++next) {
            EXPECT_EQ(rows[2 * i], next);
            EXPECT_EQ(rows[2 * i + 1], -next);
        }
    }
    EXPECT_EQ(next, block.end);
}

TEST(Decomposition, RefusesRowsOwnedTwiceOrNever) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<std::int64_t> owned = Part::list(MPI_COMM_WORLD, faces);
    if (world_rank() == 0) owned.push_back(owned.front());
    EXPECT_THROW(Decomposition(MPI_COMM_WORLD, faces, owned), base::Defect);
    owned = Part::list(MPI_COMM_WORLD, faces);
    if (world_rank() == ranks - 1) owned.pop_back();
    EXPECT_THROW(Decomposition(MPI_COMM_WORLD, faces, owned), base::Defect);
    owned = Part::list(MPI_COMM_WORLD, faces);
    if (world_rank() == 0) owned.push_back(faces);
    EXPECT_THROW(Decomposition(MPI_COMM_WORLD, faces, owned), base::Defect);
}

// Two rows on up to four ranks: blocks without rows are as good as any.
TEST(Decomposition, MayHaveFewerRowsThanRanks) {
    const std::vector<std::int64_t> all{1, 0};
    const std::vector<std::int64_t> owned = world_rank() == 0 ? all : std::vector<std::int64_t>{};
    const Decomposition decomposition(MPI_COMM_WORLD, 2, owned);
    Schema small;
    small.dimensions = {{"station", 2}};
    small.variables = {{"depth", Type::float64, {"station"}, {}}};
    const Folder folder;
    File file = File::create(MPI_COMM_WORLD, folder / "file.nc", small);
    const std::vector<double> depth =
        world_rank() == 0 ? std::vector<double>{20.0, 10.0} : std::vector<double>{};
    file.write_fixed(distributed<double>("depth", decomposition, depth));
    file.close();
    EXPECT_EQ(Reader(folder / "file.nc").read_all<double>("depth"), (std::vector<double>{10.0, 20.0}));
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace
