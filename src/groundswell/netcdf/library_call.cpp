#include "groundswell/netcdf/library_call.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <netcdf.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <vector>

#include "groundswell/base/errors.hpp"

namespace groundswell::netcdf {

namespace {

// Seconds of a processor: opening a sound file takes milliseconds, reading it less than 0.1 s for each 8 MiB.
constexpr std::int64_t seconds_to_open = 5;
constexpr std::int64_t bytes_a_second = std::int64_t{8} << 20;

constexpr std::array<int, 3> faults{SIGSEGV, SIGBUS, SIGFPE};

std::atomic<bool> lost = false;
std::array<struct sigaction, faults.size()> others;  // handlers before ours

thread_local sigjmp_buf way_back;
thread_local volatile sig_atomic_t is_within = 0;

int limit_signal() {
    return SIGRTMIN + 4;
}

void on_signal(int signal, siginfo_t* info, void*) {
    // A limit that was reached just when the call came back is of no interest.
    if (is_within == 0 && signal == limit_signal()) return;
    // Only faults of this thread within a call are meant, not signals that were sent (kill).
    if (is_within != 0 && (signal == limit_signal() || info->si_code > 0)) {
        is_within = 0;
        siglongjmp(way_back, signal);
    }
    for (std::size_t i = 0; i < faults.size(); ++i)
        if (faults[i] == signal) ::sigaction(signal, &others[i], nullptr);
    if (info->si_code <= 0) ::raise(signal);  // a fault comes again by itself
}

void install() {
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    ::sigaction(limit_signal(), &ours, nullptr);
    for (std::size_t i = 0; i < faults.size(); ++i) ::sigaction(faults[i], &ours, &others[i]);
}

/// A stack of this thread for the signal, where it has none: a library that calls itself without end has used
/// up the other.
class SignalStack {
public:
    SignalStack() : bytes_(std::size_t{64} << 10) {
        stack_t there{};
        if (::sigaltstack(nullptr, &there) != 0 || (there.ss_flags & SS_DISABLE) == 0) return;
        stack_t ours{};
        ours.ss_sp = bytes_.data();
        ours.ss_size = bytes_.size();
        is_ours_ = ::sigaltstack(&ours, nullptr) == 0;
    }
    ~SignalStack() {
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        if (is_ours_) ::sigaltstack(&none, nullptr);
    }
    SignalStack& operator=(SignalStack&&) = delete;  // neither copied nor moved

private:
    std::vector<char> bytes_;
    bool is_ours_ = false;
};

/// Sends the signal to this thread when it has computed for so long.
class Limit {
public:
    Limit() {
        static const bool installed = (install(), true);
        static_cast<void>(installed);
        sigevent event{};
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = limit_signal();
        event._sigev_un._tid = ::gettid();
        exists_ =
            ::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0;  // without, there is no limit
    }
    ~Limit() {
        if (exists_) ::timer_delete(timer_);
    }
    Limit& operator=(Limit&&) = delete;     // neither copied nor moved
    void set(std::int64_t seconds) const {  // 0: none
        itimerspec when{};
        when.it_value.tv_sec = static_cast<time_t>(seconds);
        if (exists_) ::timer_settime(timer_, 0, &when, nullptr);
    }

private:
    SignalStack stack_;
    timer_t timer_{};
    bool exists_ = false;
};

}  // namespace

int limited_call(const std::string& path, const std::function<int()>& call, std::int64_t bytes) {
    if (lost)
        base::refuse(path, "", "",
                     "to be read by itself: a damaged file before it has made the library unusable");
    thread_local const Limit limit;
    const std::int64_t seconds = seconds_to_open + bytes / bytes_a_second;
    const int signal = sigsetjmp(way_back, 1);
    if (signal == 0) {
        limit.set(seconds);
        is_within = 1;
        const int result = call();
        is_within = 0;
        limit.set(0);
        return result;
    }
    limit.set(0);
    lost = true;
    const std::string expected = "a whole file; this one is damaged: the library that reads it ";
    if (signal != limit_signal()) base::refuse(path, "", "", expected + "fails on it");
    base::refuse(path, "", "", fmt::format("{}has been at work for {} s", expected, seconds));
}

bool library_is_lost() {
    return lost;
}

std::string netcdf_version() {
    const auto lock = own_library();
    const std::string text = nc_inq_libvers();  // "4.9.0 of Jan 7 2023 …"
    return text.substr(0, text.find(' '));
}

std::string hdf5_version() {
    const auto lock = own_library();
    unsigned major = 0, minor = 0, release = 0;
    if (H5get_libversion(&major, &minor, &release) < 0) return "unknown";
    return fmt::format("{}.{}.{}", major, minor, release);
}

std::unique_lock<std::mutex> own_library() {
    static std::mutex mutex;
    auto lock = std::unique_lock<std::mutex>(mutex);
    // Else HDF5 would print messages of its own on the terminal; each thread has a choice.
    thread_local const herr_t quiet = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    static_cast<void>(quiet);
    return lock;
}

}  // namespace groundswell::netcdf
