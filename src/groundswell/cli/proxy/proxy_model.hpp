#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/exec/kernel_check.hpp"
#include "groundswell/simulation/case.hpp"
#include "groundswell/simulation/run/command_line.hpp"

/// Interface of a model to `groundswell proxy`: one file for each, and a line in proxy.cpp.
namespace groundswell::cli {

/// Seconds that each repetition of a kernel on all cells took this rank.
struct TimedKernel {
    std::string name;
    std::vector<double> seconds;     ///< where the kernel stands in a step; of some only by themselves
    double flop = 0.0, bytes = 0.0;  ///< the least that a cell and repetition needs; 0: not known
    std::optional<std::int64_t> count = {};  ///< of what this rank has, if not of its cells
    double times = 1.0;                      ///< updates of a cell in a repetition, on average
    std::vector<double> alone = {};          ///< the same repeated by itself, warm; empty: `seconds` are that
    std::string phase = {};                  ///< of a run that does nothing else; empty: none
    double in_a_step = 0.0;                  ///< repetitions in a step of the run
    double lanes_filled = 1.0;               ///< share of the lanes of its registers that hold something
};

/// One reason why a kernel is slower, or faster, in a run than by itself.
struct Difference {
    std::string kernel, name, words;
    double ratio = 1.0;  ///< seconds as a run has them over seconds without it
};

/// A model's kernels on cells that they have been given.
class ProxyKernels {
public:
    using Repeat = std::function<std::vector<double>(const std::function<void()>&)>;

    virtual ~ProxyKernels() = default;
    virtual MPI_Comm comm() const = 0;         ///< of the ranks that compute, perhaps numbered anew
    virtual std::int64_t cells() const = 0;    ///< of this rank
    virtual nlohmann::json about() const = 0;  ///< what each row of the report says besides
    /// Kernels against their plain forms, on this rank; before time().
    virtual std::vector<exec::KernelCheck> check() = 0;
    /// `repeat` runs a body as often as was asked for, on all ranks at the same time, and returns the seconds of each time.
    virtual std::vector<TimedKernel> time(int repeats, const Repeat& repeat) = 0;
    virtual std::vector<Difference> differences() const {
        return {};
    }  ///< after time(); the same on every rank
    /// Values in which runs of the same case must agree: keys of its report's result, and their values.
    virtual nlohmann::json identity() const = 0;
};

/// Units that are counted, so many in a cell.
struct ProxyUnits {
    const char* rate;        ///< key of a row: units and steps in a second
    const char* rate_title;  ///< of its column, in millions
    const char* memory;      ///< key of the report: bytes a unit
    const char* unit;        ///< in words
};

/// On what kernels work: the mesh of a case, a mesh, or about so many cells.
struct ProxyTask {
    std::shared_ptr<const simulation::Case> run;  ///< null: none
    std::string mesh;                             ///< empty: none
    int cells = 0, variant = 0;
    int spin_up = 0;                 ///< cycles of steps before the first that is timed
    exec::Device* device = nullptr;  ///< that computes; null: the processor
};

class ProxyModel {
public:
    virtual ~ProxyModel() = default;
    virtual void add_options(simulation::Command& command) = 0;
    virtual void check_options() {}  ///< base::Refusal for what cannot be; on every rank, before all else
    virtual ProxyUnits units() const = 0;
    virtual nlohmann::json about() const = 0;             ///< what the report says besides
    virtual int variants() const { return 1; }            ///< that are asked for, of one number of cells
    virtual double bytes_of_cell(int variant) const = 0;  ///< of memory, about
    virtual double units_in_cell(const ProxyTask& task) const = 0;
    virtual std::unique_ptr<ProxyKernels> make(MPI_Comm comm,
                                               const ProxyTask& task) const = 0;  ///< collective
    virtual int number_bytes(const ProxyTask& task) const = 0;  ///< of the numbers that kernels compute with
};

std::unique_ptr<ProxyModel> sea_proxy();
std::unique_ptr<ProxyModel> quake_proxy();

}  // namespace groundswell::cli
