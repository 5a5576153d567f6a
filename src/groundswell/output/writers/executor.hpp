#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/output/disk/growing_name.hpp"
#include "groundswell/output/file.hpp"
#include "groundswell/output/writers/job.hpp"
#include "groundswell/parallel/agree.hpp"
#include "groundswell/parallel/communicator.hpp"

namespace groundswell::output {

/// Work of a writer for one file.
struct FileWork {
    std::int64_t records = 0, bytes = 0;
    double seconds = 0.0;
};

/// By which files' costs are added up: its path; files that take others' places, one after the other, have none.
inline std::string cost_name(const std::string& path) {
    return path.ends_with(".part") ? std::string() : path;
}

/// Progress of the writers, as any of them can tell.
struct WriterState : WriterWork {
    std::map<std::string, FileWork> files;  ///< by cost_name()
    parallel::LocalOutcome failure;         ///< what stopped them; code `done` while all is well
    std::vector<std::string> given_up;      ///< why, one for each file that was dropped
    std::string newest;                     ///< file made by replace() that has its name; empty: none yet
};

/// Whether what a failed write says may be gone later, so that on_error = retry tries again: a full disk, a
/// spent quota, a device that did not answer.
bool may_pass(std::string_view message);

/// Runs jobs with Files: what every mode of output does in the end, on the ranks that write.
class Executor {
public:
    /// `comm`: the writers. It must carry nothing else while a job runs.
    Executor(MPI_Comm comm, const WriterOptions& options);

    /// Collective: returns when all writers are here. Those that come early sleep: where writers share cores
    /// with the computation, one that spins costs more than its work.
    void meet();

    /// Collective over the writers, jobs in the same order on all. A failure of the disk is kept in state(),
    /// the same on all writers, and ends or shortens what follows as the options say. An error that one
    /// writer alone met (lack of memory, say) is thrown.
    void run(const Job& job);

    const WriterState& state() const { return state_; }

private:
    struct Slot {
        std::string path;  // as it is created
        std::shared_ptr<const Schema> schema;
        bool checksums = false;
        bool replaces = false;
        std::optional<File> file;
        bool given_up = false;
        std::unique_ptr<GrowingName> growing;  // of one that replaces another
    };

    void run_kind(const Job& job);
    void create(Slot& slot, const Job& job);
    void write(Slot& slot, const Job& job);
    void flush_others(const Slot& slot);
    void close(Slot& slot, const Job& job);
    void take_name(const Slot& slot, const Job& job);
    void close_all();
    /// Runs `body`, and repeats it as the options say. What is thrown in the end is a failure of the slot.
    void attempt(Slot& slot, bool may_repeat, const std::function<void()>& body);
    void fail(Slot* slot);
    std::vector<std::uint64_t> sum_checksums(const Job& job) const;
    std::vector<std::byte> bring_to_first(VariablePart& part) const;

    parallel::Communicator comm_;
    WriterOptions options_;
    WriterState state_;
    std::vector<std::unique_ptr<Decomposition>> decompositions_;
    std::map<std::int32_t, Slot> slots_;
};

}  // namespace groundswell::output
