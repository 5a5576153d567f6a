// What `groundswell doctor` says of folders on file systems that are not at hand.
#include "groundswell/cli/doctor/doctor_folder.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace groundswell;
using cli::FolderReport;
using cli::Problem;

FolderReport report_of(const std::string& type, int hosts, const std::string& options = "rw") {
    FolderReport report;
    report.asked = "output";
    report.found.emplace();
    report.found->folder = "/scratch/output";
    report.found->type = type;
    report.found->kind = output::file_system_class(type);
    report.found->mount = {"/scratch", type, "server:/scratch", options};
    report.found->block_bytes = 1 << 22;
    report.found->total_bytes = 9'000'000'000'000;
    report.found->free_bytes = 5'000'000'000'000;
    report.able = {"", true, true, true, true};
    report.mpi_io = "ompio";
    report.hosts = hosts;
    report.strangers.emplace();
    report.advice = output::advise(*report.found, hosts);
    return report;
}

std::string codes(const FolderReport& report) {
    std::string text;
    for (const Problem& problem : problems_of(report)) {
        EXPECT_FALSE(problem.message.empty() || problem.fix.empty());
        text += problem.code + " ";
    }
    return text;
}

TEST(DoctorFolder, HintsCanBePastedIntoACaseFile) {
    const FolderReport report = report_of("lustre", 4);
    EXPECT_EQ(codes(report), "");
    const std::string text = describe(report);
    EXPECT_NE(text.find("file system  /scratch/output: lustre, 5000.0 of 9000.0 GB free"), std::string::npos)
        << text;
    EXPECT_NE(text.find("the same folder on all 4 hosts"), std::string::npos) << text;
    EXPECT_NE(text.find("             [output.hints]\n             striping_factor = 8 "), std::string::npos)
        << text;
    const nlohmann::json json = to_json(report);
    EXPECT_EQ(json["type"], "lustre");
    EXPECT_EQ(json["class"], "parallel");
    EXPECT_EQ(json["hints"][0]["key"], "striping_factor");
    EXPECT_EQ(json["shared"], true);
}

TEST(DoctorFolder, AFolderThatHostsDoNotShareIsAProblem) {
    FolderReport report = report_of("xfs", 3);
    report.strangers = std::vector<cli::OtherFolder>{{"node2", 4, "xfs"}, {"node3", 1, ""}};
    EXPECT_EQ(codes(report), "folder-not-shared ");
    const std::string message = problems_of(report)[0].message;
    EXPECT_NE(message.find("node2 (xfs, 4 ranks), node3 (no such folder, 1 rank)"), std::string::npos)
        << message;
    EXPECT_EQ(to_json(report)["shared"], false);
    report.strangers.reset();
    EXPECT_EQ(codes(report), "");
    EXPECT_TRUE(to_json(report)["shared"].is_null());
}

TEST(DoctorFolder, NfsNeedsLocksAsSoonAsTwoHostsWrite) {
    EXPECT_EQ(codes(report_of("nfs", 2, "rw,vers=3,nolock")), "no-locks-between-hosts ");
    EXPECT_EQ(codes(report_of("nfs", 2, "rw,local_lock=all")), "no-locks-between-hosts ");
    EXPECT_EQ(codes(report_of("nfs", 2, "rw,local_lock=none")), "");
    EXPECT_EQ(codes(report_of("nfs", 1, "rw,nolock")), "");
    EXPECT_EQ(codes(report_of("lustre", 2, "rw,nolock")), "");
    FolderReport report = report_of("nfs", 2);
    report.able.record_locks = false;
    EXPECT_EQ(codes(report), "no-locks-between-hosts ");
}

TEST(DoctorFolder, FullForbiddenAndMissingFoldersAreProblems) {
    FolderReport full = report_of("ext4", 1);
    full.found->free_bytes = 10'000'000;
    full.mpi_io = "romio";
    EXPECT_EQ(codes(full), "disk-nearly-full ");
    full.mpi_io = "ompio";
    EXPECT_EQ(codes(full), "disk-nearly-full silent-full-disk ");
    full.found->free_bytes = 100'000'000'000;  // much, and yet one hundredth of the disk
    EXPECT_EQ(codes(full), "silent-full-disk ");
    FolderReport forbidden = report_of("ext4", 1);
    forbidden.able = {"Permission denied", false, false, false, false};
    EXPECT_EQ(codes(forbidden), "folder-not-writable ");
    EXPECT_EQ(to_json(forbidden)["writable"], false);
    FolderReport missing;
    missing.asked = "nowhere/output";
    EXPECT_EQ(codes(missing), "no-folder ");
    EXPECT_EQ(describe(missing), "file system  nowhere/output: not found\n");
}

TEST(DoctorFolder, TellsWhatIsSilentWhenTheDiskIsFull) {
    FolderReport report = report_of("ext4", 1);
    EXPECT_NE(describe(report).find("OMPIO reports success"), std::string::npos);
    EXPECT_EQ(to_json(report)["silent_when_full"], true);
    report.mpi_io = "romio";
    EXPECT_EQ(describe(report).find("OMPIO"), std::string::npos);
    EXPECT_EQ(to_json(report)["silent_when_full"], false);
    report.able.reserves = false;
    EXPECT_NE(describe(report).find("not: reserving room"), std::string::npos);
}

}  // namespace
