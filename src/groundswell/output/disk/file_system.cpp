#include "groundswell/output/disk/file_system.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/words.hpp"

namespace groundswell::output {

namespace {

using Word = std::pair<std::uint32_t, std::string_view>;

// statfs(2) lists most of them; Lustre's is in lustre_user.h (LL_SUPER_MAGIC), GPFS's, PanFS's and OrangeFS's
// in ROMIO's ad_fstype.c, BeeGFS's in its client module.
constexpr std::array<Word, 20> magic_words{
    {{0x0000EF53, "ext4"},      {0x58465342, "xfs"},      {0x9123683E, "btrfs"},    {0x2FC12FC1, "zfs"},
     {0xF2F52010, "f2fs"},      {0xCA451A4E, "bcachefs"}, {0x01021994, "tmpfs"},    {0x858458F6, "ramfs"},
     {0x794C7630, "overlayfs"}, {0x0BD00BD0, "lustre"},   {0x47504653, "gpfs"},     {0x19830326, "beegfs"},
     {0x00C36400, "ceph"},      {0xAAD7AAEA, "panfs"},    {0x20030528, "orangefs"}, {0x00006969, "nfs"},
     {0xFF534D42, "cifs"},      {0xFE534D42, "cifs"},     {0x01021997, "9p"},       {0x65735546, "fuse"}}};

using Kind = std::pair<FileSystemClass, std::string_view>;

// Names between blanks.
constexpr std::array<Kind, 5> kinds{
    {{FileSystemClass::local, " ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs exfat "},
     {FileSystemClass::memory, " tmpfs ramfs "},
     {FileSystemClass::layered, " overlayfs "},
     {FileSystemClass::parallel,
      " lustre gpfs beegfs ceph panfs orangefs wekafs fuse.glusterfs fuse.ceph-fuse "},
     {FileSystemClass::network, " nfs cifs 9p virtiofs fuse.sshfs "}}};

/// In mountinfo a blank, tab, line feed or backslash of a path stands as a backslash and three octal digits.
std::string unescaped(std::string_view text) {
    const auto octal = [](char c) { return c >= '0' && c <= '7'; };
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '\\' && i + 3 < text.size() && octal(text[i + 1]) &&
                            octal(text[i + 2]) && octal(text[i + 3]);
        if (!escape) {
            result += text[i];
            continue;
        }
        result += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
        i += 3;
    }
    return result;
}

std::vector<std::string_view> filled_parts(std::string_view text, char mark) {
    std::vector<std::string_view> parts = base::split(text, mark);
    std::erase(parts, std::string_view());
    return parts;
}

/// The absolute folder that a run would write to or, when that is yet to be made, its parent.
std::string folder_that_is_there(const std::string& folder) {
    std::error_code error;
    std::filesystem::path path = std::filesystem::canonical(folder.empty() ? "." : folder, error);
    if (error) {
        std::filesystem::path given(folder);
        if (!given.has_filename()) given = given.parent_path();
        path = std::filesystem::canonical(given.has_parent_path() ? given.parent_path() : ".", error);
    }
    base::require(!error && std::filesystem::is_directory(path, error), folder, "", "",
                  "a folder that exists");
    return path.string();
}

}  // namespace

std::string_view name(FileSystemClass kind) {
    constexpr std::string_view names[] = {"local", "memory", "layered", "parallel", "network", "unknown"};
    return names[static_cast<std::size_t>(kind)];
}

std::vector<Mount> parse_mounts(std::string_view mountinfo) {
    // 36 35 98:0 /of/the/disk /mount/point options [fields of any number] - type source options
    std::vector<Mount> mounts;
    for (const std::string_view line : filled_parts(mountinfo, '\n')) {
        const std::vector<std::string_view> words = filled_parts(line, ' ');
        if (words.size() < 9) continue;
        const auto dash = std::find(words.begin() + 6, words.end(), "-");
        if (words.end() - dash < 3) continue;
        Mount mount;
        mount.point = unescaped(words[4]);
        mount.options = words[5];
        mount.type = dash[1];
        mount.source = unescaped(dash[2]);
        if (words.end() - dash > 3) mount.options = fmt::format("{},{}", mount.options, dash[3]);
        mounts.push_back(std::move(mount));
    }
    return mounts;
}

const Mount* mount_of(const std::vector<Mount>& mounts, std::string_view path) {
    const Mount* found = nullptr;
    for (const Mount& mount : mounts) {
        const std::string_view point = mount.point;
        const bool holds = point == "/" || path == point ||
                           (path.size() > point.size() && path.substr(0, point.size()) == point &&
                            path[point.size()] == '/');
        if (holds && (found == nullptr || point.size() >= found->point.size())) found = &mount;
    }
    return found;
}

bool has_option(const Mount& mount, std::string_view option) {
    const std::vector<std::string_view> options = filled_parts(mount.options, ',');
    return std::find(options.begin(), options.end(), option) != options.end();
}

std::string file_system_type(std::uint32_t magic, std::string_view mount_type) {
    const auto found = std::find_if(magic_words.begin(), magic_words.end(),
                                    [&](const Word& word) { return word.first == magic; });
    if (found == magic_words.end())
        return mount_type.empty() ? fmt::format("type {:#x}", magic) : std::string(mount_type);
    // One number for ext2 to ext4, and for all that is mounted through FUSE.
    const bool shared = found->second == "ext4" || found->second == "fuse";
    const bool tells =
        mount_type.substr(0, 3) == "ext" || mount_type.substr(0, 4) == "fuse" || mount_type == "virtiofs";
    return std::string(shared && tells ? mount_type : found->second);
}

FileSystemClass file_system_class(std::string_view type) {
    const std::string word = fmt::format(" {} ", type);
    const auto found = std::ranges::find_if(
        kinds, [&](const Kind& kind) { return kind.second.find(word) != std::string_view::npos; });
    return found != kinds.end() ? found->first : FileSystemClass::unknown;
}

FileSystem find_file_system(const std::string& folder) {
    FileSystem result;
    result.folder = folder_that_is_there(folder);
    struct statfs status {};
    struct statvfs room {};
    if (::statfs(result.folder.c_str(), &status) != 0 || ::statvfs(result.folder.c_str(), &room) != 0)
        base::refuse(result.folder, "", "",
                     std::string("a folder that can be examined: ") + std::strerror(errno));
    std::ifstream table("/proc/self/mountinfo");
    const std::string text{std::istreambuf_iterator<char>(table), {}};
    const std::vector<Mount> mounts = parse_mounts(text);
    if (const Mount* mount = mount_of(mounts, result.folder)) result.mount = *mount;
    result.type = file_system_type(static_cast<std::uint32_t>(status.f_type), result.mount.type);
    result.kind = file_system_class(result.type);
    result.block_bytes = static_cast<std::int64_t>(room.f_bsize);
    const auto unit = static_cast<std::int64_t>(room.f_frsize);
    result.total_bytes = static_cast<std::int64_t>(room.f_blocks) * unit;
    result.free_bytes = static_cast<std::int64_t>(room.f_bavail) * unit;
    return result;
}

}  // namespace groundswell::output
