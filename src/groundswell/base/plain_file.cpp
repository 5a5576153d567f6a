#include "groundswell/base/plain_file.hpp"

#include <sys/stat.h>

#include "groundswell/base/errors.hpp"

namespace groundswell::base {

void require_plain_file(const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode)) return;
    refuse(path, "", "",
           S_ISDIR(found.st_mode)    ? "a file, not a folder"
           : S_ISFIFO(found.st_mode) ? "a file, not a pipe"
                                     : "a file, not a device or socket");
}

}  // namespace groundswell::base
