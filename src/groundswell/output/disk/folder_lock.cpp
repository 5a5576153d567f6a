#include "groundswell/output/disk/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/log.hpp"

namespace groundswell::output {

namespace {

struct Holder {
    std::string host, what;
    long process = 0;
    std::string boot, processes;  // of which kernel, and of which of its process namespaces; empty: unknown
    std::string text() const {
        // A run that has just made the file has not written into it yet.
        return process > 0 ? fmt::format("process {} on host {}", process, host) : "one that is starting";
    }
};

std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

Holder read_holder(int file) {
    std::array<char, 1024> text{};
    const ssize_t count = ::pread(file, text.data(), text.size() - 1, 0);
    std::istringstream stream(
        std::string(text.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))));
    Holder holder;
    std::string process;
    std::getline(stream, holder.host);
    std::getline(stream, process);
    std::getline(stream, holder.what);
    stream >> holder.boot >> holder.processes;
    holder.process = std::atol(process.c_str());
    return holder;
}

/// This process. Two containers may share a host name, or a kernel, and see different processes.
Holder ourselves(const std::string& what) {
    Holder holder{host_name(), what, ::getpid(), {}, {}};
    std::ifstream("/proc/sys/kernel/random/boot_id") >> holder.boot;
    std::array<char, 64> link{};
    if (::readlink("/proc/self/ns/pid", link.data(), link.size() - 1) > 0) holder.processes = link.data();
    return holder;
}

/// Whether the run that a lock names may still be at work, which got no answer from the lock itself.
bool may_live(const Holder& holder, const Holder& us, bool locked) {
    const bool same_kernel = !holder.boot.empty() && holder.boot == us.boot;
    // A lock that we could take means an end on this kernel. Others' locks need not reach us.
    if (locked) return holder.host != us.host && !same_kernel;
    // Without locks (some parallel file systems have none) a process is believed that lives, or that cannot
    // be looked for.
    const bool visible = holder.host == us.host && (holder.boot.empty() || same_kernel) &&
                         (holder.processes.empty() || holder.processes == us.processes);
    return !visible || ::kill(static_cast<pid_t>(holder.process), 0) == 0 || errno == EPERM;
}

/// Whether the path still leads to the open file, which a run that ended meanwhile may have removed.
bool is_still_there(int file, const std::string& path) {
    struct stat open_one {};
    struct stat there {};
    return ::fstat(file, &open_one) == 0 && ::stat(path.c_str(), &there) == 0 &&
           open_one.st_ino == there.st_ino && open_one.st_dev == there.st_dev;
}

[[noreturn]] void refuse(const std::string& folder, const std::string& path, const Holder& holder,
                         bool certain) {
    std::string expected = fmt::format("a folder that no other run writes to: {} does", holder.text());
    if (!holder.what.empty()) expected += fmt::format(" ({})", holder.what);
    if (!certain) expected += fmt::format("; if that run has ended, remove {}", path);
    base::refuse(folder, "", "", expected);
}

}  // namespace

FolderLock::FolderLock(const std::string& folder, const std::string& what)
    : path_(folder + "/.groundswell.lock") {
    while (true) {
        file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        base::require(file_ >= 0, path_, "", "",
                      std::string("a file that can be written: ") + std::strerror(errno));
        const bool locked = ::flock(file_, LOCK_EX | LOCK_NB) == 0;
        const int error = errno;
        const Holder holder = read_holder(file_);
        try {
            if (!locked && error == EWOULDBLOCK) refuse(folder, path_, holder, true);
            const bool named = holder.process > 0;
            const Holder us = ourselves(what);
            if (named && may_live(holder, us, locked)) refuse(folder, path_, holder, false);
            if (locked && !is_still_there(file_, path_)) {
                ::close(file_);
                continue;
            }
            if (named)
                base::log_info("{}: {} did not end as it should ({}); its lock is taken over", folder,
                               holder.text(), holder.what);
            const std::string text =
                fmt::format("{}\n{}\n{}\n{} {}\n", us.host, us.process, us.what, us.boot, us.processes);
            const bool written = ::ftruncate(file_, 0) == 0 && ::pwrite(file_, text.data(), text.size(), 0) ==
                                                                   static_cast<ssize_t>(text.size());
            base::require(written, path_, "", "",
                          std::string("a file that can be written: ") + std::strerror(errno));
            return;
        } catch (...) {
            ::close(file_);
            file_ = -1;
            throw;
        }
    }
}

FolderLock::FolderLock(FolderLock&& other) noexcept {
    *this = std::move(other);
}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    return *this;
}

FolderLock::~FolderLock() {
    if (file_ < 0) return;
    ::unlink(path_.c_str());  // before the lock is given up: nobody else can have it yet
    ::close(file_);
}

}  // namespace groundswell::output
