#include "groundswell/output/disk/file_system_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace groundswell::output {

namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

// Lustre wiki, Striping Best Practices: files above 1 GiB over 4 to 8 targets for one client, 8 or more for
// many.
int storage_targets(int hosts) {
    return hosts > 1 ? 8 : 4;
}

void for_lustre(const FileSystem& found, int hosts, Advice& advice) {
    const int targets = storage_targets(hosts);
    advice.hints = {
        {"striping_factor", std::to_string(targets), "storage targets that a new file is spread over"},
        {"striping_unit", std::to_string(4 * mebibyte), "bytes on one target before the next has its turn"}};
    advice.notes = {fmt::format(
        "the same without the MPI library, which takes these hints only if it was built for Lustre: lfs "
        "setstripe -c {} -S 4M {} (new files there have it; lfs getstripe -d {} shows what holds)",
        targets, found.folder, found.folder)};
}

void for_gpfs(const FileSystem& found, Advice& advice) {
    const std::int64_t block = found.block_bytes;
    if (block >= mebibyte / 4 && block <= 64 * mebibyte &&
        std::has_single_bit(static_cast<std::uint64_t>(block)))
        advice.hints = {
            {"nc_var_align_size", std::to_string(block),
             "variables without time begin at a block of the disk"},
            {"nc_record_align_size", std::to_string(block), "the first record begins at a block"}};
    advice.notes = {
        "two ranks that write within one block wait for each other's lock: mode = \"servers\" with one or "
        "two servers a host has fewer writers"};
}

void for_beegfs(const FileSystem& found, int hosts, Advice& advice) {
    const int targets = storage_targets(hosts);
    advice.notes = {fmt::format(
        "MPI-IO has no hint for its striping: beegfs-ctl --setpattern --numtargets={} --chunksize=1M {} "
        "(version 8: beegfs entry set), before the run; new files there have it",
        targets, found.folder)};
}

void for_network(const FileSystem& found, int hosts, Advice& advice) {
    if (found.type == "nfs" && hosts > 1)
        advice.notes.push_back(
            "writers on several hosts lock the file for every write (in netCDF-4 they do not, and can spoil "
            "each other's bytes): mode = \"servers\" with servers = 1, or mode = \"serial\", has one writer");
    else
        advice.notes.push_back(
            "one server takes all bytes, from however many writers: mode = \"servers\" with servers = 1, or "
            "\"thread\", lets the model go on meanwhile");
}

void for_this_host(const FileSystem& found, Advice& advice) {
    switch (found.kind) {
        case FileSystemClass::local:
            advice.notes = {
                "a disk of this host: hints gain nothing; mode = \"auto\" measures whether \"direct\" will "
                "do or \"thread\" pays"};
            break;
        case FileSystemClass::memory:
            advice.notes = {
                "files lie in this host's memory, count as memory in use and are gone when it restarts: copy "
                "what is to be kept; hints gain nothing"};
            break;
        default:
            advice.notes = {
                "the container's own layer: files are gone with the container, and a folder of the host that "
                "is mounted into it is faster; hints gain nothing"};
    }
}

}  // namespace

Advice advise(const FileSystem& found, int hosts) {
    Advice advice;
    if (found.type == "lustre")
        for_lustre(found, hosts, advice);
    else if (found.type == "gpfs")
        for_gpfs(found, advice);
    else if (found.type == "beegfs")
        for_beegfs(found, hosts, advice);
    else if (found.type == "ceph")
        advice.notes = {
            fmt::format("MPI-IO has no hint for its striping: setfattr -n ceph.dir.layout.stripe_count -v {} "
                        "{}, before the run; new files there have it",
                        storage_targets(hosts), found.folder)};
    else if (found.kind == FileSystemClass::network)
        for_network(found, hosts, advice);
    else if (found.kind == FileSystemClass::local || found.kind == FileSystemClass::memory ||
             found.kind == FileSystemClass::layered)
        for_this_host(found, advice);
    else
        advice.notes = {
            "no hint is known for it: compare modes by the time that the summary of a short run shows"};
    return advice;
}

std::string case_file_lines(const Advice& advice) {
    if (advice.hints.empty()) return "";
    std::size_t width = 0;
    for (const Hint& hint : advice.hints) width = std::max(width, hint.key.size() + hint.value.size() + 3);
    std::string lines = "[output.hints]\n";
    for (const Hint& hint : advice.hints)
        lines += fmt::format("{:<{}}  # {}\n", hint.key + " = " + hint.value, width, hint.why);
    return lines;
}

}  // namespace groundswell::output
