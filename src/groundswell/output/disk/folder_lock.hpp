#pragma once

#include <string>

/// Two runs must not write into one folder.
namespace groundswell::output {

/// A file .groundswell.lock in the folder for as long as the object lives. It is locked with flock(2), which
/// ends with the process however that ends, and names host and process for people and for file systems where
/// locks do not reach other hosts. Movable; one rank of a run holds one.
class FolderLock {
public:
    FolderLock() = default;
    /// Refusal that names host and process of the run that has the folder. A lock that its process left
    /// behind on this host is taken over, with a line in the log. `what`: of this run, for others to read.
    FolderLock(const std::string& folder, const std::string& what);
    ~FolderLock();
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&& other) noexcept;

private:
    std::string path_;
    int file_ = -1;
};

}  // namespace groundswell::output
