#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "groundswell/parallel/profile.hpp"
#include "groundswell/simulation/case.hpp"
#include "groundswell/simulation/report.hpp"
#include "groundswell/simulation/schedule.hpp"
#include "groundswell/simulation/state.hpp"
#include "groundswell/simulation/stream.hpp"

namespace groundswell::simulation {

/// Interface of a model to a run: its steps, its state, its files. In return the run gives it a command line, the
/// case file with refusals, `--check` and `--explain`, a schedule, output in every mode, restarts with the same
/// bits, SIGTERM, the progress line, profile, summary and run.json.
///
/// One object a rank. All functions but those marked so are called by all ranks of comm() together, in this order:
/// step_rules, state (and its values filled, where the run starts from a restart), start or resume, streams, then
/// advance and record() of the streams in turn, report.
class Model {
public:
    virtual ~Model() = default;

    /// The ranks that compute: those that the model was made on, perhaps numbered anew. Not collective.
    virtual MPI_Comm comm() const = 0;

    /// Cells of this rank and of all. Not collective.
    struct Cells {
        std::int64_t owned = 0, global = 0;
    };
    virtual Cells cells() const = 0;

    /// The unit in which people count this model's work, and how much of it a step does for a cell.
    struct Work {
        std::string unit = "cell-steps";
        double per_cell_and_step = 1.0;
    };
    virtual Work work() const { return {}; }

    /// Where time goes: the model adds its phases when it is made, and times its steps. Not collective.
    virtual parallel::Profile& profile() = 0;

    /// Work of this rank in so many steps, in cells where all cost alike (PhaseKind::even): what its speed is
    /// told by. Not collective.
    virtual double even_cells(std::int64_t steps) const {
        return static_cast<double>(cells().owned) * static_cast<double>(steps);
    }

    /// Seconds of this rank in one of its kernels, and for which cluster of cells, where those step at rates of their own.
    struct Kernel {
        std::string name;
        int cluster = -1;  ///< from 0; -1: all cells
        double seconds = 0.0;
        double updates = 0.0;  ///< cells, or faces, that this rank stepped; 0: not counted
        /// The least that all of it needed, operations and bytes from or to memory; 0: not counted.
        double flop = 0.0, bytes = 0.0;
        double lanes_filled = 1.0;  ///< share of the lanes of registers that held something
    };
    /// In so many steps of this run. The same list on every rank; by default the phases that compute. Not collective.
    virtual std::vector<Kernel> kernel_times(std::int64_t /*steps*/) { return computing_phases(profile()); }
    static std::vector<Kernel> computing_phases(const parallel::Profile& profile) {
        std::vector<Kernel> kernels;
        for (int number = 0; number < profile.phases(); ++number) {
            const auto phase = static_cast<parallel::Phase>(number);
            if (profile.computes(phase)) kernels.push_back({profile.name(phase), -1, profile.seconds(phase)});
        }
        return kernels;
    }

    /// Bytes of the numbers that kernels compute with. Not collective.
    virtual int number_bytes() const { return sizeof(double); }

    /// Bytes of this rank's state, and how many of them lie in the heap and not in memory shared with other ranks. Not
    /// collective.
    struct StateMemory {
        std::int64_t bytes = 0, in_heap = 0;
    };
    virtual StateMemory state_memory() const { return {}; }

    virtual StepRules step_rules() const = 0;

    /// Contents of a restart file. The data are those of the model now; not kept beyond the next step.
    virtual State state() = 0;
    /// Things beside the state, for those who look at it as it runs: places of cells, axes of their values, what acts on them
    /// now. A variable without rows has its first dimension alone. By default nothing. Not collective.
    virtual State surroundings() { return {}; }

    /// Sets the model at the start of its case. With Case::initial_restart the state was filled before.
    virtual void start(const Schedule& schedule) = 0;
    /// Sets the model at `step`, whose state was filled before.
    virtual void resume(const Schedule& schedule, std::int64_t step) = 0;

    /// From the state after `step` steps to the next one. After its last message of the step it may throw on one
    /// rank alone (base::RunFailure: a value that is not sane, a file that cannot be read): the run tells the
    /// others at the end of the cycle, and until then calls it as before. At any other place all ranks must throw
    /// together (parallel::agree): where one throws alone after all (memory lacks, a device fails), it ends the others, who wait for its
    /// message, when they have not come for the time of some cycles.
    virtual void advance(std::int64_t step) = 0;

    /// Whether the run ends with the cycle in which `step` is, before the end of its schedule, as the case has it: the same on
    /// all ranks, and whether the run began at the start or at a restart. After each step, until it is so.
    virtual bool has_ended(std::int64_t /*step*/) { return false; }

    /// The model's output files.
    virtual std::vector<std::unique_ptr<Stream>> streams() = 0;

    /// Tells people, on rank 0 alone, what is going to be computed.
    virtual void announce(const Schedule& /*schedule*/) const {}
    /// Additions of the model to run.json and to the summary; with `steps` = 0 before the first step (--check).
    virtual void report(const Schedule& /*schedule*/, std::int64_t /*steps*/, Report& /*report*/) {}
};

/// A kind of model, by the name that the key `model` of a case file gives it.
struct ModelKind {
    std::string name;
    std::string description;  ///< a few words for people
    /// Reads every key but `model`; refuses with Section::refuse. `output_folder`: of the command line, or empty.
    /// Not collective.
    std::unique_ptr<Case> (*read)(const CaseReader& reader, const std::string& output_folder);
    /// Collective. `run` outlives the model.
    std::unique_ptr<Model> (*make)(MPI_Comm comm, const Case& run);
    /// Sections and keys that the state depends on: a restart file of a run that had others is refused.
    std::vector<std::string> of_state = {};
};

}  // namespace groundswell::simulation
