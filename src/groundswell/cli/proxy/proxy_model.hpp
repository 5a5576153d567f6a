#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/exec/machine_limits.hpp"
#include "groundswell/simulation/run/command_line.hpp"

/// What `groundswell proxy` has to know of a model: one file for each, and a line in proxy.cpp.
namespace groundswell::cli {

/// Seconds that each repetition of a kernel on all cells took this rank.
struct TimedKernel {
    std::string name;
    std::vector<double> seconds;
    double flop = 0.0, bytes = 0.0;  ///< the least that a cell and step needs; 0: not known
    std::int64_t count = 0;          ///< of what this rank has instead of cells, if it is not cells
};

/// A model's kernels on cells that they have been given.
class ProxyKernels {
public:
    using Repeat = std::function<std::vector<double>(const std::function<void()>&)>;

    virtual ~ProxyKernels() = default;
    virtual std::int64_t cells() const = 0;    ///< of this rank
    virtual nlohmann::json about() const = 0;  ///< what each row of the report says besides
    /// `repeat` runs a body as often as was asked for, on all ranks at the same time, and returns the seconds of each time.
    virtual std::vector<TimedKernel> time(int repeats, const Repeat& repeat) = 0;
};

/// What is counted: units, so many in a cell.
struct ProxyUnits {
    const char* rate;        ///< key of a row: units and steps in a second
    const char* rate_title;  ///< of its column, in millions
    const char* memory;      ///< key of the report: bytes a unit
    const char* unit;        ///< in words
    double in_a_cell = 1.0;
};

class ProxyModel {
public:
    virtual ~ProxyModel() = default;
    virtual void add_options(simulation::Command& command) = 0;
    virtual ProxyUnits units() const = 0;
    virtual nlohmann::json about() const = 0;   ///< what the report says besides
    virtual int variants() const { return 1; }  ///< that are asked for, of one number of cells
    /// `cells` of all ranks together, about. Collective.
    virtual std::unique_ptr<ProxyKernels> make(MPI_Comm comm, int cells, int variant) const = 0;
    virtual exec::MachineLimits limits() const = 0;  ///< in the precision of the kernels
};

std::unique_ptr<ProxyModel> sea_proxy();
std::unique_ptr<ProxyModel> quake_proxy();

}  // namespace groundswell::cli
