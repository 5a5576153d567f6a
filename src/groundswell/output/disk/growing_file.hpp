#pragma once

#include <string>

namespace groundswell::output {

/// A name in which a file grows until it is whole. While one of these lives, SIGINT and SIGTERM remove what has that name before they end
/// the process, as they do in the commands in Python; and so does the destructor, unless the file was given its own name. At most one
/// lives in a process. Not for runs, which have several: see GrowingName.
class GrowingFile {
public:
    explicit GrowingFile(const std::string& part);
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    /// The file is whole: it gets its own name, see without_links(). base::RunFailure where it cannot have it.
    void finish(const std::string& path);

private:
    std::string part_;
    bool is_whole_ = false;
};

}  // namespace groundswell::output
