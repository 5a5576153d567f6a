#pragma once

/// What this machine can do at best, measured: the limits that kernels are held against.
namespace groundswell::exec {

struct MachineLimits {
    /// STREAM triad a = b + s·c (McCalpin 1995), arrays far larger than any cache; bytes as STREAM counts
    /// them.
    double stream_gigabytes_per_second = 0.0;
    /// Fused multiply-adds of type Real in registers, counted as two operations.
    double peak_gflops = 0.0;
};

/// Measures with the threads of exec::threads(); best of several tries, about half a second. Not collective,
/// but ranks that share a host should call it together.
MachineLimits measure_machine_limits();

}  // namespace groundswell::exec
