#include "groundswell/output/disk/folder_probe.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/machine/launcher.hpp"
#include "support/output_dataset.hpp"

// Whether ranks that name a folder alike mean the same one.
namespace {

using namespace groundswell;
using namespace groundswell::output;
using dataset::Folder;

int rank() {
    return parallel::rank_of(MPI_COMM_WORLD);
}

int ranks() {
    return parallel::size_of(MPI_COMM_WORLD);
}

TEST(FolderProbe, RanksWithOneFolderShareIt) {
    const Folder folder;
    const std::vector<char> shares = ranks_that_share(MPI_COMM_WORLD, folder.path());
    if (rank() == 0) {
        EXPECT_EQ(shares.size(), static_cast<std::size_t>(ranks()));
        EXPECT_EQ(std::count(shares.begin(), shares.end(), 1), ranks());
        EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    } else {
        EXPECT_TRUE(shares.empty());
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(FolderProbe, RanksWithAFolderOfTheirOwnDoNot) {
    const Folder folder;
    const std::string own = folder / std::to_string(std::min(rank(), 1));
    if (rank() <= 1) std::filesystem::create_directory(own);
    MPI_Barrier(MPI_COMM_WORLD);
    const std::vector<char> shares = ranks_that_share(MPI_COMM_WORLD, own);
    if (rank() == 0) {
        EXPECT_EQ(shares[0], 1);
        EXPECT_EQ(std::count(shares.begin(), shares.end(), 1), 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(FolderProbe, NothingIsSaidOfAFolderThatRankZeroCannotWriteTo) {
    const Folder folder;
    EXPECT_TRUE(ranks_that_share(MPI_COMM_WORLD, folder / "missing").empty());
}

TEST(FolderProbe, ReadsTheSettingOfTheLibraryItself) {
    int before = 0, after = 0;
    MPI_Query_thread(&before);
    const std::string setting = parallel::mpi_variable("io");
    MPI_Query_thread(&after);
    EXPECT_EQ(after, before);
    const char* chosen = std::getenv("OMPI_MCA_io");
    if (parallel::library().name != "Open MPI") {
        EXPECT_EQ(setting, "");
    } else if (chosen != nullptr) {
        EXPECT_EQ(setting, chosen);
    }
}

TEST(FolderProbe, KnowsWhichLayerOpensFiles) {
    const parallel::Library older{"Open MPI", "4.1.4", "3.1"}, newer{"Open MPI", "5.0.3", "3.1"};
    EXPECT_EQ(mpi_io_layer({"MPICH", "4.0.2", "4.0"}, "", "lustre"), "romio");
    EXPECT_EQ(mpi_io_layer(older, "", "ext4"), "ompio");
    EXPECT_EQ(mpi_io_layer(older, "", "lustre"), "romio");
    EXPECT_EQ(mpi_io_layer(newer, "", "lustre"), "ompio");
    EXPECT_EQ(mpi_io_layer(older, "romio321", "ext4"), "romio321");
    EXPECT_EQ(mpi_io_layer(older, "ompio", "lustre"), "ompio");
    EXPECT_EQ(mpi_io_layer(older, "ompio,romio321", "ext4"), "ompio");
    EXPECT_EQ(mpi_io_layer(older, "^ompio", "ext4"), "romio");
    EXPECT_EQ(mpi_io_layer(older, "^romio321", "lustre"), "ompio");
}

}  // namespace
