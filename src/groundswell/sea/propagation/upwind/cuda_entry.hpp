#pragma once

namespace groundswell::sea {

/// exec::Program::entry of UpwindStep; null in a program that was built without CUDA.
const void* upwind_cuda_entry();

}  // namespace groundswell::sea
