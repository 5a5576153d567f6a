#pragma once

#include <mpi.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/exec/machine_limits.hpp"

namespace groundswell::cli {

/// What the machine can do, measured again and again while kernels are timed: it differs from minute to minute.
class LimitSamples {
public:
    /// `measure`: on this rank, in the precision of the kernels.
    LimitSamples(MPI_Comm comm, std::function<exec::MachineLimits()> measure)
        : comm_(comm), measure_(std::move(measure)) {}

    /// Once more, with the threads of now; all ranks together. Collective.
    void take();

    /// Best of the samples that were taken with so many threads: what shares are counted of.
    exec::MachineLimits best(int threads) const;
    /// By number of threads: best, spread (largest over smallest, less 1) and samples.
    nlohmann::json json() const;
    /// For people: the numbers, and a warning where they vary by more than a tenth.
    std::string text() const;

private:
    struct Sample {
        int threads;
        exec::MachineLimits limits;
    };
    std::vector<int> threads() const;
    std::vector<double> values(int threads, double exec::MachineLimits::*which) const;

    MPI_Comm comm_;
    std::function<exec::MachineLimits()> measure_;
    std::vector<Sample> samples_;
};

}  // namespace groundswell::cli
