#pragma once

#include <cstdint>

/// Measured limits of this machine, against which kernels are judged.
namespace groundswell::exec {

struct MachineLimits {
    /// STREAM triad a = b + s·c (McCalpin 1995), arrays larger than the last cache; bytes as STREAM counts them.
    double stream_gigabytes_per_second = 0.0;
    /// Multiplies and adds in registers, fused where the instruction set in use has that, counted as two operations.
    double peak_gflops = 0.0;
};

/// Time that a measurement may take.
enum class Care {
    /// Arrays of one and a half times the last cache, of which some percent stay there, three passes; eight tries of the
    /// arithmetic of a third of a millisecond: some tens of milliseconds, most of them to get the memory.
    quick,
    /// Arrays of four times the last cache, 128 MiB at least, ten passes; a hundred tries: about half a second.
    thorough
};

/// Both measure with the threads of exec::threads(); the best of several tries counts. Not collective, but `ranks` that share a
/// host, and its last cache, should call them together.
double measure_stream(Care care, int ranks = 1);  ///< GB/s; 0 if there is no memory for it
template <class Real>
double measure_peak(Care care);  ///< GFLOP/s in numbers of type Real
extern template double measure_peak<float>(Care);
extern template double measure_peak<double>(Care);

/// Memory that measure_stream() takes meanwhile.
std::int64_t stream_bytes(Care care, int ranks = 1);

}  // namespace groundswell::exec
