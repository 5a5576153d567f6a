#include "groundswell/output/disk/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

namespace fs = std::filesystem;

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
