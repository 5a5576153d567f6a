#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// On which file system a folder lies, by what Linux tells of it: the number of statfs(2) and the table of
/// mounts /proc/self/mountinfo (proc(5)). Nothing here is collective.
namespace groundswell::output {

/// Classes of file systems that matter to output: who else can reach the files, and over what.
enum class FileSystemClass {
    local,     ///< a disk of this host alone
    memory,    ///< this host's memory
    layered,   ///< a container's own layer over other folders
    parallel,  ///< many hosts and many servers
    network,   ///< many hosts, one server
    unknown
};

std::string_view name(FileSystemClass kind);

struct Mount {
    std::string point;    ///< folder where it is mounted
    std::string type;     ///< as the kernel names it: ext4, nfs4, lustre, fuse.sshfs
    std::string source;   ///< device or server
    std::string options;  ///< of the mount and of the file system, with commas between them
};

/// The mounts of a text in the form of /proc/self/mountinfo. Lines of another form are left out.
std::vector<Mount> parse_mounts(std::string_view mountinfo);

/// The mount that holds `path`, an absolute path without links; of several at one place the last, which hides
/// the others. Null where there is none.
const Mount* mount_of(const std::vector<Mount>& mounts, std::string_view path);

/// Whether `option` stands among the options of a mount: "nolock", or with its value "local_lock=all".
bool has_option(const Mount& mount, std::string_view option);

/// The name of a file system by statfs's f_type and the type of its mount (may be empty). A number that many
/// file systems share (FUSE), or an unknown one, leaves the mount's word: fuse.sshfs; without that "type
/// 0x…".
std::string file_system_type(std::uint32_t magic, std::string_view mount_type);

/// Class of a file system by its name, as file_system_type() gives it.
FileSystemClass file_system_class(std::string_view type);

struct FileSystem {
    std::string folder;  ///< that was looked at: absolute, without links
    std::string type;
    FileSystemClass kind = FileSystemClass::unknown;
    Mount mount;                   ///< empty where the table does not tell
    std::int64_t block_bytes = 0;  ///< that the file system likes to be written at once; 0: does not tell
    std::int64_t total_bytes = 0;
    std::int64_t free_bytes = 0;  ///< for this user
};

/// Looks at `folder`, or at its parent where only that exists (a run makes the folder then). Refusal when
/// there is neither.
FileSystem find_file_system(const std::string& folder);

}  // namespace groundswell::output
