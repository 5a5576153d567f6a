#pragma once

namespace groundswell::sea {

/// exec::Program::entry of IceDampingStep; null in a program that was built without CUDA.
const void* ice_damping_cuda_entry();

}  // namespace groundswell::sea
