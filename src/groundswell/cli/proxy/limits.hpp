#pragma once

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "groundswell/exec/device/device.hpp"
#include "groundswell/exec/machine_limits.hpp"

namespace groundswell::cli {

/// Limits of all ranks at the same time, with the current number of threads: GB/s; GFLOP/s in numbers of so many bytes. Collective.
double measure_stream_together(MPI_Comm comm);
double measure_peak_together(MPI_Comm comm, int number_bytes);

/// Limits of the machine, measured repeatedly while kernels are timed: it differs from minute to minute.
class LimitSamples {
public:
    /// In numbers of so many bytes, as the kernels have them; of the device, if any.
    LimitSamples(MPI_Comm comm, int number_bytes, exec::Device* device = nullptr)
        : comm_(comm), number_bytes_(number_bytes), device_(device) {}

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
    exec::MachineLimits measured() const;
    std::vector<int> threads() const;
    std::vector<double> values(int threads, double exec::MachineLimits::*which) const;

    MPI_Comm comm_;
    int number_bytes_;
    exec::Device* device_;
    std::vector<Sample> samples_;
};

}  // namespace groundswell::cli
