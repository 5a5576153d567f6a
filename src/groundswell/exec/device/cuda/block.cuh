#pragma once

#include <cstddef>
#include <cstdint>

/// A device of CUDA as kernels see it: the members of exec::Block, by the words of that compiler. A block is a block of threads, a
/// lane is a thread of it.
namespace groundswell::exec {

class CudaBlock {
public:
    __device__ explicit CudaBlock(std::byte* scratch) : scratch_(scratch) {}
    __device__ int index() const { return static_cast<int>(blockIdx.x); }
    __device__ int lane() const { return static_cast<int>(threadIdx.x); }
    __device__ int lane_count() const { return static_cast<int>(blockDim.x); }
    template <class Body>
    __device__ void lanes(int n, const Body& body) const {
        for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) body(i);
    }
    __device__ void sync() const { __syncthreads(); }
    __device__ void sync_group(int group) const { __syncwarp(neighbours(group)); }
    template <class T>
    __device__ T from_neighbour(T value, int across, int group) const {
        return __shfl_xor_sync(neighbours(group), value, across);
    }
    __device__ static void lower(std::int32_t& number, std::int32_t value) { atomicMin(&number, value); }
    template <class T>
    __device__ T* scratch(std::size_t n) {
        const std::size_t begin = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
        used_ = begin + n * sizeof(T);
        return reinterpret_cast<T*>(scratch_ + begin);
    }

private:
    // Those lanes of a warp, as bits.
    __device__ static unsigned neighbours(int group) {
        return 0xffffffffU >> (32 - group) << (threadIdx.x % 32 / group * group);
    }
    std::byte* scratch_;
    std::size_t used_ = 0;
};

/// Lanes of a block at most, and blocks that a multiprocessor holds at once at least, which leaves 72 registers for a lane. A
/// kernel that has members of these names says otherwise.
inline constexpr int most_lanes = 128, blocks_at_once = 7;

template <class Kernel>
constexpr int most_lanes_of() {
    if constexpr (requires { Kernel::most_lanes; })
        return Kernel::most_lanes;
    else
        return most_lanes;
}
template <class Kernel>
constexpr int blocks_at_once_of() {
    if constexpr (requires { Kernel::blocks_at_once; })
        return Kernel::blocks_at_once;
    else
        return blocks_at_once;
}

template <class Kernel>
__global__ void __launch_bounds__(most_lanes_of<Kernel>(), blocks_at_once_of<Kernel>()) run_on_cuda(Kernel kernel) {
    extern __shared__ __align__(16) std::byte scratch[];
    CudaBlock block(scratch);
    kernel(block);
}

/// Program::entry of a kernel.
template <class Kernel>
const void* cuda_entry() {
    return reinterpret_cast<const void*>(&run_on_cuda<Kernel>);
}

}  // namespace groundswell::exec
