#include "groundswell/cli/doctor/doctor_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/environment.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/machine/launcher.hpp"

namespace groundswell::cli {

namespace {

constexpr double gigabyte = 1e9;

// What one rank says of its folder: fixed size, so that one gather collects all.
struct View {
    char host[64];
    char type[32];
};

std::string host_list(const std::vector<OtherFolder>& strangers) {
    std::vector<std::string> words;
    for (const OtherFolder& other : strangers)
        words.push_back(fmt::format("{} ({}, {} rank{})", other.host,
                                    other.type.empty() ? "no such folder" : other.type, other.ranks,
                                    other.ranks == 1 ? "" : "s"));
    return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<OtherFolder> count_strangers(const std::vector<char>& shares, const std::vector<View>& views) {
    std::vector<OtherFolder> strangers;
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
        if (shares[rank] != 0) continue;
        const View& view = views[rank];
        const auto known = std::find_if(strangers.begin(), strangers.end(), [&](const OtherFolder& other) {
            return other.host == view.host && other.type == view.type;
        });
        if (known == strangers.end())
            strangers.push_back({view.host, 1, view.type});
        else
            ++known->ranks;
    }
    return strangers;
}

/// NFS without locks that reach the server: two writers spoil each other's pages (nfs(5): local_lock,
/// nolock).
bool lacks_locks_between_hosts(const output::FileSystem& found, const output::FolderAbilities& able) {
    if (found.type != "nfs") return false;
    if (!able.record_locks) return true;
    const auto has = [&](const char* option) { return output::has_option(found.mount, option); };
    return has("nolock") || has("local_lock=all") || has("local_lock=posix");
}

std::string what_works(const output::FolderAbilities& able) {
    std::vector<std::string> works, fails;
    const auto sort = [&](bool does, const char* what) { (does ? works : fails).emplace_back(what); };
    sort(able.reserves, "reserving room");
    sort(able.flock, "flock");
    sort(able.record_locks, "fcntl locks");
    sort(able.direct, "O_DIRECT");
    const auto list = [](const std::vector<std::string>& words) {
        return words.empty() ? std::string("nothing") : fmt::format("{}", fmt::join(words, ", "));
    };
    return fails.empty() ? list(works) : fmt::format("{}; not: {}", list(works), list(fails));
}

}  // namespace

FolderReport look_at_folder(MPI_Comm comm, const parallel::Placement& placement, const std::string& folder) {
    const int rank = parallel::rank_of(comm);
    FolderReport report;
    report.asked = folder;
    report.hosts = placement.hosts;
    try {
        report.found = output::find_file_system(folder);
    } catch (const base::Refusal&) {  // told as a problem
    }
    const std::string place = report.found ? report.found->folder : "";

    View mine{};
    placement.host_name.copy(mine.host, sizeof mine.host - 1);
    if (report.found) report.found->type.copy(mine.type, sizeof mine.type - 1);
    const std::vector<View> views = parallel::gather(comm, mine);
    const std::vector<char> shares = output::ranks_that_share(comm, place);
    if (rank != 0) return report;
    if (!shares.empty()) report.strangers = count_strangers(shares, views);
    report.mpi_io = output::mpi_io_layer(parallel::library(), parallel::mpi_variable("io"), mine.type);
    if (!report.found) return report;
    report.able = output::probe_folder(place);
    report.advice = output::advise(*report.found, placement.hosts);
    return report;
}

std::vector<Problem> problems_of(const FolderReport& report) {
    if (!report.found)
        return {{"no-folder", report.asked + ": neither it nor its parent is a folder that can be examined",
                 "make it, or name another one with --output DIR"}};
    std::vector<Problem> problems;
    const output::FileSystem& found = *report.found;
    if (!report.able.trouble.empty())
        problems.push_back({"folder-not-writable",
                            fmt::format("{}: no file can be made: {}", found.folder, report.able.trouble),
                            "ask for the right to write there, or choose another folder with --output"});
    const double free = static_cast<double>(found.free_bytes) / gigabyte;
    if (found.total_bytes > 0 && free < 1.0)
        problems.push_back({"disk-nearly-full", fmt::format("{}: {:.2f} GB free", found.folder, free),
                            "free some space, or choose another folder with --output"});
    const double share = free * gigabyte / static_cast<double>(std::max<std::int64_t>(1, found.total_bytes));
    if (report.mpi_io == "ompio" && found.total_bytes > 0 && (free < 1.0 || share < 0.02))
        problems.push_back(
            {"silent-full-disk",
             fmt::format(
                 "{}: {:.1f} % free, and OMPIO, the part of Open MPI that writes files, reports success when "
                 "the disk is full; groundswell finds that when it reads a record back, and stops",
                 found.folder, 100.0 * share),
             fmt::format("{}, which tells of a full disk; and free some space",
                         parallel::romio_option(parallel::find_launcher(parallel::library())))});
    if (report.strangers && !report.strangers->empty())
        problems.push_back({"folder-not-shared",
                            fmt::format("{} is not the same folder everywhere: rank 0 sees {}, unlike {}",
                                        report.asked, found.type, host_list(*report.strangers)),
                            "choose a folder on a file system that all hosts share (home, scratch or "
                            "project), with its whole path; or run on one host"});
    if (report.hosts > 1 && lacks_locks_between_hosts(found, report.able))
        problems.push_back({"no-locks-between-hosts",
                            fmt::format("{}: NFS without file locks that other hosts see ({}): writers on "
                                        "two hosts can spoil each other's bytes",
                                        found.folder, found.mount.options),
                            "let one process write: output.mode = \"servers\" with output.servers = 1, or "
                            "\"serial\"; or mount it without nolock and local_lock"});
    return problems;
}

nlohmann::json to_json(const FolderReport& report) {
    if (!report.found) return {{"folder", report.asked}, {"type", "unknown"}, {"free_bytes", -1}};
    const output::FileSystem& found = *report.found;
    nlohmann::json hints = nlohmann::json::array();
    for (const output::Hint& hint : report.advice.hints)
        hints.push_back({{"key", hint.key}, {"value", hint.value}, {"why", hint.why}});
    nlohmann::json shared = nullptr;
    if (report.strangers) shared = report.strangers->empty();
    return {{"folder", report.asked},
            {"looked_at", found.folder},
            {"type", found.type},
            {"class", std::string(output::name(found.kind))},
            {"mount_point", found.mount.point},
            {"source", found.mount.source},
            {"mount_options", found.mount.options},
            {"free_bytes", found.free_bytes},
            {"total_bytes", found.total_bytes},
            {"block_bytes", found.block_bytes},
            {"shared", shared},
            {"writable", report.able.trouble.empty()},
            {"reserves_room", report.able.reserves},
            {"flock", report.able.flock},
            {"record_locks", report.able.record_locks},
            {"direct_io", report.able.direct},
            {"silent_when_full", report.mpi_io == "ompio"},
            {"hints", hints},
            {"notes", report.advice.notes}};
}

std::string describe(const FolderReport& report) {
    if (!report.found) return fmt::format("file system  {}: not found\n", report.asked);
    const output::FileSystem& found = *report.found;
    std::string text = fmt::format("file system  {}: {}, {:.1f} of {:.1f} GB free, blocks of {} bytes\n",
                                   found.folder, found.type, static_cast<double>(found.free_bytes) / gigabyte,
                                   static_cast<double>(found.total_bytes) / gigabyte, found.block_bytes);
    if (!found.mount.point.empty())
        text += fmt::format("             mounted at {} from {}\n", found.mount.point, found.mount.source);
    if (report.strangers && report.strangers->empty())
        text += fmt::format("             the same folder on {}\n",
                            report.hosts == 1 ? "every rank" : fmt::format("all {} hosts", report.hosts));
    if (!report.able.trouble.empty()) return text;
    text += fmt::format("             works: {}\n", what_works(report.able));
    if (!report.able.reserves) text += "             free space is compared instead of reserving room\n";
    if (report.mpi_io == "ompio")
        text += "full disk    OMPIO reports success; groundswell reserves room and reads every record back\n";
    for (const std::string& note : report.advice.notes) text += fmt::format("advice       {}\n", note);
    if (report.advice.hints.empty()) return text;
    text += "hints        worth trying, as lines of the case file:\n";
    std::istringstream lines(output::case_file_lines(report.advice));
    for (std::string line; std::getline(lines, line);) text += "             " + line + "\n";
    return text;
}

}  // namespace groundswell::cli
