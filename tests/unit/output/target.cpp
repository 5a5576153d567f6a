#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/output/disk/target.hpp"
#include "support/output_dataset.hpp"

// What stands where a file shall be written: what is no file is not replaced, links are followed.
namespace {

using namespace groundswell;
using namespace groundswell::output;

std::string refusal_of(const std::string& path, bool overwrite, const std::vector<std::string>& taken = {}) {
    try {
        check_target(path, overwrite, taken);
    } catch (const base::Refusal& refusal) {
        return refusal.what();
    }
    return "";
}

void touch(const std::string& path) {
    std::ofstream(path) << "x";
}

TEST(OutputTarget, AFileIsReplacedWhenThatIsAskedFor) {
    const dataset::Folder folder;
    const std::string path = folder / "file.nc";
    EXPECT_EQ(refusal_of(path, false), "");
    touch(path);
    EXPECT_NE(refusal_of(path, false).find("does not exist yet (or --overwrite)"), std::string::npos);
    EXPECT_EQ(refusal_of(path, true), "");
}

TEST(OutputTarget, WhatIsNoFileIsNot) {
    const dataset::Folder folder;
    const std::string pipe = folder / "pipe.nc", directory = folder / "folder.nc", link = folder / "link.nc";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_NE(refusal_of(pipe, true).find("a plain file; there is a pipe"), std::string::npos);
    std::filesystem::create_directory(directory);
    EXPECT_NE(refusal_of(directory, true).find("a folder of this name"), std::string::npos);
    std::filesystem::create_symlink("/dev/null", link);
    EXPECT_NE(refusal_of(link, true).find("there is a device"), std::string::npos);
}

TEST(OutputTarget, WhatIsReadIsNotReplaced) {
    const dataset::Folder folder;
    const std::string mesh = folder / "mesh.nc", link = folder / "link.nc";
    touch(mesh);
    std::filesystem::create_symlink("mesh.nc", link);
    for (const std::string& path : {mesh, link, folder / "./mesh.nc"})
        EXPECT_NE(refusal_of(path, true, {"none.nc", mesh}).find("another name"), std::string::npos) << path;
    EXPECT_NE(refusal_of(folder / "new.nc", true, {folder / "new.nc"}).find("another name"),
              std::string::npos);
}

TEST(OutputTarget, TheNameInWhichItGrowsMustBeFree) {
    const dataset::Folder folder;
    std::filesystem::create_directory(folder / "file.nc.part");
    EXPECT_NE(refusal_of(folder / "file.nc", true)
                  .find("file.nc.part: expected a name that can be given to a new "
                        "file: Is a directory"),
              std::string::npos);
}

TEST(OutputTarget, ALinkLeadsToTheFileAndStays) {
    const dataset::Folder folder;
    std::filesystem::create_directory(folder / "far");
    std::filesystem::create_symlink("far/file.nc", folder / "link.nc");
    EXPECT_EQ(without_links(folder / "link.nc"), folder / "far/file.nc");
    dataset::write(MPI_COMM_SELF, folder / "link.nc", "serial", 2);
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.nc"));
    EXPECT_EQ(dataset::wrong_values(folder / "far/file.nc", 2), 0);
    std::filesystem::create_symlink("round.nc", folder / "round.nc");
    EXPECT_THROW(without_links(folder / "round.nc"), base::Refusal);
}

}  // namespace
