#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "groundswell/output/options.hpp"
#include "groundswell/output/writers/courier.hpp"
#include "groundswell/output/writers/executor.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/thread_time.hpp"

namespace groundswell::output {

/// Decision of mode auto between direct and thread, from the first record and the computation after it: the slowest rank's
/// measurements, and what there is for a thread to run on.
struct FirstRecord {
    double writing = 0.0;        ///< s that the record kept the model
    double asleep = 0.0;         ///< s of them, as parallel::ThreadTime::asleep
    double computing = 0.0;      ///< s of the computation up to the second record
    bool own_core = false;       ///< every writer thread would have a core that nobody else needs
    bool cores_for_all = false;  ///< every thread that computes has a core
};

/// Whether writer threads save more than 2 % of the computation. One with a core of its own saves all that a
/// record takes; one without saves what the disk takes, not what the processor does; and where the threads
/// that compute already share cores it saves nothing.
bool threads_pay(const FirstRecord& measured);

struct Roles;

/// The way of jobs from a rank that computes to the disk: chosen by the options, or by measuring. Functions are
/// collective over the ranks that compute.
class Way {
public:
    /// Refusal when there is no such mode, or it cannot work here.
    Way(MPI_Comm parent, const OutputOptions& options, const Roles* roles);
    Way& operator=(Way&&) = delete;  // neither copied nor moved

    const OutputOptions& options() const { return options_; }
    MPI_Comm comm() const { return comm_.get(); }
    int rank() const { return comm_.rank(); }

    /// As Output::announce().
    void announce(const std::string& path, std::int64_t bytes, bool whole_file);

    /// Hands a job over. Throws what any writer met before. `path`: of its file, for messages.
    void deliver(Job job, const std::string& path);
    /// The same for records, before which mode auto may decide otherwise.
    void append(Job job, const std::string& path);

    void settle();
    void finish();
    /// Closes what is open and waits for it, once. `ended()`: whether that was done.
    void wait_for_all();
    bool ended() const { return ended_; }

    OutputReport report() const;

private:
    bool lacks_shared_memory() const;
    void check_options(const Roles* roles) const;
    void use_thread();
    void check_writers();
    std::string advice() const;
    void decide();

    OutputOptions options_;
    parallel::Communicator comm_;
    CourierLimits limits_;
    std::shared_ptr<Executor> executor_;  // none where servers write
    std::unique_ptr<Courier> courier_;
    std::int64_t announced_ = 0;
    OutputReport report_;                            // what this rank knows of itself
    std::map<std::string, double> blocked_by_file_;  // by cost_name()
    bool warned_ = false, ended_ = false;
    bool decides_ = false;              // mode auto, before its decision
    std::set<std::int32_t> begun_;      // files that have a record, until then
    parallel::ThreadTime record_time_;  // of their first records
    double measured_at_ = 0.0;
};

}  // namespace groundswell::output
