#include "groundswell/output/disk/growing_name.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "groundswell/base/errors.hpp"

namespace groundswell::output {

namespace {

struct Names {
    std::mutex mutex;
    std::vector<const GrowingName*> all;
};

// Never destroyed: who removes them may do so while the program ends.
Names& names() {
    static Names* const only = new Names;
    return *only;
}

pid_t this_thread() {
    return static_cast<pid_t>(::syscall(SYS_gettid));
}

// A signal that does nothing where nobody asks for it.
constexpr int holding_signal = SIGURG;
std::atomic<std::size_t> held = 0;

void hold(int) {
    ++held;
    while (true) ::pause();
}

// A thread that waits for the disk comes when that has answered; it is not waited for, and does no harm meanwhile.
void hold_up(const std::set<pid_t>& threads) {
    using namespace std::chrono_literals;
    struct sigaction holding {};
    holding.sa_handler = hold;
    ::sigaction(holding_signal, &holding, nullptr);
    std::size_t told = 0;
    for (const pid_t thread : threads)
        if (::syscall(SYS_tgkill, ::getpid(), thread, holding_signal) == 0) ++told;
    const auto end = std::chrono::steady_clock::now() + 200ms;
    while (held < told && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
}

constexpr std::array<int, 2> ending{SIGINT, SIGTERM};

// For the handler, which may call little more than unlink().
std::atomic<const char*> growing = nullptr;

void remove_and_end(int number) {
    if (const char* const path = growing.load()) ::unlink(path);
    std::signal(number, SIG_DFL);
    std::raise(number);
}

}  // namespace

GrowingName::GrowingName(std::string path) : path_(std::move(path)), thread_(this_thread()) {
    const std::lock_guard lock(names().mutex);
    names().all.push_back(this);
}

GrowingName::~GrowingName() {
    const std::lock_guard lock(names().mutex);
    std::erase(names().all, this);
}

void GrowingName::fill_here() {
    const std::lock_guard lock(names().mutex);
    thread_ = this_thread();
}

void remove_growing_files() {
    names().mutex.lock();  // for good
    std::set<pid_t> threads;
    for (const GrowingName* name : names().all) threads.insert(name->thread_);
    threads.erase(this_thread());
    // From here on without memory of the heap: a thread may be held up while it has the heap's lock.
    hold_up(threads);
    for (const GrowingName* name : names().all) ::unlink(name->path_.c_str());
}

GrowingFile::GrowingFile(const std::string& part) : part_(part) {
    growing = part_.c_str();
    for (const int number : ending)
        if (std::signal(number, remove_and_end) == SIG_IGN) std::signal(number, SIG_IGN);
}

GrowingFile::~GrowingFile() {
    for (const int number : ending)
        if (std::signal(number, SIG_DFL) == SIG_IGN) std::signal(number, SIG_IGN);
    growing = nullptr;
    if (!is_whole_) ::unlink(part_.c_str());
}

void GrowingFile::finish(const std::string& path) {
    if (std::rename(part_.c_str(), path.c_str()) != 0)
        throw base::RunFailure(fmt::format("{}: cannot be given its name: {}", path, std::strerror(errno)));
    is_whole_ = true;
}

}  // namespace groundswell::output
