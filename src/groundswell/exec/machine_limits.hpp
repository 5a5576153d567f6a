#pragma once

/// What this machine can do at best, measured: the limits that kernels are held against.
namespace groundswell::exec {

struct MachineLimits {
    /// STREAM triad a = b + s·c (McCalpin 1995), arrays far larger than any cache; bytes as STREAM counts
    /// them.
    double stream_gigabytes_per_second = 0.0;
    /// Fused multiply-adds in registers, counted as two operations.
    double peak_gflops = 0.0;
};

/// Measures with the threads of exec::threads(), multiply-adds in numbers of type Real; best of several tries,
/// about half a second. Not collective, but ranks that share a host should call it together.
template <class Real>
MachineLimits measure_machine_limits();
extern template MachineLimits measure_machine_limits<float>();
extern template MachineLimits measure_machine_limits<double>();

}  // namespace groundswell::exec
