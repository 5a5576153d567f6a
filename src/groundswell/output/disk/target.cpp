#include "groundswell/output/disk/target.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <system_error>

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

namespace fs = std::filesystem;

namespace {

std::string folder_of(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? "." : folder.string();
}

/// Whether this process may do to any file what its owner may: root may, but not in every container.
bool acts_for_all_owners() {
    constexpr int fowner = 3;  // CAP_FOWNER of capabilities(7)
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "CapEff:") {
            std::uint64_t may = 0;
            return static_cast<bool>(status >> std::hex >> may) && (may >> fowner & 1) != 0;
        }
    return ::geteuid() == 0;
}

std::string kind_of(const struct stat& status) {
    if (S_ISDIR(status.st_mode)) return std::strerror(EISDIR);
    if (S_ISFIFO(status.st_mode)) return "there is a pipe of this name";
    if (S_ISSOCK(status.st_mode)) return "there is a socket of this name";
    return "there is a device of this name";
}

}  // namespace

std::string without_links(const std::string& path) {
    fs::path at(path);
    std::error_code error;
    constexpr int most = 40;  // as the system itself takes
    for (int i = 0; i < most; ++i) {
        const fs::path next = fs::read_symlink(at, error);
        if (error) return at.string();
        at = at.parent_path() / next;
    }
    base::refuse(path, "", "", std::string("a file: ") + std::strerror(ELOOP));
}

std::string obstacle(const std::string& path) {
    struct stat status {};
    struct stat folder {};
    if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT ? "" : std::strerror(errno);
    if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) return kind_of(status);
    if (::stat(folder_of(path).c_str(), &folder) != 0) return std::strerror(errno);
    // In a folder like /tmp everybody makes files, and removes his own.
    const uid_t user = ::geteuid();
    if ((folder.st_mode & S_ISVTX) != 0 && status.st_uid != user && folder.st_uid != user &&
        !acts_for_all_owners())
        return std::strerror(EPERM);
    // What may not be changed by anybody (chattr +i) may not be removed either.
    if (S_ISREG(status.st_mode) && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0 &&
        errno == EPERM)
        return std::strerror(EPERM);
    return "";
}

bool is_same_file(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty()) return false;
    std::error_code error;
    if (fs::equivalent(a, b, error) && !error) return true;
    const auto plain = [](const std::string& path) { return fs::absolute(path).lexically_normal(); };
    return plain(a) == plain(b);
}

void check_folder(const std::string& folder, const std::string& path) {
    std::error_code ignored;
    base::require(fs::exists(folder, ignored), path, "folder", folder, "a folder that exists");
    base::require(fs::is_directory(folder, ignored), path, "folder", folder, "a folder, not a file");
    // As the effective user, which is the one that will write.
    const bool takes = ::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0;
    base::require(takes, path, "folder", folder,
                  std::string("a folder that can be written to: ") + (takes ? "" : std::strerror(errno)));
}

void check_target(const std::string& path, bool overwrite, const std::vector<std::string>& taken) {
    const std::string file = without_links(path);
    check_folder(folder_of(file), path);
    std::error_code ignored;
    base::require(!fs::is_directory(file, ignored), path, "", "", "a file; there is a folder of this name");
    const bool is_taken =
        std::any_of(taken.begin(), taken.end(), [&](const auto& each) { return is_same_file(file, each); });
    base::require(!is_taken, path, "", "", "another name: this command reads or writes that file itself");
    struct stat status {};
    if (::lstat(file.c_str(), &status) == 0) {
        base::require(S_ISREG(status.st_mode), path, "", "", "a plain file; " + kind_of(status));
        base::require(overwrite, path, "", "", "a file that does not exist yet (or --overwrite)");
    }
    for (const std::string& name : {file, file + ".part"}) {
        const std::string words = obstacle(name);
        base::require(words.empty(), name, "", "", "a name that can be given to a new file: " + words);
    }
}

fs::path existing_part(fs::path folder) {
    std::error_code ignored;
    folder = fs::absolute(folder).lexically_normal();
    while (!fs::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
    return folder;
}

void require_findable(const std::string& folder) {
    std::error_code error;
    if (fs::status(folder, error).type() == fs::file_type::none)
        base::refuse(folder, "", error.message(), "a folder that can be created");
    const long longest = ::pathconf(existing_part(folder).c_str(), _PC_NAME_MAX);
    for (const fs::path& part : fs::path(folder))
        if (longest > 0 && part.native().size() > static_cast<std::size_t>(longest))
            base::refuse(folder, "", std::strerror(ENAMETOOLONG), "a folder that can be created");
}

void require_access(const std::string& folder, const std::string& looked_at, int access,
                    const std::string& expected) {
    const bool has =
        fs::is_directory(looked_at) && ::faccessat(AT_FDCWD, looked_at.c_str(), access, AT_EACCESS) == 0;
    const int error = fs::is_directory(looked_at) ? errno : ENOTDIR;
    base::require(has, folder, "folder", looked_at,
                  fmt::format("a folder that can be {}: {}", expected, has ? "" : std::strerror(error)));
}

}  // namespace groundswell::output
