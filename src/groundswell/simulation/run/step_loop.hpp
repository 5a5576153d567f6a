#pragma once

#include <functional>
#include <string>

#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/cores/core_watch.hpp"
#include "groundswell/simulation/model.hpp"
#include "groundswell/simulation/report/run_report.hpp"
#include "groundswell/simulation/streams/output_streams.hpp"

namespace groundswell::simulation {

/// Asks this process to end its run early, with a restart. From any thread; not collective.
void ask_to_stop();
/// Whether any rank was asked to stop before the first step; says so. Collective.
bool is_stopped_early(MPI_Comm comm);

/// Steps of a model, each with what it leads to: agreement of all ranks at the end of a cycle, and the records that are due.
class Steps {
public:
    /// Writes what is due at the start. All must outlive this. Collective.
    Steps(Model& model, const Schedule& schedule, std::int64_t first, OutputStreams& outputs);

    std::int64_t done() const { return step_; }
    /// Whether there is no further step: at the end of the schedule, where the model says so, or where a rank was asked to stop.
    bool is_over() const { return ended_ || stopped_; }
    bool is_stopped() const { return stopped_; }
    /// One step. Throws on all ranks, at the end of the cycle, what the model, the output or `before_cycle` meets on any; on this rank alone,
    /// without a mark of agreement, where it has met something and the others do not come to the end of the cycle. Collective.
    void advance();

    /// Addition to a cycle, before the model's own step; may throw on one rank alone. By default nothing.
    std::function<void()> before_cycle;

private:
    void write();

    Model& model_;
    const Schedule& schedule_;
    OutputStreams& outputs_;
    std::int64_t step_;
    bool ends_ = false, ended_,
         stopped_ = false;    // the model asks for the end of its cycle; that was reached
    bool is_broken_ = false;  // what was met here may have come between messages: no further step
    double cycle_began_ = MPI_Wtime(), longest_cycle_ = 0.0;  // s
    parallel::LocalOutcome outcome_;  // the first failure here: told at the end of its cycle
};

struct Progress {
    bool shown = false;     ///< by this rank
    bool has_rate = false;  ///< with the rate of computing; on all ranks or none
};

/// Steps from `first_step` to the end, or to the end of the cycle in which a rank was asked to stop, writing what
/// is due. Throws on all ranks what the model or the output meets on any.
/// Collective over the model's communicator.
RunMeasurement step_to_end(const Case& run, Model& model, const Schedule& schedule, std::int64_t first_step,
                           OutputStreams& outputs, const parallel::CoreWatch& watch, Progress shows);

}  // namespace groundswell::simulation
