#pragma once

#include <sys/types.h>

#include <string>

namespace groundswell::output {

/// A name in which a file grows until it is whole. While one of these lives, SIGINT and SIGTERM remove what has that name before they end
/// the process, as they do in the commands in Python; and so does the destructor, unless the file was given its own name. At most one
/// lives in a process. Every rank has one, though one rank alone fills the file: a launcher kills the others at once where a signal has
/// ended one of them. Not for runs, which have several: see GrowingName.
class GrowingFile {
public:
    explicit GrowingFile(const std::string& part);
    ~GrowingFile();
    GrowingFile& operator=(GrowingFile&&) = delete;  // neither copied nor moved

    /// By one rank. The file is whole: it gets its own name, see without_links(). base::RunFailure where it cannot have it.
    void finish(const std::string& path);

private:
    std::string part_;
    bool is_whole_ = false;
};

/// A name in which a file of a run grows until it is whole, kept in mind for the case that the process is told to end meanwhile.
/// It may be in use on several ranks. Does nothing to the file: see remove_growing_files().
class GrowingName {
public:
    /// To be made before the file is, by the thread that makes it.
    explicit GrowingName(std::string path);
    /// After the file has got its own name, or was removed.
    ~GrowingName();
    GrowingName& operator=(GrowingName&&) = delete;  // neither copied nor moved

    /// From now on this thread fills the file.
    void fill_here();

private:
    friend void remove_growing_files();

    std::string path_;
    pid_t thread_;
};

/// Removes what has one of these names in this process. The threads that fill those files are held up for good before that, as is
/// who wants another such name afterwards: for a thread that ends the process next.
void remove_growing_files();

}  // namespace groundswell::output
