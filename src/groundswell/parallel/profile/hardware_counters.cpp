#include "groundswell/parallel/profile/hardware_counters.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace groundswell::parallel {

namespace {

int open_counter(std::uint64_t which) {
    perf_event_attr wanted{};
    wanted.type = PERF_TYPE_HARDWARE;
    wanted.size = sizeof wanted;
    wanted.config = which;
    wanted.inherit = 1;
    wanted.exclude_kernel = 1;
    wanted.exclude_hv = 1;
    wanted.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return static_cast<int>(::syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::string reason(int error) {
    if (error == EACCES || error == EPERM) {
        int level = 0;
        std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> level;
        return fmt::format(
            "not allowed (kernel.perf_event_paranoid = {}; 2 or less allows a program its own)", level);
    }
    if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP)
        return "this machine has none, or is a virtual one that does not show them";
    return std::strerror(error);
}

}  // namespace

HardwareCounters::HardwareCounters() {
    constexpr std::array<std::uint64_t, names.size()> which{
        PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES, PERF_COUNT_HW_CACHE_MISSES};
    for (std::size_t i = 0; i < which.size() && missing_.empty(); ++i) {
        files_[i] = open_counter(which[i]);
        if (files_[i] < 0) missing_ = reason(errno);
    }
}

HardwareCounters::~HardwareCounters() {
    for (const int file : files_)
        if (file >= 0) ::close(file);
}

HardwareCounters::Counts HardwareCounters::read() const {
    Counts counts{};
    if (!missing_.empty()) return counts;
    for (std::size_t i = 0; i < files_.size(); ++i) {
        std::array<std::uint64_t, 3> found{};  // value, ns enabled, ns running
        if (::read(files_[i], found.data(), sizeof found) != static_cast<ssize_t>(sizeof found) ||
            found[2] == 0)
            continue;
        counts[i] =
            static_cast<double>(found[0]) * static_cast<double>(found[1]) / static_cast<double>(found[2]);
    }
    return counts;
}

}  // namespace groundswell::parallel
