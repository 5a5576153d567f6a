#pragma once

#include <mpi.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/output/dataset.hpp"
#include "groundswell/output/disk/folder_lock.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/simulation/model.hpp"
#include "groundswell/simulation/streams/record_gap.hpp"

namespace groundswell::simulation {

/// Options for beginning the output files of a run.
struct OutputStart {
    bool overwrite = false;                      ///< replace existing files
    std::optional<std::int64_t> continue_after;  ///< restart: keep records up to this step of existing files
    bool checks_only = false;                    ///< nothing will be written: another run may have the folder
    std::vector<std::string> inputs;             ///< files that the run reads, and must not replace
    std::string remembered;                      ///< of the inputs, for restart files: remember_inputs()
};

/// The output files of a run: those of its model, and restarts, each written when it is due.
/// Every function is collective over the model's communicator.
class OutputStreams {
public:
    /// Refuses a folder that cannot be made or written to, or that another run writes to, a file that exists
    /// (unless overwritten), or is an input of the run, a name that cannot be given to a new file, a file to
    /// be continued that does not exist, a way of writing that cannot work here, a buffer smaller than a
    /// record, and too little disk for all records to come. Creates and changes nothing yet but the folder's
    /// lock. `roles`: where ranks were set apart to write, else null. `run` and `model` must outlive this.
    OutputStreams(const Case& run, Model& model, const Schedule& schedule, const OutputStart& start,
                  const output::Roles* roles);
    ~OutputStreams();

    /// Makes the folder, creates the files, or opens them to be continued, and writes what does not change
    /// with time. Warns of files that are continued with records missing before the first new one.
    void open();

    /// Writes what is due after `step` steps; returns as soon as the values are safe. With a restart just
    /// read, records of that very step stand in the files already and are not written again.
    void write_due(std::int64_t step);

    /// Writes a restart file of the state after `step` steps, if this object has not written one yet.
    void write_restart_now(std::int64_t step);
    /// Waits until everything is on the disk; throws the first error that there was.
    void close();
    /// In place of close() while an error that all ranks share is handled: waits too, and throws nothing.
    void abandon() noexcept;

    /// Cost of the output for this rank so far.
    output::OutputReport report() const { return output_->report(); }

    /// Files that this run continues and that have records missing, by name. On rank 0.
    const std::map<std::string, RecordGap>& gaps() const { return gaps_; }

private:
    struct File {
        std::unique_ptr<Stream> stream;
        std::string path;
        std::optional<output::Dataset> dataset;
    };
    /// base::RunFailure, on this rank alone, where a record of this time, s, or one behind it, has NaN or infinity.
    void require_numbers(const File& file, const std::vector<output::Values>& values, double time) const;

    void check_restarts() const;
    void check_targets() const;
    void make_output(const output::Roles* roles);
    void take_lock();
    void remove_unfinished_restarts() const;
    void look_for_gaps();
    void write_companions() const noexcept;

    MPI_Comm comm_;
    const Case& case_;
    Model& model_;
    Schedule schedule_;
    OutputStart start_;
    std::optional<output::FolderLock> lock_;  // on rank 0
    std::unique_ptr<output::Output> output_;
    std::vector<File> files_;
    std::map<std::string, RecordGap> gaps_;
    std::int64_t last_restart_ = -1;
    std::vector<std::string> restarts_;  // handed over by this object and not to be kept, oldest first
};

}  // namespace groundswell::simulation
