#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "groundswell/output/writers/executor.hpp"
#include "groundswell/output/writers/job.hpp"

/// Transport of jobs from the ranks that compute to the ranks (or threads) that write: one class for each mode.
namespace groundswell::output {

struct Roles;

/// Limits on what may be on its way, and on slowness before a warning.
struct CourierLimits {
    std::int64_t buffer_bytes = 0;  ///< of values handed over and not yet taken off this rank's hands
    double silence = 60.0;          ///< s that a writer may be silent while this rank waits for it
};

class Courier {
public:
    virtual ~Courier() = default;

    /// Takes the job over and returns when the caller may change its values: at once where the buffer has
    /// room. A job larger than the whole buffer waits until that is empty and goes alone.
    virtual void deliver(Job job, const std::string& description) = 0;

    /// State of the writers, as this rank knows it.
    virtual WriterState state() = 0;

    /// Waits until every job delivered so far is done.
    virtual void settle() = 0;

    /// True when all ranks know the same at any moment, so that nothing must be agreed on.
    virtual bool in_step() const { return false; }

    virtual std::int64_t bytes_held() const { return 0; }  ///< in the buffer now
    std::int64_t most_bytes_held() const { return most_bytes_held_; }
    std::int64_t waits() const { return waits_; }  ///< calls that had to wait for room
    double waited_seconds() const { return waited_seconds_; }
    void set_buffer_bytes(std::int64_t bytes) { limits_.buffer_bytes = bytes; }
    std::int64_t buffer_bytes() const { return limits_.buffer_bytes; }

protected:
    explicit Courier(const CourierLimits& limits) : limits_(limits) {}
    bool has_room_for(std::int64_t bytes, std::int64_t held) const {
        return held == 0 || held + bytes <= limits_.buffer_bytes;
    }
    void note_held(std::int64_t held) { most_bytes_held_ = std::max(most_bytes_held_, held); }

    CourierLimits limits_;
    std::int64_t most_bytes_held_ = 0, waits_ = 0;
    double waited_seconds_ = 0.0;
};

/// Runs each job at once, in the caller's own time.
std::unique_ptr<Courier> make_direct_courier(std::shared_ptr<Executor> executor);

/// Copies the values and leaves the rest to a thread, which runs on `cpu` alone if one is given.
/// `who`: its name in a warning, as "the writer thread of rank 3 on host n12".
std::unique_ptr<Courier> make_thread_courier(std::shared_ptr<Executor> executor, const CourierLimits& limits,
                                             std::optional<int> cpu, const std::string& who);

/// Sends jobs to this rank's server. Collective over the ranks that compute.
std::unique_ptr<Courier> make_server_courier(const Roles& roles, const CourierLimits& limits);

/// Says so when somebody whom this rank waits for has given no sign for longer than the limit; again each
/// time that the silence has doubled.
class SilenceWarning {
public:
    explicit SilenceWarning(double limit) : limit_(limit), next_(limit) {}
    /// `silent`: seconds since the last sign or since waiting began, whichever is shorter.
    void check(double silent, const std::string& who, const std::string& doing);
    void reset() { next_ = limit_; }

private:
    double limit_, next_;
};

}  // namespace groundswell::output
