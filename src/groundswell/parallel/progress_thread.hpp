#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace groundswell::parallel {

/// A communication thread: pushes messages along while the other threads of the rank compute. It works
/// between begin() and end() only, and sleeps otherwise. What it pushes is handed over at these two calls, so
/// that the thread and its owner never touch it at the same time; `push` may call MPI, whose thread level
/// must then be MPI_THREAD_MULTIPLE.
class ProgressThread {
public:
    /// `push` is called again and again; it must return soon. With a `cpu` (as the system numbers them) the
    /// thread runs there alone and does not pause between two calls; without, it shares the others' cores and
    /// sleeps for `pause` in between. Throws base::Refusal if this process may not use the CPU.
    explicit ProgressThread(std::function<void()> push, std::optional<int> cpu = {});
    ~ProgressThread();
    ProgressThread& operator=(ProgressThread&&) = delete;  // neither copied nor moved

    /// Lets the thread push. Returns at once.
    void begin();
    /// Returns when no call of `push` is running nor will be, and throws what one has thrown. May be called
    /// without begin().
    void end();

    /// Seconds that the thread has spent in `push`. Only between end() and begin().
    double seconds() const { return seconds_; }

private:
    void work();

    std::function<void()> push_;
    bool has_cpu_;
    std::mutex hand_over_;  // held while `push` runs
    std::condition_variable wake_;
    std::atomic<bool> pushing_ = false;
    bool ending_ = false;
    std::exception_ptr error_;
    double seconds_ = 0.0;
    std::thread thread_;  // last, so that it finds all the others made
};

}  // namespace groundswell::parallel
